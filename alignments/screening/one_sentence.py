"""Alignments with a half that is several sentences, or whose halves are one sentence.

Documents of OPUS have borders that a sentence splitter did not draw: two sentences in one element where a tab or an
invisible character hid the border, or the turns of two speakers in one subtitle.
Others were divided behind an abbreviation or an ordinal (`am 6. | Dezember`, `el sr. | Brown`).
A translation hides that: *... on the 6th. December begins ...*
"""

from pydantic import Field

from bitext_pivot.core import cuts
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import SIGNATURE, sentence_starts


class OneSentenceScreen(Settings):
    """Which alignments have a half of several sentences, or one that ends inside a sentence."""

    enabled: bool = Field(default=True, title="On")
    """Leave out alignments if the splitter of the language divides one of the two sentences again, if that
    has the turns of two speakers, or if the first ends in an abbreviation, an initial or an ordinal that the
    second goes on with."""

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return `several sentences in a half`, `cut inside a sentence` or None."""
        if not self.enabled:
            return None
        if any(sentence_starts(half, alignment.two_language) for half in alignment.two):
            return "several sentences in a half"
        if cuts.is_cut(*alignment.two, alignment.two_language):
            return "cut inside a sentence"
        return None


def signature(*languages: str) -> str:
    """Return name and version of the splitter, and what finds cuts, for the key of shards."""
    return f"{SIGNATURE}, {cuts.signature(*languages)}"
