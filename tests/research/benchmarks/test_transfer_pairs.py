"""SentEval's pair tasks on small files, with an encoder that knows the answers or nothing."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from counting import Counting

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
MRPC = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
POOL = "premise\thypothesis\tlabel\tsource\n"
LABELS = ("NEUTRAL", "ENTAILMENT")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of all tasks: two texts are the same if, and only if, both are about dogs."""
    sick, mrpc, pool = SICK, MRPC, POOL
    for number in range(48):
        is_same = number % 2
        one, two = f"a dog {number}", f"a {'dog' if is_same else 'cat'} {number} again"
        sick += f"{number}\t{one}\t{two}\t{1 + 4 * is_same}\t{LABELS[is_same]}\n"
        mrpc += f'{is_same}\t1\t2\t{one}\t"{two}\n'  # quotes are text
        for texts in (f"{one}\t{two}", f"{two}\t{one}"):
            pool += f"{texts}\t{'ne'[is_same]}\tsick\nelse\tother\te\tsnli\n"
    for name in ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt"):
        (tmp_path / name).write_text(sick, encoding="utf-8")
    for name in ("msr_paraphrase_train.txt", "msr_paraphrase_test.txt"):
        (tmp_path / name).write_text(f"\ufeff{mrpc}", encoding="utf-8")
    (tmp_path / "pool.tsv.gz").write_bytes(gzip.compress(pool.encode()))
    return tmp_path


def test_all_tasks_are_solved_by_a_word_of_both_texts(folder: Path) -> None:
    pairs = pytest.importorskip("transfer_pairs", reason="it is in the folder benchmarks")
    encoder: Any = Counting(["dog"])
    found = {task: round(score, 1) for task, _, score in pairs.scores(folder, encoder)}
    names = ("SICK-E", "SICK-R", "MRPC", "SICK-E of pool.tsv.gz")
    assert found == dict.fromkeys(names, 100.0)


def test_vectors_that_say_nothing_name_one_class(folder: Path) -> None:
    pairs = pytest.importorskip("transfer_pairs", reason="it is in the folder benchmarks")
    encoder: Any = Counting(["none"])
    (folder / "SICK_trial.txt").unlink()
    found = [(task, rows, round(score)) for task, rows, score in pairs.scores(folder, encoder)]
    assert found == [("MRPC", 48, 50), ("SICK-E of pool.tsv.gz", 48, 50)]
