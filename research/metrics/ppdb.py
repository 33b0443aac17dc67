"""Rewrite references with the paraphrases that an output uses (BiSECT, section 5.1, and its released metrics).

Without this, SARI and BLEU punish rephrasing. With it, each system is compared with different references.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from simplediff import diff

_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Paraphrases:
    """Pairs of phrases with the same meaning. `digest` identifies them in metric signatures."""

    pairs: frozenset[tuple[str, str]]
    digest: str

    @classmethod
    def of(cls, lines: Sequence[str]) -> "Paraphrases":
        """Parse lines of the form `phrase<TAB>phrase`, ignoring further columns."""
        rows = [line.split("\t") for line in lines]
        pairs = frozenset((row[0], row[1]) for row in rows if len(row) > 1 and row[0] and row[1])
        return cls(pairs, hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8])

    def has(self, left: str, right: str) -> bool:
        """Return True if the two phrases are paraphrases, in either order."""
        return (left, right) in self.pairs or (right, left) in self.pairs


def rewritten(reference: _Words, output: _Words, ppdb: Paraphrases | None) -> _Words:
    """Return the reference with phrases replaced by their paraphrases in the output.

    Phrases are compared only if `simplediff` finds them in one of the two texts and not in the other. A second pass
    compares single words. Each phrase of the output is used at most once.
    """
    if ppdb is None:
        return reference
    once = _replaced(reference, output, ppdb, by_word=False)
    return tuple(" ".join(_replaced(once, output, ppdb, by_word=True)).split())


def _replaced(reference: _Words, output: _Words, ppdb: Paraphrases, *, by_word: bool) -> _Words:
    """Return the reference after one pass of replacements by paraphrases.

    Without `by_word`, consecutive words that differ are compared as one phrase, which becomes one item of the result,
    as in the program released with BiSECT.
    """
    edits = diff(list(reference), list(output))
    phrases = [
        (sign, phrase)
        for sign, words in edits
        for phrase in (words if by_word or sign == "=" else [" ".join(words)])
    ]
    unused = [phrase for sign, phrase in phrases if sign == "+"]
    result: list[str] = []
    for sign, phrase in phrases:
        if sign == "+":
            continue
        replacement = next(
            (candidate for candidate in unused if sign == "-" and ppdb.has(candidate, phrase)), None
        )
        if replacement is not None:
            unused.remove(replacement)
        result.append(replacement or phrase)
    return tuple(result)
