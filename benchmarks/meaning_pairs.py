"""Bad pairs made of good ones by one edit that changes what is said: negation, opposite, other word, clause, phrase.

The functions are like those of bad_pairs.py.
"""

import random
import re

from bad_pairs import GoodPair, Kind, Sentences
from changed_pairs import _CLAUSE, _FINAL, _joined, _on_a_half
from lemminflect import getInflection, getLemma

_BE = r"is|are|was|were|can|could|will|would|has|have|had|should|must|may|might"
_DO = re.compile(r"\b(do|does|did) ?(?:not|n['’]t) ([a-z]+)\b")
_NOT = re.compile(rf"\b({_BE}|do|does|did) ?(?:not|n['’]t)\b|\b(can)not\b")
_NEVER = re.compile(r"\bnever |\bno longer |\bnot (?=to |[a-z]+ing )")
_NO = re.compile(r"\b(no|No) (?=[a-z]{3,})(?!doubt|matter|one|less|more|later|longer)")
_WITHOUT = re.compile(r"\bwithout\b")
_AUXILIARY = re.compile(rf"\b({_BE})\b(?! ?n['’]t| not| no\b| never)")
_PAST = re.compile(r"\b(he|she|it|they|we|I|who|He|She|It|They|We) ([a-z]+)\b")
_WORD = re.compile(r"(?<=[a-z,] )[a-z]{4,}\b")
_PHRASE = re.compile(
    r" (?:in|on|at|for|with|from|by|of|because|after|before|when|to|during|through) [^,.;:!?]+(?=[,;:!?]|\.(?!\d))"
)
_LOST = 3  # words
OPPOSITES = (
    "accept refuse", "after before", "agree disagree", "allow forbid", "alive dead", "always never", "ancient modern",
    "arrive leave", "ask answer", "beautiful ugly", "begin end", "best worst", "better worse", "big small",
    "black white", "bought sold", "buy sell", "cheap expensive", "clean dirty", "close distant", "cold hot",
    "dangerous safe", "day night", "deep shallow", "difficult easy", "early late", "east west", "eastern western",
    "empty full", "enemy friend", "exclude include", "expand shrink", "external internal", "fail succeed", "false true",
    "female male", "few many", "first last", "found lost", "gain lose", "give take", "good bad", "growth decline",
    "happy sad", "hard soft", "heavy light", "high low", "higher lower", "highest lowest", "import export",
    "improve worsen", "increase decrease", "increased decreased", "inside outside", "large small", "largest smallest",
    "left right", "legal illegal", "less more", "long short", "longer shorter", "love hate", "major minor",
    "maximum minimum", "near far", "new old", "north south", "northern southern", "open closed", "opened closed",
    "peace war", "poor rich", "positive negative", "possible impossible", "private public", "quick slow",
    "remember forget", "rise fall", "rose fell", "same different", "start stop", "strong weak", "success failure",
    "support oppose", "thick thin", "top bottom", "upper lower", "urban rural", "victory defeat",
    "win lose", "with without", "won lost", "young old", "younger older",
)  # fmt: skip
_OPPOSITE = {a: b for words in OPPOSITES for pair in [words.split()] for a, b in (pair, pair[::-1])}


def _negation_dropped(text: str, *_: object) -> str | None:
    """Drop the first negation: `did not go` becomes `went`, `no longer is` becomes `is`."""
    if match := _DO.search(text):
        tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[match[1]]
        return (
            text[: match.start()]
            + next(iter(getInflection(match[2], tag)), match[2])
            + text[match.end() :]
        )
    for pattern, new in ((_NOT, r"\1\2"), (_NEVER, ""), (_NO, ""), (_WITHOUT, "with")):
        if pattern.search(text):
            return pattern.sub(new, text, count=1)
    return None


def _negation_added(text: str, _: GoodPair, __: GoodPair, dice: random.Random) -> str | None:
    """Negate the first auxiliary, or the first verb in the past behind a pronoun."""
    if match := _AUXILIARY.search(text):
        return text[: match.end()] + dice.choice((" not", " not", " never")) + text[match.end() :]
    for match in _PAST.finditer(text):
        lemma = next(iter(getLemma(match[2], "VERB")), "")
        if lemma != match[2] and match[2] in getInflection(lemma, "VBD"):
            return f"{text[: match.start()]}{match[1]} did not {lemma}{text[match.end() :]}"
    return None


def _opposite(text: str, source: GoodPair, _: GoodPair, dice: random.Random) -> str | None:
    """Replace a word that `long` has too by its opposite."""
    words = [
        word
        for word in re.finditer(r"\b[a-z]+\b", text)
        if word[0] in _OPPOSITE and word[0] in source.long
    ]
    if not words:
        return None
    word = dice.choice(words)
    return text[: word.start()] + _OPPOSITE[word[0]] + text[word.end() :]


def _word_swapped(text: str, source: GoodPair, donor: GoodPair, dice: random.Random) -> str | None:
    """Replace a word that `long` has too by one of the other pair: another object, another act."""
    words = [word for word in _WORD.finditer(text) if word[0] in source.long]
    others = sorted({*_WORD.findall(donor.long)} - {*_WORD.findall(source.long)})
    if not (words and others):
        return None
    word = dice.choice(words)
    return f"{text[: word.start()]}{dice.choice(others)}{text[word.end() :]}"


def _clause_made_up(text: str, _: GoodPair, donor: GoodPair, __: random.Random) -> str:
    half = min(donor.split, key=len)
    clause = half.partition(",")[0]
    return f"{_joined(text, clause if clause.count(' ') >= _CLAUSE else half).rstrip(_FINAL)} ."


def _phrase_lost(text: str, _: GoodPair, __: GoodPair, dice: random.Random) -> str | None:
    """Leave out a phrase of three words or more behind a preposition."""
    phrases = [phrase for phrase in _PHRASE.finditer(text) if phrase[0].count(" ") >= _LOST]
    if not phrases:
        return None
    phrase = dice.choice(phrases)
    return text[: phrase.start()] + text[phrase.end() :].replace(" ,", ",", 1)


def _half_says_all(source: GoodPair, _: GoodPair, dice: random.Random) -> Sentences | None:
    """Let one half say all of `long` in the words of another translator."""
    if not source.variant_long:
        return None
    if dice.randrange(2):
        return source.long, source.variant_long, source.split[1]
    return source.long, source.split[0], source.variant_long


MEANING: dict[str, Kind] = {
    "negation dropped": _on_a_half(_negation_dropped),
    "negation added": _on_a_half(_negation_added),
    "opposite": _on_a_half(_opposite),
    "word swapped": _on_a_half(_word_swapped),
    "clause made up in a half": _on_a_half(_clause_made_up),
    "phrase lost in a half": _on_a_half(_phrase_lost),
    "half says all in other words": _half_says_all,
}
