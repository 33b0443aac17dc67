"""Flesch-Kincaid grade level of English text (Kincaid et al. 1975), computed as in BiSECT's Table 5.

    0.39 * words / sentences + 11.8 * syllables / words - 15.59        over all lines

Texts are lowercased, punctuation tokens count as words, and Punkt finds the sentences; separators are ignored. A word
has as many syllables as its longest pronunciation in CMUdict. For other words the rules of D. Sucher
(github.com/DanielleSucher/Nantucket) are used, including their oddities, because published figures depend on them.
"""

import gzip
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

from bitext_pivot.research.metrics.metric import OutputMetric
from bitext_pivot.research.metrics.segmentation import lowered, punkt_sentences, tokens

_CONTRACTIONS = {"n't", "'re", "'s", "'ll", "'ve", "'d", "'m"}
_VOWELS = re.compile("[aeiouy]+")
_DIGRAPHS = frozenset("ai au ay ea ee ei ey oa oe oi oo ou oy ua ue ui".split())
_SILENT = re.compile(r"(?<=\w)(?:ion|ious|es|[^lr]e)(?![a-z'])")


@cache
def _cmudict() -> dict[str, int]:
    """Return the number of syllables of each word in cmudict.txt.gz.

    Each line of the file has a number of syllables, and all words that have this number.
    """
    with gzip.open(Path(__file__).with_name("cmudict.txt.gz"), "rt", encoding="utf-8") as file:
        return {word: int(count) for count, *words in map(str.split, file) for word in words}


def syllables(word: str) -> int:
    """Return the number of syllables of a lowercase word.

    >>> [syllables(word) for word in ["rephrase", "n't", "1996", "randomised", "blork", "-lrb-"]]
    [2, 1, 1, 4, 5, 5]
    """
    if word in _CONTRACTIONS:
        return 1
    count = _cmudict().get(word)
    return _estimate(word) if count is None else count


def _estimate(word: str) -> int:
    """Estimate the number of syllables of a word by its groups of vowels.

    These are the rules of D. Sucher, in which a word with at most one group has one syllable per letter.
    """
    groups = _VOWELS.findall(word)
    if word.isdigit():
        return 1
    if len(groups) <= 1:
        return len(word)
    may_be_two = groups if word[0] in "aeiouy" else groups[1:]
    count = len(groups) + sum(len(group) > 1 and group not in _DIGRAPHS for group in may_be_two)
    count += sum(map(str.isdigit, word)) + ("'ve" in word or "n't" in word)
    return count - (_SILENT.search(word) is not None)


class Fkgl(OutputMetric):
    """Flesch-Kincaid grade level of the outputs, in US school years; lower is simpler."""

    name = "FKGL"
    details: ClassVar = {"syllables": "cmudict"}

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the numbers of words, sentences and syllables of one output."""
        text = " ".join(lowered(output, self._tokenizer))
        words = tokens(text, self._tokenizer)
        return [len(words), len(punkt_sentences(text)), sum(map(syllables, words))]

    def score(self, sums: Sequence[float]) -> float:
        """Return the grade level, or 0 if the outputs have no words."""
        words, count, spoken = map(float, sums)
        return 0.39 * words / count + 11.8 * spoken / words - 15.59 if words else 0.0
