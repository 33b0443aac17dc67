"""Detect sentences in another language than the expected one, with py3langid (docs/decisions/0014).

The model is part of the package; nothing is downloaded.
"""

import functools
import importlib.metadata
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any, get_args

from pydantic import Field

from bitext_pivot.alignments.screening.scripts import is_in_other_script
from bitext_pivot.core.languages import LanguageCode, digest, english_name, word_list
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings

_INDISTINGUISHABLE = {"hr": frozenset({"sr"}), "sr": frozenset({"hr"})}
"""Languages that are treated as compatible: no identifier distinguishes them by a sentence."""
SAMPLE_SIZE = 100
"""Texts of which a file's language is judged."""
_MIN_SAMPLE = 5
_WORD = re.compile(r"[^\W\d_]+")


class LanguageScreen(Settings):
    """Which alignments are in other languages."""

    enabled: bool = Field(default=True, title="On")
    """Leave out alignments with a sentence in another language, or the same text on both sides."""
    odds: float = Field(default=20.0, ge=2.0, le=1e6)
    """A sentence is in another language if the identifier finds that language this many times as likely as
    the expected one. Lower values find more, and reject more correct sentences."""
    min_letters: int = Field(default=15, ge=1, le=1000, title="Fewest letters")
    """A sentence with fewer letters outside capitalized words passes if it is in the script of its
    language."""

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return `same text on both sides`, `other language` or None."""
        if not self.enabled:
            return None
        if _same_text(alignment):
            return "same text on both sides"
        sentences = (
            (alignment.one, alignment.one_language),
            *((text, alignment.two_language) for text in alignment.two),
        )
        return (
            "other language"
            if any(self.is_foreign(text, language) for text, language in sentences)
            else None
        )

    def judges(self, alignment: Alignment) -> bool:
        """Return True if all three sentences are long enough to be checked, or the check is off."""
        return not self.enabled or all(map(self.can_tell, (alignment.one, *alignment.two)))

    def is_foreign(self, text: str, language: str) -> bool:
        """Return True if a text is not in `language`; False if it is in its script, but too short to be identified."""
        if is_in_other_script(text, language):
            return True
        if has_function_words(text, language) or not self.can_tell(
            text
        ):  # the identifier takes 40 times as long
            return False
        return odds_against(text, language) >= self.odds

    def can_tell(self, text: str) -> bool:
        """Return True if a text has enough letters outside capitalized words."""
        beginning = text[: 4 * self.min_letters]  # in most texts it has enough
        return (
            count_lowercase_word_letters(beginning) >= self.min_letters
            or count_lowercase_word_letters(text) >= self.min_letters
        )


def has_function_words(text: str, language: str) -> bool:
    """Return True if one word of five is a function word of this language alone.

    False for all texts of a language without such a list.
    """
    words = text.lower().split()
    return 5 * sum(map(_function_words(language).__contains__, words)) >= max(len(words), 1)


def odds_against(text: str, language: str) -> float:
    """Return how many times as likely as `language` the most likely other language is.

    The other languages are those of `bitext_pivot.core.languages`. The ratio of two probabilities separates wrong texts
    from right ones far better than either of them (docs/decisions/0014).
    """
    chances = dict(_identifier().rank(text))
    language_chance = chances.pop(language)
    rival = max(
        chance
        for name, chance in chances.items()
        if name not in _INDISTINGUISHABLE.get(language, ())
    )
    return rival / language_chance if language_chance > 0 else float("inf")


def detect_other_language(
    texts: Iterable[str], language: str, fewest: int = _MIN_SAMPLE
) -> str | None:
    """Return the language of most of the first texts if it is another one than `language`, else None.

    Texts that are too short do not count; fewer than `fewest` others are in no other language.
    """
    check = LanguageScreen()
    sample = [text for text in islice(texts, SAMPLE_SIZE) if check.can_tell(text)]
    foreign = [text for text in sample if check.is_foreign(text, language)]
    if len(sample) < fewest or 2 * len(foreign) <= len(sample):
        return None
    found = Counter(_identifier().classify(text)[0] for text in foreign)
    return str(found.most_common(1)[0][0])


def warn_of_other_language(name: str, texts: Iterable[str], language: str, option: str = "") -> str:
    """Return a warning if most of the first texts are in another language, else "".

    `option` is the one that names the language.
    """
    other = detect_other_language(texts, language)
    if other in {None, language}:
        return ""
    found, expected = english_name(str(other)), english_name(language)
    warning = f"Most of the first texts of {name} seem to be {found}, not {expected}."
    if option:
        warning += f" If they are, add {option} {other}."
    return warning


def count_lowercase_word_letters(text: str) -> int:
    """Count the letters of a text outside capitalized words.

    >>> evidence("Mrs Ashton met Mr Barroso."), evidence("Then it rained.")
    (3, 8)
    """
    return sum(len(word) for word in _WORD.findall(text) if not word[0].isupper())


def signature(*languages: str) -> str:
    """Return name and version of the identifier and digests of the function words, for the key of shards."""
    words = " ".join(digest(language, "identification") for language in languages)
    return f"py3langid {importlib.metadata.version('py3langid')}, words {words}, scripts 1"


def _function_words(language: str) -> frozenset[str]:
    return word_list(language, "identification", "words")


@functools.cache
def _identifier() -> Any:
    from py3langid.langid import (
        MODEL_FILE,
        LanguageIdentifier,
    )  # imports numpy, which help does without

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(get_args(LanguageCode))
    return identifier


def _same_text(alignment: Alignment) -> bool:
    """Return True if `one` has the same letters as one of the two sentences or both."""
    letters = _letters(alignment.one)
    first, second = map(_letters, alignment.two)
    return bool(letters) and letters in {first, second, first + second}


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()
