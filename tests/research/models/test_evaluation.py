"""Scores of outputs beside what takes no training."""

from collections import Counter
from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.models import evaluation
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.evaluation import CUT, MAJORITY, SOURCE, HeldOutExamples
from bitext_pivot.research.models.training_settings import TestSet

SCORING = Scoring(samples=10)


def pair(first: str, label: str) -> TrainingExample:
    return TrainingExample(id=first, source=first, second="b", label=label, licence="")


def test_a_pair_of_two_senses_is_right_with_either() -> None:
    rows = [pair("1", "cause"), pair("1", "contrast"), pair("2", "cause"), pair("3", "purpose")]
    systems = {"seed 0": ["contrast", "contrast", "contrast", "purpose"], "seed 1": ["cause"] * 4}
    scores = evaluation.scores(
        "relations", HeldOutExamples(name="t", examples=rows), systems, SCORING
    )["systems"]
    assert scores[MAJORITY]["accuracy"] == scores["seed 1"]["accuracy"] == 75
    assert scores["seed 0"]["accuracy"] == 75
    assert scores["seed 0"]["macro F1"] == pytest.approx(100 * (0 + 4 / 5 + 1) / 3)
    assert evaluation.spread(scores, ["seed 0", "seed 1"])["accuracy"] == (75, 0)


def test_confusions_are_those_of_the_last_seed() -> None:
    rows = [pair("1", "cause"), pair("2", "cause")]
    scores = evaluation.scores(
        "markers", HeldOutExamples(name="t", examples=rows), {"seed 0": ["so", "cause"]}, SCORING
    )
    assert scores["confusions"] == {"cause -> so": 1}


def test_a_splitter_stands_beside_the_source_and_the_blind_cut() -> None:
    rows = [TrainingExample(id="1", source="It rained , and we stayed .", licence="")]
    tested = HeldOutExamples(
        name="t", examples=rows, references=[["It rained . <SEP> We stayed ."]]
    )
    systems = evaluation.scores(
        "split", tested, {"seed 0": ["It rained . <SEP> We stayed ."]}, SCORING
    )["systems"]
    assert list(systems) == [SOURCE, CUT, "seed 0"]
    assert systems["seed 0"]["BLEU"] == systems[CUT]["BLEU"] > systems[SOURCE]["BLEU"]


def test_fusions_are_also_counted_as_exact_by_type() -> None:
    rows = [
        TrainingExample(id=str(number), source="a b", group=group, licence="")
        for number, group in enumerate("xxy")
    ]
    tested = HeldOutExamples(name="t", examples=rows, references=[["c d"], ["e f"], ["g h"]])
    scores = evaluation.scores("fuse", tested, {"seed 0": ["c d", "z", "g h"]}, SCORING)
    assert scores["systems"]["seed 0"]["exact"] == pytest.approx(200 / 3)
    assert (
        scores["groups"]["seed 0"] == {"x": 50, "y": 100}
        and scores["systems"][SOURCE]["exact"] == 0
    )


def fusion(source: str, group: str = "PAIR_CONN", connective: str = "") -> TrainingExample:
    return TrainingExample(id=source, source=source, group=group, connective=connective, licence="")


@pytest.mark.parametrize(("connective", "source", "output", "right"), [
    ("but", "It rained . We left .", "It rained , but we left .", 1),
    ("but", "It rained . We left .", "It rained . But we left .", 1),
    ("however ,", "It rained . We left .", "It rained . However , we left .", 1),
    ("however ,", "It rained . We left .", "It rained . We , however , left .", 1),
    (", because", "It rained . We left .", "We left , because it rained .", 1),
    ("but", "It rained . We left .", "It rained , and we left .", 0),
    ("but", "It rained . Nobody but us left .", "It rained . Nobody but us left .", 0),  # the source has it
    ("but", "It rained . Nobody but us left .", "It rained , but nobody but us left .", 1),
    ("as a result ,", "It rained . We left .", "As a result , it rained , we left .", 1),
    ("as a result ,", "It rained . We left .", "It rained as , a , result .", 1),
    ("so", "It rained . We left .", "It rained . Some left .", 0),
    ("and", "It rained . We left .", "", 0),
])  # fmt: skip
def test_a_connective_is_right_if_it_is_added(
    connective: str, source: str, output: str, right: int
) -> None:
    tested = HeldOutExamples(
        name="t", examples=[fusion(source, connective=connective)], references=[["It rained , x ."]]
    )
    scores = evaluation.scores("fuse", tested, {"seed 0": [output]}, SCORING)
    name = connective.strip(" ,")
    assert scores["connectives"]["seed 0"] == {name: {"rows": 1, "right": right}}
    assert scores["connectives"][SOURCE][name]["right"] == 0


@pytest.mark.parametrize(("reference", "output", "expected"), [
    ("Ann sang . She left .", "Ann sang . She left .", {"she": (1, 1)}),
    ("Ann sang . She left .", "Ann sang . He left .", {"she": (1, 0)}),
    ("Ann sang . She left .", "Ann sang . Ann left .", {"she": (1, 0)}),
    ("Ann sang and left .", "Ann sang . She left .", {}),
    ("Ann sang . She took her hat .", "Ann sang . She took his hat .", {"her": (1, 0), "she": (1, 1)}),
])  # fmt: skip
def test_pronouns_of_the_reference_are_looked_for(
    reference: str, output: str, expected: dict[str, tuple[int, int]]
) -> None:
    tested = HeldOutExamples(
        name="t", examples=[fusion("Ann sang . Ann left .")], references=[[reference]]
    )
    found = evaluation.scores("fuse", tested, {"seed 0": [output]}, SCORING)["pronouns"]["seed 0"]
    assert {name: (count["rows"], count["right"]) for name, count in found.items()} == expected


def test_sari_of_a_phenomenon_is_that_of_its_rows_alone() -> None:
    rows = [fusion("It rained . We left .", "x"), fusion("Ann sang . Ann left .", "y")]
    references = [["It rained , so we left ."], ["Ann sang and left ."]]
    outputs = ["It rained , so we left .", "Ann sang . Ann left ."]
    both = HeldOutExamples(name="t", examples=rows, references=references)
    alone = HeldOutExamples(name="t", examples=rows[1:], references=references[1:])
    scores = evaluation.scores("fuse", both, {"seed 0": outputs}, SCORING)
    expected = evaluation.scores("fuse", alone, {"seed 0": outputs[1:]}, SCORING)
    assert scores["group_sari"]["seed 0"]["y"] == pytest.approx(
        expected["systems"]["seed 0"]["SARI"]
    )
    assert scores["group_sari"]["seed 0"]["x"] > scores["systems"]["seed 0"]["SARI"]
    assert scores["group_sari"][SOURCE].keys() == {"x", "y"}


def test_a_test_set_needs_references_of_its_length(tmp_path: Path) -> None:
    source, references = tmp_path / "a.src", tmp_path / "a.dst"
    source.write_text("a\nb\n", encoding="utf-8")
    references.write_text("a\n", encoding="utf-8")
    for names, message in ([], "has no references"), ([references], "1 lines"):
        with pytest.raises(SettingsError, match=message):
            evaluation.read(TestSet(name="t", source=source, references=names), "split", Counter())
