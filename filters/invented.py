"""Words of a translation that exist nowhere: a weak translation model makes up words and names (*theless*, *Neilnock*).

Not a filter of the paper. A word of four letters or more of the translated side is made up if the source, the human
side, and the word lists of both languages lack it (`wordfreq`, Speer 2022, doi:10.5281/zenodo.7199437). In place of the
word counts one with another ending, without its prefix, or a compound of words that the list has, by the section
`invented` of the language's file. A word that starts like one of the source is taken for a cognate, a name for its
transliteration. Acronyms, and what has hyphens, digits or capitals inside, are not looked at. Existing pairs are not
measured: without a source one published pair in 70 has such a word, half of them technical terms.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import ClassVar

import regex  # type: ignore[import-untyped]
from pydantic import Field

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import section, word_list
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View, strip_accents

_WORD = regex.compile(r"[^\w\s]*(?:\p{L}+')?([\p{L}\p{M}]{4,})(?:'\p{L}*)?[^\w\s]*")
"""A word between spaces with punctuation around it: behind an elided article, before a possessive."""
_APOSTROPHES = str.maketrans("’ʼ", "''")
_LETTERS = regex.compile(r"[\p{L}\p{M}]+")
_STEM = 4  # letters that a word with another ending, or without its prefix, has at least
_COGNATE = 5  # letters at the beginning that cognates share
_TRANSLITERATED = 3  # that two forms of a name share, as in `names`
_LONGEST = 40  # letters of a compound


class InventedFilter(RuleFilter):
    """The number of words of the translated side that neither the source, the other side nor a word list has.

    Of 1,000 sentences that people wrote it flags 2 to 3 in English, 3 to 4 in French and 12 in Spanish, half of them
    wrongly or more: for Spanish rows by a good engine set `max_words` to 1000.
    """

    UNMEASURED: ClassVar[str] = "no source, or no word list"
    LANGUAGE_SECTION: ClassVar[str] = "invented"
    max_words: int = Field(default=0, title="Maximum words", ge=0, le=1000)
    """Maximum number of words that exist nowhere. Pairs without a source, and languages without a word list, are not
    measured."""

    def measure(self, pair: View) -> float | None:
        """Return the number of different words. Raises SettingsError if the word list cannot be loaded."""
        if not pair.source or not section(pair.language, self.LANGUAGE_SECTION):
            return None
        long, *split = pair.texts
        sides = (long, " ".join(split))
        translated, human = sides if pair.translated == "long" else sides[::-1]
        return len(
            invented_words(translated, f"{human} {pair.source}", (pair.language, pair.pivot))
        )


def invented_words(translated: str, others: str, languages: tuple[str, str]) -> list[str]:
    """Return the different words of a translation that neither other texts nor the lists of languages have.

    `languages` are that of the translation and that of its source.
    """
    language, pivot = languages
    known = {strip_accents(word) for word in _LETTERS.findall(others)}
    cognates = {word[:_COGNATE] for word in known}
    names = {word[:_TRANSLITERATED] for word in known}
    found = []
    for chunk in dict.fromkeys(translated.translate(_APOSTROPHES).split()):
        match = _WORD.fullmatch(chunk)
        if match is None or not match[1][1:].islower():
            continue
        plain = strip_accents(match[1])
        is_alike = plain[:_COGNATE] in cognates
        if match[1][0].isupper():
            is_alike = plain[:_TRANSLITERATED] in names
        word = match[1].casefold()  # `ss` for `ß`, as the lists have it
        if not (plain in known or is_alike or word in _listed(pivot) or _exists(word, language)):
            found.append(match[1])
    return list(dict.fromkeys(found))


def _exists(word: str, language: str) -> bool:
    """Return True if a list has a word, or another form of it, or the words that it is made of."""
    listed = _listed(language)
    if word in listed:
        return True
    forms = [word]
    for prefix in word_list(language, "invented", "prefixes"):
        if word.startswith(prefix) and len(word) >= len(prefix) + _STEM:
            forms.append(word.removeprefix(prefix))
    return any(
        form in listed
        or not listed.keys().isdisjoint(_with_other_endings(form, language))
        or _is_compound(form, language)
        for form in forms
    )


def _with_other_endings(word: str, language: str) -> Iterator[str]:
    """Yield what may be other forms of a word: each of its endings replaced by each of the language's, or by none."""
    endings = word_list(language, "invented", "endings") | {""}
    for ending in endings:
        if word.endswith(ending) and len(word) >= len(ending) + _STEM:
            stem = word.removesuffix(ending)
            for other in endings:
                yield stem + other


def _is_compound(word: str, language: str) -> bool:
    """Return True if a word is listed words in a row, perhaps with letters that link them."""
    shortest = section(language, "invented").get("compounds")
    if shortest is None or len(word) > _LONGEST:
        return False
    listed = _listed(language)
    links = word_list(language, "invented", "links") | {""}
    ends = {0}  # of the parts that were found so far
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
def _listed(language: str) -> Mapping[str, float]:
    """Return the words of a language in lower case as keys; none for a language without a list.

    Loaded when first needed, once in a process. Raises SettingsError if the package cannot give the list.
    """
    name = section(language, "invented").get("wordfreq")
    if name is None:
        return {}
    try:
        import wordfreq

        listed: Mapping[str, float] = wordfreq.get_frequency_dict(name, wordlist="large")
    except (ImportError, LookupError, OSError, ValueError) as error:
        raise SettingsError(
            f"The package wordfreq gives no word list {name!r} for the filter `invented` ({error}). Expected one "
            f"that wordfreq.available_languages('large') names, in [invented] of core/languages/{language}.toml; "
            "if it names this one, install wordfreq again."
        ) from error
    return listed
