"""A parsed pair as rule filters see it, with the word sets that several of them compare."""

import unicodedata
from dataclasses import replace

import regex  # type: ignore[import-untyped]

from bitext_pivot.core.records import Pair, Parse, ParsedPair

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
"""Parts of speech of content words."""
VERSION = 1
"""Version of the words that filters compare, for the key of scores."""
# Not ordinals (`1ª`), fractions and exponents, which mean something else in compatibility form.
_WORDS = regex.compile(r"(?:(?![ªº])[\p{L}\p{M}\p{Nd}])+")


class View:
    """A parsed pair and its words. Every list has entries for `long`, first and second half.

    Letters and digits are in compatibility form (NFKC): `ｔｒａｉｎ` is `train`.
    """

    def __init__(self, parsed: ParsedPair) -> None:
        self.language = parsed.pair.language
        self.confidences = parsed.pair.confidences
        self.translated = parsed.pair.translated
        self.pivot = parsed.pair.pivot or ""
        self.source = _compatible(_source(parsed.pair))
        """What was translated, as one text; "" if it is not known."""
        self.texts: list[str] = [_compatible(text) for text in parsed.pair.texts]
        self.parses: list[Parse] = [
            _compatible_parse(parse, text)
            for parse, text in zip(parsed.parses, parsed.pair.texts, strict=True)
        ]
        self.lengths: list[int] = [len(parse.tokens) for parse in self.parses]
        """Number of tokens."""
        self.tokens: list[set[str]] = [set(parse.tokens) for parse in self.parses]
        """Different tokens."""
        words = _consistent_lemmas(self.parses)
        self.lemmas: list[set[str]] = [set(lemmas) for lemmas in words]
        """Different lemmas in lower case, punctuation included; a word has the same lemma in all texts."""
        self.content_words: list[list[str]] = [
            [lemma for lemma, pos in zip(lemmas, parse.pos, strict=True) if pos in CONTENT]
            for lemmas, parse in zip(words, self.parses, strict=True)
        ]
        """Lemmas of the content words in lower case, in order."""
        self.content: list[set[str]] = [set(lemmas) for lemmas in self.content_words]
        """Different words of `content_words`."""


def _source(pair: Pair) -> str:
    """Return the foreign side of a pair; "" for an existing pair."""
    if pair.alignment is None:
        return ""
    link = pair.alignment
    return " ".join(link.two) if pair.translated == "split" else link.one


def _compatible(text: str) -> str:
    """Return a text with its letters and digits in compatibility form (NFKC)."""
    if unicodedata.is_normalized("NFKC", text):
        return text
    return str(_WORDS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text))


def _compatible_parse(parse: Parse, text: str) -> Parse:
    """Return the parse of a text with tokens, lemmas and offsets of its compatible form."""
    if unicodedata.is_normalized("NFKC", text):
        return parse
    return replace(
        parse,
        tokens=tuple(map(_compatible, parse.tokens)),
        lemmas=tuple(map(_compatible, parse.lemmas)),
        starts=tuple(len(_compatible(text[:start])) for start in parse.starts),
    )


def _consistent_lemmas(parses: list[Parse]) -> list[list[str]]:
    """Return the lemmas of parses in lower case; those that a parser gives to one word count as one lemma.

    Parsers lemmatize by context: `rained` may be `rain` in one sentence and `raine` in the next.
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
    """Return the lemma for which a lemma stands."""
    while lemma in same_as:
        lemma = same_as[lemma]
    return lemma


def strip_accents(word: str) -> str:
    """Return a word in lower case, without the accents of its letters.

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
