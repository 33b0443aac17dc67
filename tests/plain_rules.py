"""The cheap filters' rules said plainly, a pair at a time and with sets: what the fast ones are measured by."""

from collections.abc import Callable

from filters import language as languages
from filters import names, numbers, repetition, tags, verbs
from filters.pasted import Pasted
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


RULES: dict[str, Callable[[ParsedPair], float]] = {
    "pasted": pasted,
    "verbs": fewest_verbs,
    "overlap": overlap,
    "length": length,
    "tags": tagged,
    "language": foreign,
    "repetition": repeated,
    "copied": copied,
    "halves": halves,
    "numbers": lambda pair: float(numbers.changed(pair.pair)),
    "names": lambda pair: float(names.changed((pair.long,), pair.split)),
    "addition": addition,
}
"""By the filter's name; of filters that choose suspects first, the rule that they put to these."""
