"""SentEval's text tasks on small files, with an encoder that tells the classes by a word, or does not."""

import gzip
import sys
from pathlib import Path
from typing import Any

import pytest
from counting import Counting

CLASSES = {"neg": "bad", "pos": "good"}
TREC = ("NUM", "LOC", "HUM")


@pytest.fixture
def senteval(tmp_path: Path) -> Path:
    """A folder with the files of all tasks."""
    lines: dict[str, list[str]] = {}
    transfer = pytest.importorskip("transfer", reason="it is in the folder benchmarks")
    for names in transfer.PAIRS.values():
        for name, word in zip(names, ("bad", "good"), strict=True):
            lines[name] = [f"{word} film {number}" for number in range(24)]
    for part in ("train", "dev", "test"):
        rows = [f"{number % 2} {('bad', 'good')[number % 2]} {number}" for number in range(24)]
        lines[f"sst2.{part}"] = rows
    for part in ("train", "test"):
        lines[f"TREC.{part}"] = [
            f"{TREC[number % 3]}:x {TREC[number % 3].lower()} {number}" for number in range(36)
        ]
    for name, rows in lines.items():
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    return tmp_path


def test_all_tasks_are_solved_by_their_words(senteval: Path) -> None:
    encoder: Any = Counting(["bad", "good", "num", "loc", "hum"])
    transfer = pytest.importorskip("transfer", reason="it is in the folder benchmarks")
    found = dict(transfer.accuracies(senteval, encoder, 3))
    assert found == dict.fromkeys(("MR", "CR", "SUBJ", "MPQA", "SST2", "TREC"), 100.0)


def test_vectors_that_say_nothing_solve_none(senteval: Path) -> None:
    encoder: Any = Counting(["none", "nothing"])
    transfer = pytest.importorskip("transfer", reason="it is in the folder benchmarks")
    found = dict(transfer.accuracies(senteval, encoder, 3))
    assert max(found.values()) <= 50


def test_the_command_prints_each_task(
    senteval: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = Counting(["bad", "good", "num", "loc", "hum"])
    transfer = pytest.importorskip("transfer", reason="it is in the folder benchmarks")
    monkeypatch.setattr(transfer, "SentenceTransformer", lambda folder, device: encoder)
    monkeypatch.setattr(sys, "argv", ["transfer.py", str(senteval), "folder", "--folds", "3"])
    transfer.main()
    assert capsys.readouterr().out.splitlines()[-1] == "TREC 100.0"
