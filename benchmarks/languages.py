"""Whether the rules see the same things in the same sentence in four languages, on gold parses.

usage: python benchmarks/languages.py FOLDER [STRUCTURE LANGUAGE]
       python benchmarks/languages.py FOLDER PIPELINES

FOLDER holds `LANGUAGE_pud-ud-test.conllu.gz`: the Parallel Universal Dependencies, 1,000 sentences each in the same
order. A line a structure: how many English sentences have it, then for each other language how many have it there, F1
and Cohen's kappa of having it or not against English. Translation itself changes structures, so 1.00 is not to be had.
With a structure and a language, the sentences in which they differ are printed instead. With a folder of spaCy
pipelines, one a language, the table is of what the rules see in a pipeline's parses against what they see in the
treebank's: what a structure costs by parsing.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from pairs import clauses
from pairs.clauses import Sentence
from pairs.parsing import Parser, load, parse_texts
from pairs.records import Parse
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
    return seen_in([sentence.parse for sentence in sentences], language, test)


def seen_in(parses: list[Parse], language: str, test: Test) -> list[bool]:
    """Tell for each parse whether the rules see the structure."""
    views = (clauses.sentence(parse, language) for parse in parses)
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


def against_gold(folder: Path, pipelines: Path) -> None:
    """Print for each language how many sentences have a structure by the treebank, by a pipeline, F1 and kappa."""
    languages = [language for language in ("en", "fr", "de", "es") if (pipelines / language).is_dir()]
    sides = {}
    for language in languages:
        gold = [sentence.parse for sentence in bank(folder, language)]
        pipeline = load(Parser(pipeline=str(pipelines / language)), language)
        texts = [sentence.text for sentence in bank(folder, language)]
        found = parse_texts(texts, pipeline)
        sides[language] = gold, [parse for parse in found if isinstance(parse, Parse)]
    print(f"{'':24}" + "".join(f"{language:>6} found    F1 kappa" for language in languages))
    for name, test in STRUCTURES.items():
        cells = []
        for language, (gold, found) in sides.items():
            ours, theirs = seen_in(gold, language, test), seen_in(found, language, test)
            f1, kappa = agreement(ours, theirs)
            cells.append(f"{sum(ours):6}{sum(theirs):6}{f1:6.2f}{kappa:6.2f}")
        print(f"{name:24}" + "".join(cells))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        against_gold(Path(sys.argv[1]), Path(sys.argv[2]))
    elif len(sys.argv) > 3:
        differences(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    else:
        main(Path(sys.argv[1]))
