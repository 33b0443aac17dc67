"""The patterns in French, Spanish and German: verbs before subjects, speech, conjunctions; gold parses of all four."""

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
from conllu import read_treebank
from factories import tree

from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import ClauseStructure

SPEECH = {
    "he says": ("en", '" It/PRON/nsubj/3 rains/VERB*/ccomp/7 " , he/PRON/nsubj/7 says/VERB*/root/0 .'),
    "sagt er": ("de", "„ Es/PRON/nsubj/3 regnet/VERB*/ccomp/6 “ , sagt/VERB*/root/0 er/PRON/nsubj/6 ."),
    "sagt er, unquoted": ("de", "Es/PRON/nsubj/2 regnet/VERB*/ccomp/4 , sagt/VERB*/root/0 er/PRON/nsubj/4 ."),
    "dit-il": ("fr", "« Il/PRON/nsubj/3 pleut/VERB*/root/0 » , dit/VERB*/parataxis/3 -il/PRON/nsubj/6 ."),
    "a dit Ada": (
        "fr", "Il/PRON/nsubj/2 pleut/VERB*/parataxis/5 , a/AUX*/aux:tense/5 dit/VERB/root/0 Ada/PROPN/nsubj/5 ."
    ),
    "dijo": ("es", "« Llueve/VERB*/root/0 » , dijo/VERB*/parataxis/2 ."),
}  # fmt: skip
NO_SPEECH = {
    "an aside in English": ("en", "It/PRON/nsubj/2 rains/VERB*/root/0 , says/VERB*/parataxis/2 Ada/PROPN/nsubj/4 ."),
    "an aside, subject first": (
        "fr", "Il/PRON/nsubj/2 pleut/VERB*/root/0 , je/PRON/nsubj/5 crois/VERB*/parataxis/2 ."
    ),
    "a bare aside without quotes": ("es", "Llueve/VERB*/root/0 , vamos/VERB*/parataxis/1 ."),
    "a bare aside that needs a subject": ("fr", "« Il/PRON/nsubj/3 pleut/VERB*/root/0 » , viens/VERB*/parataxis/3 ."),
}  # fmt: skip


def view(language: str, words: str) -> ClauseStructure:
    found = clauses.analyse_clauses(tree(words), language)
    assert found is not None
    return found


@pytest.mark.parametrize("name", SPEECH)
def test_speech_stands_before_the_main_clause_whoever_comes_first(name: str) -> None:
    assert clauses.has_fronted_clause(view(*SPEECH[name]))


@pytest.mark.parametrize("name", NO_SPEECH)
def test_an_aside_is_no_speech(name: str) -> None:
    assert not clauses.has_fronted_clause(view(*NO_SPEECH[name]))


GERMAN = (
    "Um/SCONJ/mark/3 zu/PART/mark/3 schlafen/VERB/advcl/5 , ging/VERB*/root/0 sie/PRON/nsubj/5 ."
)


def test_a_fronted_clause_is_german_and_no_english_statement() -> None:
    assert clauses.has_fronted_clause(view("de", GERMAN))
    assert not clauses.has_fronted_clause(view("en", GERMAN))


def test_without_subject_the_main_clause_begins_at_its_verb() -> None:
    assert view("es", "Ayer/ADV/advmod/3 ha/AUX*/aux/3 llovido/VERB/root/0 .").main_start == 1


OPENS = [
    ("es", "A pesar de que/SCONJ", True), ("es", "A pesar de esto/PRON", False), ("es", "Mientras tanto/ADV", False),
    ("fr", "Lorsqu' il/PRON", True), ("fr", "Lorsqu’ il/PRON", True), ("fr", "À mesure que/SCONJ", True),
    ("de", "Weil es/PRON", True), ("de", "Damit kann/AUX", False),
]  # fmt: skip


@pytest.mark.parametrize(("language", "start", "expected"), OPENS)
def test_conjunctions_of_several_words_are_known(language: str, start: str, expected: bool) -> None:
    words = [word if "/" in word else f"{word}/ADP" for word in start.split()]
    size = len(words) + 1
    sentence = " ".join([*(f"{word}/dep/{size}" for word in words), "viene/VERB*/root/0 ."])
    assert clauses.opens_with_subordinate(view(language, sentence)) is expected


def has_relative_clause(s: ClauseStructure) -> bool:
    return any(map(s.tree.is_relative_clause, range(len(s.tree))))


def has_finite_adverbial(s: ClauseStructure) -> bool:
    return any(s.tree.is_adverbial_clause(i) and s.tree.is_finite(i) for i in range(len(s.tree)))


FLOORS: dict[Callable[[ClauseStructure], bool], float] = {
    clauses.joins_full_clauses: 0.65, clauses.opens_with_subordinate: 0.6, clauses.has_fronted_clause: 0.42,
    has_relative_clause: 0.65, has_finite_adverbial: 0.6,
}  # fmt: skip
"""Cohen's kappa with English that the structures reach in every language; translation changes structures, too."""


@functools.cache
def sentences(path: Path, language: str) -> list[ClauseStructure | None]:
    return [clauses.analyse_clauses(one.parse, language) for one in read_treebank(path)]


@pytest.mark.shared
@pytest.mark.parametrize("language", ["fr", "de", "es"])
def test_the_same_sentence_has_the_same_structures_in_other_languages(
    shared: Path, language: str
) -> None:
    from sklearn.metrics import cohen_kappa_score

    english, other = (
        sentences(shared / "ud" / f"{code}_pud-ud-test.conllu.gz", code)
        for code in ("en", language)
    )
    kappas = {
        test.__name__: cohen_kappa_score(
            *([one is not None and test(one) for one in views] for views in (english, other))
        )
        for test in FLOORS
    }
    floors = {test.__name__: floor for test, floor in FLOORS.items()}
    assert {name: kappa for name, kappa in kappas.items() if kappa < floors[name]} == {}
