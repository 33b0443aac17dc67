"""Reject pairs with words repeated over and over, as in `of the report of the report`.

This filter is not in the BiSECT paper. Endless repetition is a typical failure of translation engines. A repetition on
both sides, such as a list of equal items, is accepted. Most punctuation is ignored, because a split changes it: `New
York, New York, and ...` becomes `New York, New York.` A colon or semicolon is not ignored, because the words before it
may be the subject of the clause after it (`Other agents: other agents may ...`).

A noun or adjective that occurs twice in a row (`wild wild birds`), or a phrase of two words (`left the hall the
hall`), counts if only one side has it. Doubled function words, verbs and names are ignored, because they may be
correct (`had had`, `whoever pays pays`, `New York New York`). So are words with a comma between them (`very,
very`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_PUNCTUATION = frozenset(",.?!…")
_DOUBLED = frozenset({"NOUN", "ADJ", "VERB"})
_PHRASE_STARTS = frozenset({"ADP", "DET", "ADJ"})
_PHRASE_ENDS = frozenset({"NOUN", "PROPN", "ADJ"})
_DOUBLED_TOKENS = (
    3  # score of a doubled word or phrase on one side, equal to that of the shortest run
)


class RepetitionFilter(RuleFilter):
    """The difference between the repeated tokens in the long sentence and in a half."""

    VERSION: ClassVar[int] = 5
    max_tokens: int = Field(default=2, title="Maximum tokens", ge=0, le=1000)
    """Maximum difference, in tokens, between the longest repetition in the long sentence and in a half of the
    split. A word that occurs four times in a row counts 3, four words that occur twice count 4. A noun, an
    adjective or a phrase of two words that only one side doubles counts 3."""

    def measure(self, pair: View) -> float:
        """Return the difference between the longest repetitions in the long sentence and in a half.

        The result is 3 if only one side doubles a word (`find_doubled`).
        """
        in_long, in_first, in_second = map(find_doubled, pair.parses)
        if in_long != in_first | in_second:
            return _DOUBLED_TOKENS
        long, first, second = (longest_repetition(parse.tokens) for parse in pair.parses)
        return abs(long - max(first, second))


def longest_repetition(tokens: Sequence[str]) -> int:
    """Return the length of the longest run of tokens that repeats the tokens right before it.

    Runs of fewer than three tokens do not count.

    >>> longest_repetition("we went on and on and on and on".split())
    6
    """
    tokens = _remove_punctuation(tokens)
    trigrams = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    if len(set(trigrams)) == len(trigrams):
        return 0
    last: dict[tuple[str, ...], int] = {}
    distances: set[int] = set()
    for index, trigram in enumerate(trigrams):
        if trigram in last:
            distances.add(index - last[trigram])
        last[trigram] = index
    return max((_longest_run(tokens, distance) for distance in distances), default=0)


def find_doubled(parse: Parse) -> set[str]:
    """Return the words that a text doubles: nouns, adjectives, last words of two-word phrases.

    `"in the hall the hall" -> {"hall"}`
    """
    words, pos = [token.lower() for token in parse.tokens], parse.pos
    return {
        words[i]
        for i in range(1, len(words))
        if _is_doubled_word(parse, words, i)
        or (
            words[i - 3 : i - 1] == words[i - 1 : i + 1]
            and pos[i - 1] in _PHRASE_STARTS
            and pos[i] in _PHRASE_ENDS
        )
    }


def _is_doubled_word(parse: Parse, words: Sequence[str], i: int) -> bool:
    """Return True if a noun or adjective, except a name, equals the word before it."""
    if words[i - 1] != words[i] or not parse.tokens[i].islower():
        return False
    kinds = {*parse.pos[i - 1 : i + 1]}
    return kinds <= _DOUBLED and kinds != {"VERB"}


def _longest_run(tokens: Sequence[str], distance: int) -> int:
    """Return the length of the longest run whose tokens equal the tokens `distance` before them.

    Return 0 if the run is shorter than `distance`, or shorter than three.
    """
    longest = run = 0
    for before, after in zip(tokens, tokens[distance:], strict=False):
        run = run + 1 if before == after else 0
        longest = max(longest, run)
    return longest if longest >= max(distance, 3) else 0


def _remove_punctuation(tokens: Sequence[str]) -> list[str]:
    """Return the tokens without the first punctuation mark after each word."""
    return [
        token
        for before, token in pairwise(["", *tokens])
        if token not in _PUNCTUATION or before in _PUNCTUATION
    ]
