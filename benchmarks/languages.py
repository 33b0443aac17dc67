"""Whether the rules find the same structures in the same sentences of four languages, on gold parses.

usage: python benchmarks/languages.py FOLDER [PIPELINES]

FOLDER holds `LANGUAGE_pud-ud-test.conllu.gz`: the Parallel Universal Dependencies, 1,000 sentences each in the same
order. A line per structure: how many English sentences have it, then for each other language how many have it, F1 and
Cohen's kappa against English. Translation itself changes structures, so 1.00 cannot be reached. With a folder of spaCy
pipelines, one per language, the table compares a pipeline's parses with the treebank's.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from pairs.records import Parse
from pairs.syntax import clauses
from pairs.syntax.clauses import Sentence
from pairs.syntax.parsing import Parser, load, parse_texts
from pairs.syntax.treebank import TreebankSentence, read_treebank

Test = Callable[[Sentence], bool]
LANGUAGES = ("en", "fr", "de", "es")


def some(test: Callable[[Sentence, int], bool]) -> Test:
    """Return a test of whether any token passes a test."""
    return lambda s: any(test(s, i) for i in range(len(s.grammar)))


STRUCTURES: dict[str, Test] = {
    "joins_full_clauses": clauses.joins_full_clauses,
    "is_spliced": clauses.is_spliced,
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


def found_in(parses: list[Parse], language: str, test: Test) -> list[bool]:
    """Return for each parse whether the rules find the structure."""
    views = (clauses.sentence(parse, language) for parse in parses)
    return [view is not None and test(view) for view in views]


def agreement(ours: list[bool], theirs: list[bool]) -> tuple[float, float]:
    """Return F1 and Cohen's kappa."""
    both, size = sum(a and b for a, b in zip(ours, theirs, strict=True)), len(ours)
    chance = (sum(ours) * sum(theirs) + (size - sum(ours)) * (size - sum(theirs))) / size**2
    same = sum(a == b for a, b in zip(ours, theirs, strict=True)) / size
    return 2 * both / max(1, sum(ours) + sum(theirs)), (same - chance) / (1 - chance) if chance < 1 else 1.0


def treebank(folder: Path, language: str) -> list[TreebankSentence]:
    """Return the sentences of a language."""
    return list(read_treebank(folder / f"{language}_pud-ud-test.conllu.gz"))


def gold(folder: Path, language: str) -> list[Parse]:
    """Return the treebank's parses of a language."""
    return [sentence.parse for sentence in treebank(folder, language)]


def parsed(folder: Path, language: str, pipeline: Path) -> list[Parse]:
    """Return a pipeline's parses of a language's sentences."""
    texts = [sentence.text for sentence in treebank(folder, language)]
    parses = parse_texts(texts, load(Parser(pipeline=str(pipeline)), language))
    return [parse for parse in parses if isinstance(parse, Parse)]


def main(folder: Path) -> None:
    """Print the table of English against the other languages."""
    banks = {language: gold(folder, language) for language in LANGUAGES}
    print(f"{'':24}{'en':>5}" + "".join(f"{language:>6}    F1 kappa" for language in LANGUAGES[1:]))
    for name, test in STRUCTURES.items():
        english, *others = (found_in(parses, language, test) for language, parses in banks.items())
        cells = (f"{sum(other):6}" + "{:6.2f}{:6.2f}".format(*agreement(english, other)) for other in others)
        print(f"{name:24}{sum(english):5}" + "".join(cells))


def against_gold(folder: Path, pipelines: Path) -> None:
    """Print for each language how many sentences have a structure by the treebank, by a pipeline, F1 and kappa."""
    languages = [language for language in LANGUAGES if (pipelines / language).is_dir()]
    sides = {code: (gold(folder, code), parsed(folder, code, pipelines / code)) for code in languages}
    print(f"{'':24}" + "".join(f"{language:>6} found    F1 kappa" for language in languages))
    for name, test in STRUCTURES.items():
        cells = []
        for language, parses in sides.items():
            ours, theirs = (found_in(side, language, test) for side in parses)
            cells.append(f"{sum(ours):6}{sum(theirs):6}" + "{:6.2f}{:6.2f}".format(*agreement(ours, theirs)))
        print(f"{name:24}" + "".join(cells))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        against_gold(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
