"""Alignments with a half that is several sentences, or whose halves are one sentence.

Documents of OPUS have borders that a sentence splitter did not draw: two sentences in one element where a tab or an
invisible character hid the border, or the turns of two speakers in one subtitle.
Others were divided behind an abbreviation or an ordinal (`am 6. | Dezember`, `el sr. | Brown`).
A translation hides that: *... on the 6th. December begins ...*
"""

import functools

import regex  # type: ignore[import-untyped]
from pydantic import Field

from bitext_pivot.core import cuts
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import SIGNATURE, Splitter, languages

# Two speakers of a dialogue, which the splitter does not separate: `- It rained. - We left.`
_TURN = regex.compile(r"""[.?!\u2026]['")\]\p{Pf}]* [-\u2013\u2014] ?\p{Lu}""")


class OneSentence(Settings):
    """Which alignments have a half of several sentences, or one that ends inside a sentence."""

    enabled: bool = Field(default=True, title="On")
    """Leave out alignments if the splitter of the language divides one of the two sentences again, if that
    has the turns of two speakers, or if the first ends in an abbreviation, an initial or an ordinal that the
    second goes on with."""

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return `several sentences in a half`, `cut inside a sentence` or None."""
        if not self.enabled:
            return None
        if any(is_several(half, alignment.two_language) for half in alignment.two):
            return "several sentences in a half"
        if cuts.is_cut(*alignment.two, alignment.two_language):
            return "cut inside a sentence"
        return None


def is_several(text: str, language: str) -> bool:
    """Return True if a text is more than one sentence."""
    if _TURN.search(text):
        return True
    splitter = _splitter(language)
    return splitter is not None and len(splitter.split(text)) > 1


def signature(*languages: str) -> str:
    """Return name and version of the splitter, and what finds cuts, for the key of shards."""
    return f"{SIGNATURE}, {cuts.signature(*languages)}"


@functools.cache
def _splitter(language: str) -> Splitter | None:
    return Splitter(language) if language in languages() else None
