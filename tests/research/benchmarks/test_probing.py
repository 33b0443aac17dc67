"""Probing tasks of a small treebank, and an encoder that knows their answers or nothing."""

import random
from pathlib import Path
from typing import Any

import pytest
from counting import Counting

TREE = """\
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\t{dogs}\tdog\tNOUN\tNN\tNumber={number}\t4\tnsubj\t_\t_
3\thave\thave\tAUX\tVBP\tTense={tense}\t4\taux\t_\t_
4\teaten\teat\tVERB\tVBN\tTense=Past\t0\troot\t_\t_
5\tcakes\tcake\tNOUN\tNNS\tNumber=Plur\t4\tobj\t_\t_
6\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""


@pytest.fixture
def rows(tmp_path: Path) -> dict[str, list[tuple[str, str]]]:
    """The tasks of 120 sentences: dogs or a dog, in the present or the past."""
    probing = pytest.importorskip("probing", reason="it is in the folder benchmarks")
    trees = []
    for number in range(120):
        noun = f"dogs dogs{number}" if number % 2 else f"dog dog{number}"
        trees.append(
            TREE.format(
                dogs=noun.replace(" ", "_"),
                number="Plur" if number % 2 else "Sing",
                tense="Pres" if number % 4 < 2 else "Past",
            )
        )
    path = tmp_path / "small.conllu"
    path.write_text("".join(trees), encoding="utf-8")
    return dict(probing.tasks([path]))


def test_each_task_has_the_answer_of_the_tree(rows: dict[str, list[tuple[str, str]]]) -> None:
    labels = {name: {label for label, _ in found} for name, found in rows.items()}
    assert labels == {
        "Length": {"0"}, "Depth": {"2"}, "Tense": {"Pres", "Past"}, "SubjNumber": {"Sing", "Plur"},
        "ObjNumber": {"Plur"}, "BigramShift": {"as written", "exchanged"},
    }  # fmt: skip


def test_an_encoder_is_measured_beside_the_most_frequent_class(
    rows: dict[str, list[tuple[str, str]]],
) -> None:
    probing = pytest.importorskip("probing", reason="it is in the folder benchmarks")
    subjects = {
        "SubjNumber": [(label, f"{label} {n}") for n, (label, _) in enumerate(rows["SubjNumber"])]
    }
    for words, accuracy in ((["Plur"], 100), (["none"], 50)):
        encoder: Any = Counting(words)
        [(name, number, majority, found)] = probing.accuracies(subjects, encoder)
        assert (name, number, majority, found) == ("SubjNumber", 120, 50, accuracy)


def test_two_neighbours_are_exchanged_and_nothing_else() -> None:
    probing = pytest.importorskip("probing", reason="it is in the folder benchmarks")
    tokens = ["a", "b", "c", "d", "."]
    found = [probing.shifted(tokens, random.Random(seed)) for seed in range(40)]
    for label, text in found:
        words = text.split()
        assert sorted(words) == sorted(tokens) and words[-1] == "."
        assert sum(one != other for one, other in zip(words, tokens, strict=True)) == (
            2 if label == "exchanged" else 0
        )
    assert {label for label, _ in found} == {"as written", "exchanged"}
