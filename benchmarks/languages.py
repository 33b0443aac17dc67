"""Whether the rules see the same things in the same sentence in four languages, on gold parses.

usage: python benchmarks/languages.py FOLDER [STRUCTURE LANGUAGE]

FOLDER holds `LANGUAGE_pud-ud-test.conllu.gz`: the Parallel Universal Dependencies, 1,000 sentences each in the same
order. A line a structure: how many English sentences have it, then for each other language how many have it there, F1
and Cohen's kappa of having it or not against English. Translation itself changes structures, so 1.00 is not to be had.
With a structure and a language, the sentences in which they differ are printed instead.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from pairs import clauses
from pairs.clauses import Sentence
from pairs.treebank import TreebankSentence, read_treebank

Test = Callable[[Sentence], bool]


def some(test: Callable[[Sentence, int], bool]) -> Test:
    """Return the question whether any token passes a test."""
    return lambda s: any(test(s, i) for i in range(len(s.grammar)))


STRUCTURES: dict[str, Test] = {
    "joins_full_clauses": clauses.joins_full_clauses,
    "is_spliced": clauses.is_spliced,
    "joins_predicates": clauses.joins_predicates,
    "opens_with_subordinate": clauses.opens_with_subordinate,
    "opens_with_clause": clauses.opens_with_clause,
    "opens_with_long_phrase": clauses.opens_with_long_phrase,
    "ends_in_participle": clauses.ends_in_participle,
    "relative_clause": some(lambda s, i: s.grammar.is_relative_clause(i)),
    "finite_adverbial": some(lambda s, i: s.grammar.is_adverbial_clause(i) and s.grammar.is_finite(i)),
    "bare_adverbial": some(lambda s, i: s.grammar.is_adverbial_clause(i) and not s.grammar.is_finite(i)),
    "participle_of_noun": some(
        lambda s, i: s.grammar.has_relation(i, "participle_clause") and not s.grammar.is_relative_clause(i)
    ),
    "apposition": some(lambda s, i: s.grammar.has_relation(i, "apposition")),
    "parataxis": some(lambda s, i: s.grammar.has_relation(i, "parataxis")),
    "quote": some(lambda s, i: s.grammar.is_quote(i)),
    "finite_main_verb": lambda s: s.grammar.is_finite(s.root),
    "subject_of_main_verb": lambda s: s.grammar.has_own_subject(s.root),
}


def seen(sentences: list[TreebankSentence], language: str, test: Test) -> list[bool]:
    """Tell for each sentence whether the rules see the structure."""
    views = (clauses.sentence(sentence.parse, language) for sentence in sentences)
    return [view is not None and test(view) for view in views]


def agreement(ours: list[bool], theirs: list[bool]) -> tuple[float, float]:
    """Return F1 and Cohen's kappa."""
    both, size = sum(a and b for a, b in zip(ours, theirs, strict=True)), len(ours)
    chance = (sum(ours) * sum(theirs) + (size - sum(ours)) * (size - sum(theirs))) / size**2
    same = sum(a == b for a, b in zip(ours, theirs, strict=True)) / size
    return 2 * both / max(1, sum(ours) + sum(theirs)), (same - chance) / (1 - chance) if chance < 1 else 1.0


def main(folder: Path) -> None:
    """Print the table."""
    banks = {language: bank(folder, language) for language in ("en", "fr", "de", "es")}
    print(f"{'':24}{'en':>5}" + "".join(f"{language:>6}    F1 kappa" for language in ("fr", "de", "es")))
    for name, test in STRUCTURES.items():
        found = {language: seen(sentences, language, test) for language, sentences in banks.items()}
        cells = (
            f"{sum(found[language]):6}{f1:6.2f}{kappa:6.2f}"
            for language in ("fr", "de", "es")
            for f1, kappa in [agreement(found["en"], found[language])]
        )
        print(f"{name:24}{sum(found['en']):5}" + "".join(cells))


def bank(folder: Path, language: str) -> list[TreebankSentence]:
    """Return a language's sentences."""
    return list(read_treebank(folder / f"{language}_pud-ud-test.conllu.gz"))


def differences(folder: Path, name: str, language: str) -> None:
    """Print the sentences in which only one of English and the language has a structure."""
    sides = {code: bank(folder, code) for code in ("en", language)}
    found = {code: seen(sentences, code, STRUCTURES[name]) for code, sentences in sides.items()}
    for english, other, here, there in zip(*sides.values(), *found.values(), strict=True):
        if here != there:
            print(f"{english.id} only {'en' if here else language}\n  {english.text}\n  {other.text}")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        differences(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    else:
        main(Path(sys.argv[1]))
