"""Split text into sentences with `sentence-splitter`, the Python port of the splitter that OPUS uses.

Its rules and abbreviations are those of Koehn and Schroeder (`Lingua::Sentence`). A list mark
(core/list_marks.py) belongs to the sentence behind it.
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

# Every split of the library is inside a match: final and closing punctuation, a space, opening punctuation, then a
# capital, a letter without case or a digit. Character classes as in the library; possessive, so the time is linear.
_POSSIBLE_SPLIT = regex.compile(
    r"""[?!.]['")\]\p{Pf}]*+[ ][ '"()\[\]\u00bf\u00a1\p{Pi}\p{Pf}]*+[\p{Lu}\p{Lo}0-9]"""
)

# Two speakers of a dialogue, which the library does not separate: `- It rained. - We left.`
_TURN = regex.compile(r"""[.?!\u2026]['")\]\p{Pf}]* [-\u2013\u2014] ?(?=\p{Lu})""")

_AT_ONCE = 50_000
"""Characters given to the library, whose time grows with the square of their number."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages with rules (two letters), sorted."""
    lists = files("sentence_splitter") / "non_breaking_prefixes"
    return tuple(
        sorted(
            path.name.removesuffix(".txt") for path in lists.iterdir() if path.name.endswith(".txt")
        )
    )


class Splitter:
    """The sentence splitter of one language."""

    def __init__(self, language: str) -> None:
        """Load the abbreviations; raises SettingsError for a language without rules."""
        if language not in languages():
            raise SettingsError(
                f"There are no rules to split sentences of {language!r}: expected one of {', '.join(languages())}. "
                "Name a corpus that has its sentences split (XCES, forms raw and xml), or another language."
            )
        self._split = SentenceSplitter(language=language).split

    def split(self, text: str) -> list[str]:
        """Return the sentences of a text in order, none empty, squeezed.

        The library is called only if a split is possible, because most lines of bitext are one sentence.
        """
        text = squeezed(text)
        parts = self._parts(text) if _POSSIBLE_SPLIT.search(text) else [text]
        sentences = [" ".join(part.split()) for part in parts]
        return with_list_marks([sentence for sentence in sentences if sentence])

    def _parts(self, text: str) -> list[str]:
        """Split a piece at a time; the last sentence of each may go on in the next."""
        parts: list[str] = []
        rest = ""
        for start in range(0, len(text), _AT_ONCE):
            piece = rest + text[start : start + _AT_ONCE]
            sentences = self._split(piece) or [""]
            parts += sentences[:-1]
            rest = sentences[-1] + piece[len(piece.rstrip()) :]
        return [*parts, rest]


def sentence_starts(text: str, language: str) -> set[int]:
    """Return where the second sentence of a text begins, and each one behind it.

    The turn of another speaker (`- It rained. - We left.`) is one, in a language without rules the only one.
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
    """Return the splitter of a language, loaded once. Raises SettingsError as `Splitter`."""
    return Splitter(language)
