"""Split text into sentences with `sentence-splitter`, the Python port of OPUS's sentence splitter.

Its rules and abbreviations come from Koehn and Schroeder (`Lingua::Sentence`). A list mark (core/list_marks.py)
belongs to the sentence after it.
"""

from functools import cache
from importlib.metadata import version
from importlib.resources import files

import regex  # type: ignore[import-untyped]
from sentence_splitter import SentenceSplitter

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.list_marks import VERSION, with_list_marks
from bitext_pivot.core.white_space import squeezed

SIGNATURE = f"sentence-splitter {version('sentence-splitter')}, list marks {VERSION}"
"""Name and version of the splitter, for the keys of shards."""

# The library splits only inside matches of this pattern: final and closing punctuation, a space, opening punctuation,
# then a capital, a letter without case or a digit. The quantifiers are possessive, so the search takes linear time.
_POSSIBLE_SPLIT = regex.compile(
    r"""[?!.]['")\]\p{Pf}]*+[ ][ '"()\[\]\u00bf\u00a1\p{Pi}\p{Pf}]*+[\p{Lu}\p{Lo}0-9]"""
)

# The turns of two speakers, which the library does not separate: `- It rained. - We left.`
_TURN = regex.compile(r"""[.?!\u2026]['")\]\p{Pf}]* [-\u2013\u2014] ?(?=\p{Lu})""")

_AT_ONCE = 50_000
"""Characters passed to the library at once, because its time grows with the square of their number."""


@cache
def languages() -> tuple[str, ...]:
    """Return the two-letter codes of the languages that have rules, sorted."""
    lists = files("sentence_splitter") / "non_breaking_prefixes"
    return tuple(
        sorted(
            path.name.removesuffix(".txt") for path in lists.iterdir() if path.name.endswith(".txt")
        )
    )


class Splitter:
    """The sentence splitter of one language."""

    def __init__(self, language: str) -> None:
        """Load the abbreviations of a language. Raises SettingsError if it has no rules."""
        if language not in languages():
            raise SettingsError(
                f"There are no rules to split sentences of the language {language!r}: expected one of "
                f"{', '.join(languages())}. Name a corpus with split sentences (XCES, forms raw and xml), or another "
                "language."
            )
        self._split = SentenceSplitter(language=language).split

    def split(self, text: str) -> list[str]:
        """Return the non-empty sentences of a text in order, with normalised whitespace.

        The library is called only if a split is possible, because most lines of bitext are one sentence.
        """
        text = squeezed(text)
        parts = self._parts(text) if _POSSIBLE_SPLIT.search(text) else [text]
        sentences = [" ".join(part.split()) for part in parts]
        return with_list_marks([sentence for sentence in sentences if sentence])

    def _parts(self, text: str) -> list[str]:
        """Split a long text in pieces. The last sentence of a piece may continue in the next piece."""
        parts: list[str] = []
        rest = ""
        for start in range(0, len(text), _AT_ONCE):
            piece = rest + text[start : start + _AT_ONCE]
            sentences = self._split(piece) or [""]
            parts += sentences[:-1]
            rest = sentences[-1] + piece[len(piece.rstrip()) :]
        return [*parts, rest]


def sentence_starts(text: str, language: str) -> set[int]:
    """Return the offsets at which the second and each later sentence of a text begin.

    The turn of another speaker (`- It rained. - We left.`) also begins a sentence. In a language without rules, only
    turns are found.
    """
    starts = {match.end() for match in _TURN.finditer(text)}
    if language not in languages():
        return starts
    place = 0
    for sentence in splitter(language).split(text):
        place = text.index(sentence.partition(" ")[0], place)
        starts.add(place)
        place += len(sentence)
    return starts - {0}


@cache
def splitter(language: str) -> Splitter:
    """Return the splitter of a language, loaded once. Raises SettingsError if the language has no rules."""
    return Splitter(language)
