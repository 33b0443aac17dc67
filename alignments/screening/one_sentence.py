"""Skip alignments in which one of the two sentences is really two, or only a part of one.

In documents of OPUS, some sentence elements contain two sentences, because a tab or an invisible character hid the
boundary, or because one subtitle has the turns of two speakers. Others end too early, after an abbreviation or an
ordinal (`am 6. | Dezember`, `el sr. | Brown`). The translation would hide such an error: *... on the 6th. December
begins ...*
"""

from pydantic import Field

from bitext_pivot.core import false_boundaries
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import sentence_starts


class OneSentenceScreen(Settings):
    """Whether each half of an alignment must be exactly one sentence."""

    enabled: bool = Field(default=True, title="On")
    """Skip an alignment if the sentence splitter of the language divides one of the two sentences again, if
    one of them contains the turns of two speakers, or if the first ends in an abbreviation, an initial or
    an ordinal and the second continues it."""

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return `several sentences in a half`, `cut inside a sentence` or None."""
        if not self.enabled:
            return None
        if any(sentence_starts(half, alignment.two_language) for half in alignment.two):
            return "several sentences in a half"
        if false_boundaries.is_false_boundary(*alignment.two, alignment.two_language):
            return "cut inside a sentence"
        return None
