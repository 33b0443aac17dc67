"""Detect sentences in the wrong language with py3langid (docs/decisions/0014).

The model is part of the package, so nothing is downloaded.
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
"""Other languages accepted for each language.

A single sentence is not enough to distinguish them.
"""
SAMPLE_SIZE = 100
"""Maximum number of texts that are read to identify the language of a file."""
_MIN_SAMPLE = 5
_WORD = re.compile(r"[^\W\d_]+")


class LanguageScreen(Settings):
    """Which alignments are skipped because of their language."""

    enabled: bool = Field(default=True, title="On")
    """Skip alignments that have a sentence in another language, or the same text on both sides."""
    odds: float = Field(default=20.0, ge=2.0, le=1e6)
    """A sentence counts as another language if the identifier finds that language this many times as likely
    as the expected language. Lower values find more such sentences, but also reject more correct
    sentences."""
    min_letters: int = Field(default=15, ge=1, le=1000, title="Minimum letters")
    """Minimum number of letters that a sentence needs to be identified, not counting capitalized words. A
    shorter sentence passes if it is written in the script of its language."""

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
            if any(self.is_in_other_language(text, language) for text, language in sentences)
            else None
        )

    def can_check(self, alignment: Alignment) -> bool:
        """Return True if each of the three sentences is long enough to identify its language.

        Also returns True if this check is switched off.
        """
        return not self.enabled or all(map(self.can_identify, (alignment.one, *alignment.two)))

    def is_in_other_language(self, text: str, language: str) -> bool:
        """Return True if a text is not in `language`.

        For a text that is too short to identify its language, only the script is checked.
        """
        if is_in_other_script(text, language):
            return True
        # these two tests spare the identifier, which takes 40 times as long
        if has_function_words(text, language) or not self.can_identify(text):
            return False
        return odds_against(text, language) >= self.odds

    def can_identify(self, text: str) -> bool:
        """Return True if a text is long enough to identify its language: its capitalized words do not count."""
        beginning = text[: 4 * self.min_letters]  # enough for most texts
        return (
            count_lowercase_word_letters(beginning) >= self.min_letters
            or count_lowercase_word_letters(text) >= self.min_letters
        )


def has_function_words(text: str, language: str) -> bool:
    """Return True if at least a fifth of a text's words are function words of this language alone.

    Always returns False for a language without a list of function words.
    """
    words = text.lower().split()
    return 5 * sum(map(_function_words(language).__contains__, words)) >= max(len(words), 1)


def odds_against(text: str, language: str) -> float:
    """Return the odds that a text is in another language: p(most likely other language) / p(`language`).

    The other languages are all languages of `bitext_pivot.core.languages`. The ratio of two probabilities separates
    wrong from right texts far better than either probability (docs/decisions/0014).
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
    texts: Iterable[str], language: str, min_texts: int = _MIN_SAMPLE
) -> str | None:
    """Return the most likely language of the first texts if most are not in `language`, or None.

    Texts that are too short are ignored. Returns None if fewer than `min_texts` texts remain.
    """
    check = LanguageScreen()
    sample = [text for text in islice(texts, SAMPLE_SIZE) if check.can_identify(text)]
    foreign = [text for text in sample if check.is_in_other_language(text, language)]
    if len(sample) < min_texts or 2 * len(foreign) <= len(sample):
        return None
    languages = Counter(_identifier().classify(text)[0] for text in foreign)
    return str(languages.most_common(1)[0][0])


def warn_of_other_language(name: str, texts: Iterable[str], language: str, option: str = "") -> str:
    """Return a warning if most of the first texts are in another language, otherwise "".

    The warning suggests `option`, the command-line option that sets the language. `name` describes the texts.
    """
    other = detect_other_language(texts, language)
    if other in {None, language}:
        return ""
    detected, expected = english_name(str(other)), english_name(language)
    warning = f"Most of the first texts of {name} seem to be {detected}, not {expected}."
    if option:
        warning += f" If they are, add {option} {other}."
    return warning


def count_lowercase_word_letters(text: str) -> int:
    """Count the letters of a text outside capitalized words.

    >>> count_lowercase_word_letters("Mrs Ashton met Mr Barroso.")
    3
    >>> count_lowercase_word_letters("Then it rained.")
    8
    """
    return sum(len(word) for word in _WORD.findall(text) if not word[0].isupper())


def signature(*languages: str) -> str:
    """Return the identifier's version and the digests of the function words, for shard keys."""
    words = " ".join(digest(language, "identification") for language in languages)
    return f"py3langid {importlib.metadata.version('py3langid')}, words {words}, scripts 1"


def _function_words(language: str) -> frozenset[str]:
    return word_list(language, "identification", "words")


@functools.cache
def _identifier() -> Any:
    # imported here because py3langid imports numpy, which `--help` does not need
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(get_args(LanguageCode))
    return identifier


def _same_text(alignment: Alignment) -> bool:
    """Return True if `one` has the same letters as a sentence of `two`, or as both together."""
    letters = _letters(alignment.one)
    first, second = map(_letters, alignment.two)
    return bool(letters) and letters in {first, second, first + second}


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()
