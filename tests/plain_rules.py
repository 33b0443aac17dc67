"""The cheap filters' rules said plainly, a pair at a time and with sets: what the fast ones are measured by."""

import re
from collections.abc import Callable

from filters import components, numbers, repetition, tags, verbs
from filters import language as languages
from filters.pasted import Pasted
from pairs.grammar import Grammar
from pairs.records import Parse, ParsedPair

_CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"}


def lemmas(parse: Parse) -> set[str]:
    """All lemmas, punctuation included."""
    return {lemma.lower() for lemma in parse.lemmas}


def content(parse: Parse) -> set[str]:
    """The lemmas of content words."""
    return {lemma.lower() for lemma, pos in zip(parse.lemmas, parse.pos, strict=True) if pos in _CONTENT}


def _sides(pair: ParsedPair) -> tuple[Parse, Parse, Parse]:
    return pair.long, *pair.split


def _texts(pair: ParsedPair) -> tuple[str, str, str]:
    return pair.pair.long, *pair.pair.split


def overlap(pair: ParsedPair) -> float:
    """The paper's r."""
    long, first, second = map(lemmas, _sides(pair))
    if not (long and first and second):
        return 0.0
    both = long & (first | second)
    return min(len(both) / len(long), len(long & first) / len(first), len(long & second) / len(second))


def copied(pair: ParsedPair) -> float:
    """The share of long that one half has."""
    long, *halves = map(content, _sides(pair))
    return max(len(long & half) for half in halves) / len(long) if long else 0.0


def halves(pair: ParsedPair) -> float:
    """The share of a half that long has."""
    long, *both = map(content, _sides(pair))
    return min(len(half & long) / len(half) if half else 1.0 for half in both)


def addition(pair: ParsedPair) -> float:
    """The words that a half adds."""
    long, first, second = map(content, _sides(pair))
    return float(min(len((long & first) - second), len((long & second) - first)))


def length(pair: ParsedPair) -> float:
    """Tokens of both halves for each of long, within 2 to 250."""
    long, first, second = (len(side.tokens) for side in _sides(pair))
    return (first + second) / long if min(long, first, second) >= 2 and max(long, first, second) <= 250 else 0.0


def tagged(pair: ParsedPair) -> float:
    """Sentences with a tag."""
    return float(sum(bool(tags.PATTERN.search(text)) for text in _texts(pair)))


def pasted(pair: ParsedPair) -> float:
    """Tokens with punctuation inside."""
    return float(sum(Pasted().count(text, pair.pair.language) for text in _texts(pair)))


def fewest_verbs(pair: ParsedPair) -> float:
    """Verbs of the poorest sentence by its tags; where there are none, by all witnesses."""
    by_tag = min(sum(pos in {"VERB", "AUX"} for pos in side.pos) for side in _sides(pair))
    return float(by_tag or verbs.fewest(pair))


def foreign(pair: ParsedPair) -> float:
    """The share of another language's words."""
    return max(languages.foreign_share(side, pair.pair.language) for side in _sides(pair))


def repeated(pair: ParsedPair) -> float:
    """How much longer one side's repetition is."""
    long, *both = (repetition.repeated(side.tokens) for side in _sides(pair))
    return float(abs(long - max(both)))


def open_ends(pair: ParsedPair) -> float:
    """Sentences that lack the closing mark which their counterpart has."""
    long, first, second = _texts(pair)
    if not is_closed(long):
        one, two, three = (len(side.tokens) for side in _sides(pair))
        return float(is_closed(second) and two + three > 1.1 * one)
    begins_anew = [letter.isupper() for letter in second if letter.isalpha()][:1] == [True]
    return float((not is_closed(second)) + (not is_closed(first) and begins_anew))


def is_closed(text: str) -> bool:
    """Tell whether nothing but other marks stands behind the last closing mark, which is among the last twelve."""
    text = text[-12:]
    last = max((place for place, mark in enumerate(text) if mark in ".?!:;…؟。！？"), default=len(text))
    return last < len(text) and re.search(r"\w", text[last:]) is None


def trees(pair: ParsedPair) -> float:
    """Trees of long that begin as sentences do, where there is more than one."""
    grammar = Grammar(pair.long, pair.pair.language)
    return float(components.sentences(grammar) if len(grammar.roots) > 1 else 1)


def exchanged(pair: ParsedPair) -> float:
    """Names of one side that stand in another's place."""
    one, two = [pair.long], [*pair.split]
    return float(min(len(names(one) - stems(two)), len(names(two) - stems(one))))


def names(sides: list[Parse]) -> set[str]:
    """The stems of proper nouns with a capital and more letters, the first word left out."""
    words = [word for side in sides for word in list(zip(side.tokens, side.pos, strict=True))[1:]]
    return {word[:4].lower() for word, pos in words if pos == "PROPN" and word[0].isupper() and word[1:].isalpha()}


def stems(sides: list[Parse]) -> set[str]:
    """The stems of all words."""
    return {word[:4].lower() for side in sides for word in side.tokens}


RULES: dict[str, Callable[[ParsedPair], float]] = {
    "pasted": pasted,
    "components": trees,
    "verbs": fewest_verbs,
    "overlap": overlap,
    "length": length,
    "endings": open_ends,
    "tags": tagged,
    "language": foreign,
    "repetition": repeated,
    "copied": copied,
    "halves": halves,
    "numbers": lambda pair: float(numbers.changed(pair.pair)),
    "names": exchanged,
    "addition": addition,
}
"""By the filter's name; of filters that choose suspects first, the rule that they put to these."""
