"""Split text into sentences with `sentence-splitter`, the Python port of OPUS's sentence splitter.

Its rules and abbreviations come from Koehn and Schroeder (`Lingua::Sentence`). A sentence that the library divides
after an abbreviation of our own lists (core/false_boundaries.py), such as `Art. 5 Abs. | 2 Nr. 1`, is joined again. A
list mark (core/list_marks.py) belongs to the sentence after it.
"""

from functools import cache
from importlib.metadata import version
from importlib.resources import files

import regex  # type: ignore[import-untyped]
from sentence_splitter import SentenceSplitter

from bitext_pivot.core import false_boundaries
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.list_marks import VERSION as LIST_MARKS_VERSION
from bitext_pivot.core.list_marks import with_list_marks
from bitext_pivot.core.white_space import squeezed

# The library splits only inside matches of this pattern: final and closing punctuation, a space, opening punctuation,
# then a capital, a letter without case or a digit. The quantifiers are possessive, so the search takes linear time.
_POSSIBLE_SPLIT = regex.compile(
    r"""[?!.]['")\]\p{Pf}]*+[ ][ '"()\[\]\u00bf\u00a1\p{Pi}\p{Pf}]*+[\p{Lu}\p{Lo}0-9]"""
)

# The turns of two speakers, which the library does not separate: `- It rained. - We left.`
_TURN = regex.compile(r"""[.?!\u2026]['")\]\p{Pf}]* [-\u2013\u2014] ?(?=\p{Lu})""")

_AT_ONCE = 50_000
"""Number of characters passed to the library at once. Its time grows with the square of the length."""


def signature(*languages: str) -> str:
    """Return the versions of the splitter and of its rules for `languages`, for shard keys."""
    library = f"sentence-splitter {version('sentence-splitter')}, list marks {LIST_MARKS_VERSION}"
    return f"{library}, {false_boundaries.signature(*languages)}"


@cache
def languages() -> tuple[str, ...]:
    """Return the two-letter codes of the languages for which there are rules, sorted."""
    lists = files("sentence_splitter") / "non_breaking_prefixes"
    return tuple(
        sorted(
            path.name.removesuffix(".txt") for path in lists.iterdir() if path.name.endswith(".txt")
        )
    )


class Splitter:
    """The sentence splitter of one language."""

    def __init__(self, language: str) -> None:
        """Load the abbreviations of a language. Raises SettingsError if there are no rules for the language."""
        if language not in languages():
            raise SettingsError(
                f"There are no rules to split sentences of the language {language!r}: expected one of "
                f"{', '.join(languages())}. Name a corpus with split sentences (XCES, forms raw and xml), or another "
                "language."
            )
        self._language = language
        self._split = SentenceSplitter(language=language).split

    def split(self, text: str) -> list[str]:
        """Return the non-empty sentences of a text in order, with normalised whitespace.

        The library is called only if a split is possible, because most lines of bitext are one sentence.
        """
        text = squeezed(text)
        parts = self._parts(text) if _POSSIBLE_SPLIT.search(text) else [text]
        sentences = [" ".join(part.split()) for part in parts]
        sentences = [sentence for sentence in sentences if sentence]
        return with_list_marks(false_boundaries.join_sentences(sentences, self._language))

    def _parts(self, text: str) -> list[str]:
        """Split a long text in pieces, and return its sentences.

        The last sentence of each piece is split again together with the next piece, because it may continue there.
        """
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

    A dash after the end of a sentence, where another speaker begins (`- It rained. - We left.`), also begins a
    sentence. In a language without rules, only these beginnings are found.
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
    """Return the splitter of a language, loaded once.

    Raises SettingsError if there are no rules for the language.
    """
    return Splitter(language)
