"""Trainings with and without the filters, on small stand-ins of their files and results."""

import argparse
import json
import statistics
import time
from pathlib import Path
from random import Random
from typing import Any

import filters_pay
import pytest
import trainings
from trainings import Job

Row = dict[str, Any]
ROWS = [
    ("The rain fell , and the road was closed .", "The rain fell . <SEP> The road was closed ."),
    ("The snow fell , but the road was open .", "The snow fell . <SEP> The road was open ."),
]


def splitter(name: str, data: str = "rows.tsv", **options: Any) -> Job:
    """Return the training of a network with random weights."""
    test = {"name": "own", "source": "own.src", "references": ["own.dst"]}
    form = {
        "task": "split",
        "data": [data],
        "tests": [test],
        "model": {"kind": "generate", "start": "random"},
        "training": {"max_steps": 2, "batch": 2},
        "scoring": {"samples": 2},
    }
    return Job(name=name, settings=form, **options)


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    """A folder with rows and a test set."""
    folder = tmp_path / "jobs"
    folder.mkdir()
    lines = "".join(f"{long}\t{split}\n" for long, split in ROWS * 3)
    (folder / "rows.tsv").write_text(lines, encoding="utf-8")
    (folder / "own.src").write_text("A dog barked , and a cat slept .\n", encoding="utf-8")
    (folder / "own.dst").write_text("A dog barked . <SEP> A cat slept .\n", encoding="utf-8")
    return folder


def options_of(tmp_path: Path) -> argparse.Namespace:
    """Return the options of a run of trainings."""
    out = tmp_path / "results"
    out.mkdir(exist_ok=True)
    return argparse.Namespace(results=out, device="cpu", updates=None, workers=1, minutes=60)


def test_a_result_is_written_and_the_others_go_on_after_an_error(
    jobs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(jobs)
    options = options_of(tmp_path)
    for job in (splitter("filters.bad", "none.tsv"), splitter("filters.good")):
        trainings.work(job, options, time.monotonic() + 3600)
    assert "none.tsv" in (options.results / "filters.bad.error").read_text(encoding="utf-8")
    (result,) = trainings.results(options.results)
    assert result.facts["steps"] == 2
    assert len(result.facts["outputs"]["own"]) == 1
    assert "SARI" in result.scores("own")


def test_nothing_begins_after_the_end(jobs: Path, tmp_path: Path) -> None:
    options = options_of(tmp_path)
    trainings.work(splitter("filters.late"), options, time.monotonic() - 1)
    assert [*options.results.iterdir()] == []


def scored(test: str, systems: dict[str, dict[str, float]], **more: Any) -> Row:
    """Return the facts of a result."""
    return {"tests": {test: {"systems": systems, **more}}}


def write(folder: Path, name: str, facts: Row) -> None:
    """Write a result."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(facts), encoding="utf-8")


def verdict(name: str, rejected_by: str | None) -> Row:
    """Return a judged link."""
    return {
        "id": name,
        "long": f"{name} fell , and it broke .",
        "split": [f"{name} fell .", "It broke ."],
        "rejected_by": rejected_by,
        "category": "Direct Insertion",
        "scores": {"overlap": Random(name).random()},
    }


def mean_overlap(rows: list[Row]) -> float:
    """Return the mean of the one score that the links have."""
    return float(statistics.mean(row["scores"]["overlap"] for row in rows))


def test_all_kinds_have_as_many_rows(tmp_path: Path) -> None:
    lines = []
    for number in range(200):
        reason = "length" if number % 4 == 0 else None
        system = filters_pay.SYSTEMS[number % 3]
        lines.append(verdict(f"2008:{number} de {system}", reason))
        lines.append(verdict(f"2009/doc/{number}/fr/google", reason))
    (tmp_path / "judged.jsonl").write_text(
        "".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8"
    )
    found, unseen = filters_pay.kinds(tmp_path)
    size, third = (len(found[kind]) for kind in ("kept", "best third"))
    sizes = {name: len(pool) for name, pool in found.items()}
    assert size > 50
    assert third == pytest.approx(size / 3, abs=2)
    assert sizes == {
        **dict.fromkeys(filters_pay.KINDS[:3], size),
        **dict.fromkeys(filters_pay.KINDS[3:], third),
    }
    assert not any(row["rejected_by"] for row in found["kept"])
    assert all(row["rejected_by"] for row in found["rejected"])
    assert {bool(row["rejected_by"]) for row in found["before filtering"]} == {True, False}
    overlaps = {kind: mean_overlap(found[kind]) for kind in ("kept", "best third", "random third")}
    assert overlaps["best third"] > 0.75
    assert overlaps["kept"] == pytest.approx(overlaps["random third"], abs=0.2)
    learned = {row["id"] for pool in found.values() for row in pool}
    assert unseen
    assert learned.isdisjoint(row["id"] for row in unseen)


@pytest.mark.parametrize(("one", "two", "seeds", "seen"), [
    ([10.0, 12.0], [20.0, 22.0], 0.3, 4.0),
    ([10.0, 12.0, 14.0], [11.0, 13.0, 15.0], 62.8, 4.6),
])  # fmt: skip
def test_power(one: list[float], two: list[float], seeds: float, seen: float) -> None:
    assert filters_pay.seeds_needed(one, two) == pytest.approx(seeds, abs=0.05)
    assert filters_pay.smallest_seen(one, two) == pytest.approx(seen, abs=0.05)


def test_a_difference_of_filters_is_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind, base in (("kept", 40), ("before-filtering", 39), ("rejected", 20)):
        for seed in range(3):
            values = dict.fromkeys(filters_pay.METRICS, float(base + seed))
            facts = scored("hsplit", {"trained": values})
            facts["tests"]["natural"] = facts["tests"]["hsplit"]
            write(tmp_path, f"filters.generate.{kind}.{seed}", facts)
    filters_pay.report(tmp_path)
    printed = capsys.readouterr().out
    assert "| kept | 3 | 41.0 ± 1.0 |" in printed
    assert "kept / before filtering: SARI +1.00, p 0.288" in printed
    assert "kept / rejected: SARI +20.00, p 0.000" in printed
