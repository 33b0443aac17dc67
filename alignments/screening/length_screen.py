"""Skip alignments because of the lengths of their sentences."""

import re

from pydantic import Field

from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings

_WORD = re.compile(r"[^\W\d_]+")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_SYLLABLE = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


class LengthScreen(Settings):
    """Minimum length of a sentence, and maximum difference in length between the two sides."""

    min_words: int = Field(default=2, ge=0, le=100, title="Minimum words")
    """Skip an alignment if a sentence has fewer words. Numbers do not count as words. In scripts without
    spaces, each character counts as a word."""
    max_ratio: float | None = Field(default=2.0, ge=1.0, le=100.0, title="Maximum length ratio")
    """Skip an alignment if one side has more than this many times the characters of the other. A Chinese
    character counts as three characters, kana and hangul as two. If it is empty, any ratio is accepted."""

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return `too few words`, `length ratio` or None."""
        if any(count_words(text) < self.min_words for text in (alignment.one, *alignment.two)):
            return "too few words"
        if self.max_ratio is None:
            return None
        widths = weighted_length(alignment.one), sum(map(weighted_length, alignment.two))
        return "length ratio" if max(widths) > self.max_ratio * min(widths) else None


def count_words(text: str) -> int:
    """Return the number of words, without numbers. In scripts without spaces, count characters.

    >>> count_words("On 3 May it rained."), count_words("雨が")
    (4, 2)
    """
    return (
        len(_WORD.findall(text))
        if text.isascii()
        else len(_WORD.findall(_UNSPACED.sub(" a ", text)))
    )


def weighted_length(text: str) -> int:
    """Return the length in characters, where an ideograph counts as three and a kana or hangul as two.

    >>> weighted_length("rain"), weighted_length("雨が")
    (4, 5)
    """
    return (
        len(text)
        if text.isascii()
        else len(text) + 2 * len(_IDEOGRAPH.findall(text)) + len(_SYLLABLE.findall(text))
    )
