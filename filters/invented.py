"""Reject translations with invented words, which weak models produce, such as *theless*.

This filter is not in the BiSECT paper. A word of four letters or more in the translated text counts as invented if
it is not in the source, in the other side, which a person wrote, or in the word lists of the two languages
(`wordfreq`, Speer 2022, doi:10.5281/zenodo.7199437). A word also counts as known if it is in a list with another
inflectional ending or without its prefix, or if it is a compound of words in the list; the section `invented` of
the language's data file has the endings, prefixes and rules. A word that begins like a word of the source is
accepted as a cognate, and a name as a transliteration. Acronyms and words with hyphens, slashes, commas, digits or
inner capitals are ignored. Existing pairs are not measured: without a source, one published pair in 70 has such a
word, and half of these are technical terms.
"""

import functools
import unicodedata
from collections.abc import Iterator, Mapping
from typing import ClassVar

import regex  # type: ignore[import-untyped]
from pydantic import Field

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import section, word_list
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View, strip_accents

_WORD = regex.compile(
    r"[^\w\s]*(?:\p{L}+')?(?!\p{L}{1,3}n't\b)([\p{L}\p{M}]{4,}?)(?:n't|'\p{L}*)?[^\w\s]*",
    regex.IGNORECASE,
)
"""A word between spaces, possibly with an elided article, a possessive ending, `n't` and punctuation around it."""
_APOSTROPHES = str.maketrans("’ʼ", "''")
_LETTERS = regex.compile(r"[\p{L}\p{M}]+")
_STEM = 4  # minimum letters of a word without its ending or its prefix
_COGNATE = 5  # first letters that cognates share
_TRANSLITERATED = 3  # first letters that two forms of a name share, as in `names`
_LONGEST = 40  # maximum letters of a compound


class InventedFilter(RuleFilter):
    """The number of words in the translated text that occur in no other text and no word list.

    It rejects 2 to 3 of 1,000 human-written sentences in English, 3 to 4 in French and 12 in Spanish, and at least
    half of these wrongly. For translations into Spanish by a good engine, set `max_words` to 1000.
    """

    UNMEASURED: ClassVar[str] = "no source, or no word list"
    LANGUAGE_SECTION: ClassVar[str] = "invented"
    VERSION: ClassVar[int] = 2
    max_words: int = Field(default=0, title="Maximum words", ge=0, le=1000)
    """Maximum number of invented words. Existing (untranslated) pairs, and languages without a word list, are not
    measured."""

    def measure(self, pair: View) -> float | None:
        """Return the number of distinct invented words, or None without a source or a word list.

        Raises SettingsError if the word list cannot be loaded.
        """
        if not pair.source or not section(pair.language, self.LANGUAGE_SECTION):
            return None
        long, *split = pair.texts
        sides = (long, " ".join(split))
        translated, human = sides if pair.translated == "long" else sides[::-1]
        return len(
            invented_words(translated, f"{human} {pair.source}", (pair.language, pair.pivot))
        )


def invented_words(translated: str, others: str, languages: tuple[str, str]) -> list[str]:
    """Return the distinct words of a translation that neither `others` nor a word list contains.

    `others` contains the other texts, `languages` the languages of the translation and of its source.
    """
    language, pivot = languages
    known = {strip_accents(word) for word in _LETTERS.findall(others)}
    cognates = {word[:_COGNATE] for word in known}
    names = {word[:_TRANSLITERATED] for word in known}
    invented = []
    composed = unicodedata.normalize("NFC", translated)
    for chunk in dict.fromkeys(composed.translate(_APOSTROPHES).split()):
        match = _WORD.fullmatch(chunk)
        if match is None or not match[1][1:].islower():
            continue
        plain = strip_accents(match[1])
        is_alike = plain[:_COGNATE] in cognates
        if match[1][0].isupper():
            is_alike = plain[:_TRANSLITERATED] in names
        word = match[1].casefold()  # replaces `ß` by `ss`, as in the lists
        if not (
            plain in known
            or is_alike
            or word in _load_word_list(pivot)
            or _is_listed(word, language)
        ):
            invented.append(match[1])
    return list(dict.fromkeys(invented))


def _is_listed(word: str, language: str) -> bool:
    """Return True if the word list has a word, another form of it, or all parts of a compound."""
    listed = _load_word_list(language)
    if word in listed:
        return True
    forms = [word]
    for prefix in word_list(language, "invented", "prefixes"):
        if word.startswith(prefix) and len(word) >= len(prefix) + _STEM:
            forms.append(word.removeprefix(prefix))
    return any(
        form in listed
        or not listed.keys().isdisjoint(_other_forms(form, language))
        or _is_compound(form, language)
        for form in forms
    )


def _other_forms(word: str, language: str) -> Iterator[str]:
    """Yield possible forms of a word with another inflectional ending, such as `cat` for `cats`."""
    endings = word_list(language, "invented", "endings") | {""}
    for ending in endings:
        if word.endswith(ending) and len(word) >= len(ending) + _STEM:
            stem = word.removesuffix(ending)
            for new_ending in endings:
                yield stem + new_ending


def _is_compound(word: str, language: str) -> bool:
    """Return True if a word consists of listed words and linking letters, as in `Arbeit-s-tag`."""
    shortest = section(language, "invented").get("compounds")
    if shortest is None or len(word) > _LONGEST:
        return False
    listed = _load_word_list(language)
    links = word_list(language, "invented", "links") | {""}
    ends = {0}  # offsets up to which the word consists of listed words
    for end in range(shortest, len(word) + 1):
        parts = {
            word[start:end].removesuffix(link)
            for start in ends
            if start + shortest <= end
            for link in links
        }
        if any(part in listed for part in parts if len(part) >= shortest):
            ends.add(end)
    return len(word) in ends


@functools.cache
def _load_word_list(language: str) -> Mapping[str, float]:
    """Return the word list of a language, with lower-case words as keys, or {} if it has none.

    The list is loaded at first use, once per process. Raises SettingsError if wordfreq cannot load it.
    """
    name = section(language, "invented").get("wordfreq")
    if name is None:
        return {}
    try:
        import wordfreq

        listed: Mapping[str, float] = wordfreq.get_frequency_dict(name, wordlist="large")
    except (ImportError, LookupError, OSError, ValueError) as error:
        raise SettingsError(
            f"The package wordfreq cannot load the word list {name!r} for the filter invented ({error}). Install "
            "wordfreq again, or name a list of wordfreq.available_languages('large') in the section invented of "
            f"core/languages/{language}.toml."
        ) from error
    return listed
