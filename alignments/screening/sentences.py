"""Alignments with a half that is several sentences.

Documents of OPUS have borders that a sentence splitter did not draw: two sentences in one element where a tab or an
invisible character hid the border, or the turns of two speakers in one subtitle.
"""

import functools

import regex  # type: ignore[import-untyped]
from pydantic import Field

from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import SIGNATURE, Splitter, languages

# Two speakers of a dialogue, which the splitter does not separate: `- It rained. - We left.`
_TURN = regex.compile(r"""[.?!\u2026]['")\]\p{Pf}]* [-\u2013\u2014] ?\p{Lu}""")


class OneSentence(Settings):
    """Which alignments have a half of several sentences."""

    enabled: bool = Field(default=True, title="On")
    """Leave out alignments if the splitter of the language divides one of the two sentences again, or if that
    has the turns of two speakers."""

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return `several sentences in a half` or None."""
        if self.enabled and any(is_several(half, alignment.two_language) for half in alignment.two):
            return "several sentences in a half"
        return None


def is_several(text: str, language: str) -> bool:
    """Return True if a text is more than one sentence."""
    if _TURN.search(text):
        return True
    splitter = _splitter(language)
    return splitter is not None and len(splitter.split(text)) > 1


def signature() -> str:
    """Return name and version of the splitter, for the key of shards."""
    return SIGNATURE


@functools.cache
def _splitter(language: str) -> Splitter | None:
    return Splitter(language) if language in languages() else None
