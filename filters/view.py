"""A parsed pair as rule filters see it, with the sets of words that several filters compare."""

import unicodedata
from dataclasses import replace

import regex  # type: ignore[import-untyped]

from bitext_pivot.core.records import Pair, Parse, ParsedPair

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
"""Universal parts of speech that count as content words."""
VERSION = 1
"""Part of the keys under which scores are stored. Increase it when the words of a `View` change."""
# Ordinals (`1ª`), fractions and exponents are left out, because their compatibility form means something else.
_WORDS = regex.compile(r"(?:(?![ªº])[\p{L}\p{M}\p{Nd}])+")


class View:
    """A parsed pair and its words. Each list has an item for `long` and one for each half.

    Letters and digits are in compatibility form (NFKC): `"ｔｒａｉｎ" -> "train"`.
    """

    def __init__(self, parsed: ParsedPair) -> None:
        self.language = parsed.pair.language
        self.confidences = parsed.pair.confidences
        self.translated = parsed.pair.translated
        self.pivot = parsed.pair.pivot or ""
        self.source = _to_compatibility_form(_source_text(parsed.pair))
        """The source text of the translated side, or "" if neither side was translated."""
        self.texts: list[str] = [_to_compatibility_form(text) for text in parsed.pair.texts]
        self.parses: list[Parse] = [
            _parse_to_compatibility_form(parse, text)
            for parse, text in zip(parsed.parses, parsed.pair.texts, strict=True)
        ]
        self.lengths: list[int] = [len(parse.tokens) for parse in self.parses]
        """Number of tokens in each sentence."""
        self.tokens: list[set[str]] = [set(parse.tokens) for parse in self.parses]
        """Distinct tokens of each sentence."""
        words = _consistent_lemmas(self.parses)
        self.lemmas: list[set[str]] = [set(lemmas) for lemmas in words]
        """Distinct lower-case lemmas of each sentence, including punctuation. A word has the same lemma in all
        three sentences."""
        self.content_words: list[list[str]] = [
            [lemma for lemma, pos in zip(lemmas, parse.pos, strict=True) if pos in CONTENT]
            for lemmas, parse in zip(words, self.parses, strict=True)
        ]
        """Lower-case lemmas of the content words of each sentence, in order."""
        self.content: list[set[str]] = [set(lemmas) for lemmas in self.content_words]
        """Distinct lemmas of the content words of each sentence."""


def _source_text(pair: Pair) -> str:
    """Return the text that was translated for one side of the pair, or "" for an existing pair."""
    if pair.alignment is None:
        return ""
    link = pair.alignment
    return " ".join(link.two) if pair.translated == "split" else link.one


def _to_compatibility_form(text: str) -> str:
    """Return a text with its letters and digits in compatibility form (NFKC)."""
    if unicodedata.is_normalized("NFKC", text):
        return text
    return str(_WORDS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text))


def _parse_to_compatibility_form(parse: Parse, text: str) -> Parse:
    """Return the parse of a text with tokens, lemmas and offsets in compatibility form."""
    if unicodedata.is_normalized("NFKC", text):
        return parse
    return replace(
        parse,
        tokens=tuple(map(_to_compatibility_form, parse.tokens)),
        lemmas=tuple(map(_to_compatibility_form, parse.lemmas)),
        starts=tuple(len(_to_compatibility_form(text[:start])) for start in parse.starts),
    )


def _consistent_lemmas(parses: list[Parse]) -> list[list[str]]:
    """Return the lower-case lemmas of each parse, changed so that a word has only one lemma.

    Parsers lemmatise by context: the lemma of `rained` may be `rain` in one sentence and `raine` in the next. If a
    word, compared in lower case, has several lemmas in the parses, the first lemma replaces the others. It replaces
    them for all words: if `left` has the lemmas `leave` and `left`, a token `lefts` with the lemma `left` gets `leave`,
    too. The parses are not changed.
    """
    lemma_of: dict[str, str] = {}
    same_as: dict[str, str] = {}
    for parse in parses:
        for token, lemma in zip(parse.tokens, parse.lemmas, strict=True):
            lemma = _first_lemma(lemma.lower(), same_as)
            first = _first_lemma(lemma_of.setdefault(token.lower(), lemma), same_as)
            if first != lemma:
                same_as[lemma] = first
    return [[_first_lemma(lemma.lower(), same_as) for lemma in parse.lemmas] for parse in parses]


def _first_lemma(lemma: str, same_as: dict[str, str]) -> str:
    """Follow the replacements in `same_as` from `lemma`, and return the last lemma."""
    while lemma in same_as:
        lemma = same_as[lemma]
    return lemma


def strip_accents(word: str) -> str:
    """Return a word in lower case and without accents.

    >>> strip_accents("Émile")
    'emile'
    """
    if not word.isascii():
        word = "".join(
            letter
            for letter in unicodedata.normalize("NFKD", word)
            if not unicodedata.combining(letter)
        )
    return word.lower()
