"""Sentences out of a text, by the rules and lists of abbreviations of `sentence-splitter`, which has its one door here.

The library is the Python port of the splitter that OPUS itself runs over crawled corpora (Koehn and Schroeder's rules,
`Lingua::Sentence`), so what it cuts is what OPUS cut.
"""

from functools import cache
from importlib.metadata import version
from importlib.resources import files

import regex  # type: ignore[import-untyped]
from sentence_splitter import SentenceSplitter

from pairs.errors import SettingsError

SIGNATURE = f"sentence-splitter {version('sentence-splitter')}"
"""What cuts; it belongs into the key of whatever was cut."""

# Every cut of the library is inside a match of this: a final mark, closers, a blank, openers, then a capital, a letter
# without case or a digit. The classes are the library's, by its own engine; possessive, so the time is linear.
_PERHAPS_A_CUT = regex.compile(r"""[?!.]['")\]\p{Pf}]*+[ ][ '"()\[\]\u00bf\u00a1\p{Pi}\p{Pf}]*+[\p{Lu}\p{Lo}0-9]""")


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are rules for, two letters each, sorted."""
    lists = files("sentence_splitter") / "non_breaking_prefixes"
    return tuple(sorted(path.name.removesuffix(".txt") for path in lists.iterdir() if path.name.endswith(".txt")))


class Splitter:
    """The sentence splitter of one language; a region (`pt_BR`) is read as its language."""

    def __init__(self, language: str) -> None:
        """Load the abbreviations; raises SettingsError for a language without rules."""
        if language.partition("_")[0] not in languages():
            raise SettingsError(
                f"There are no rules to split sentences of {language!r}: expected one of {', '.join(languages())}. "
                "Name a corpus that has its sentences split (XCES, forms raw and xml), or another language."
            )
        self._split = SentenceSplitter(language=language.partition("_")[0]).split

    def split(self, text: str) -> list[str]:
        """Return the sentences of a text in order, none empty, white space runs made one blank; a line end is a blank.

        A text in which no place can be a cut is not shown to the library: most lines of bitext are one sentence.
        """
        text = text.replace("\n", " ")
        parts = self._split(text) if _PERHAPS_A_CUT.search(text) else [text]
        return [sentence for sentence in (" ".join(part.split()) for part in parts) if sentence]
