"""The commands of the papers' tables that need training, on small stand-ins of their files and results."""

import argparse
import gzip
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import explicitated_rows
import filters_pay
import fusion_by_training
import marker_variants
import pytest
import trainings
from explicitation import LANGUAGES
from filters_by_training import SYSTEMS
from trainings import Job, Result

from bitext_pivot.research.models.data import Example, for_validation

Row = dict[str, Any]
ROWS = [
    ("The rain fell , and the road was closed .", "The rain fell . <SEP> The road was closed ."),
    ("The snow fell , but the road was open .", "The snow fell . <SEP> The road was open ."),
]


def splitter(name: str, data: str = "rows.tsv", **options: Any) -> Job:
    """Return the training of a splitter with random weights."""
    test = {"name": "own", "source": "own.src", "references": ["own.dst"]}
    form = {
        "task": "split",
        "data": [data],
        "tests": [test],
        "model": {"start": "random"},
        "decoding": {"beams": 1},
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
    return argparse.Namespace(
        results=out, scratch=tmp_path / "scratch", device="cpu", updates=None, workers=1, minutes=60
    )


def test_a_group_writes_each_result_and_goes_on_after_an_error(
    jobs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(jobs)
    options = options_of(tmp_path)
    done = options.results / "x.done.json"
    done.write_text("{}", encoding="utf-8")
    group = [splitter("x.bad", "none.tsv"), splitter("x.done"), splitter("x.good", saved="kept")]
    trainings.work(group, options, time.monotonic() + 3600)
    assert done.read_text(encoding="utf-8") == "{}"
    assert "none.tsv" in (options.results / "x.bad.error").read_text(encoding="utf-8")
    result = Result("x.good", json.loads((options.results / "x.good.json").read_text("utf-8")))
    assert result.facts["steps"] == 2
    assert len(result.facts["outputs"]["own"]) == 1
    assert set(result.system("own")) == set(result.system("own", "source unchanged"))
    assert (tmp_path / "scratch" / "kept" / "model").is_dir()


def test_nothing_begins_after_the_end(jobs: Path, tmp_path: Path) -> None:
    options = options_of(tmp_path)
    trainings.work([splitter("x.late")], options, time.monotonic() - 1)
    assert [*options.results.iterdir()] == []


def test_lower_tiers_come_first_and_groups_stay_together(tmp_path: Path) -> None:
    trainings.add_jobs(tmp_path, "a", [splitter("a.1", tier=2), splitter("a.2", group="g")])
    trainings.add_jobs(tmp_path, "b", [splitter("b.1"), splitter("b.2", group="g")])
    found = trainings.groups(trainings.read_jobs(tmp_path))
    assert [[job.name for job in group] for group in found] == [["a.2", "b.2"], ["b.1"], ["a.1"]]


def scored(test: str, systems: dict[str, dict[str, float]], **more: Any) -> Row:
    """Return the facts of a result."""
    return {"tests": {test: {"systems": systems, **more}}}


def write(folder: Path, name: str, facts: Row) -> None:
    """Write a result."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(facts), encoding="utf-8")


# --- do the filters pay? -------------------------------------------------------------------------


def verdict(name: str, rejected_by: str | None) -> Row:
    """Return a judged link."""
    return {
        "id": name,
        "long": f"{name} fell , and it broke .",
        "split": [f"{name} fell .", "It broke ."],
        "rejected_by": rejected_by,
    }


def test_all_kinds_have_as_many_rows(tmp_path: Path) -> None:
    lines = []
    for number in range(200):
        reason = "length" if number % 4 == 0 else None
        system = SYSTEMS[number % 3]
        lines.append(verdict(f"2008:{number} de {system}", reason))
        lines.append(verdict(f"2009/doc/{number}/fr/google", reason))
    (tmp_path / "judged-0-of-1.jsonl").write_text(
        "".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8"
    )
    found, unseen = filters_pay.kinds(tmp_path)
    sizes = {len(pool) for pool in found.values()}
    assert len(sizes) == 1
    assert sizes.pop() > 50
    assert not any(row["rejected_by"] for row in found["kept"])
    assert all(row["rejected_by"] for row in found["rejected"])
    assert {bool(row["rejected_by"]) for row in found["before filtering"]} == {True, False}
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
    assert "generate, hsplit" in printed


# --- explicitated rows ---------------------------------------------------------------------------


def test_rows_for_training_alone_have_no_id_for_validation() -> None:
    rows = explicitated_rows.numbered([{}] * 300, "gum", is_validated=False)
    drawn = [for_validation(Example(id=row["id"], source="", licence="")) for row in rows]
    assert not any(drawn)
    assert len({row["id"] for row in rows}) == 300


def test_parts_have_as_many_documents() -> None:
    rows = [{"document": f"d{number % 23}"} for number in range(100)]
    sizes = Counter(explicitated_rows.parts(rows).values())
    assert sorted(sizes.values()) == [4, 4, 5, 5, 5]


def multiway(second: str, *back: str) -> list[dict[str, str]]:
    """Return two neighbours of which the second one has four back-translations."""
    same = {"year": "2008", "doc": "d", "system": "google"}
    empty = dict.fromkeys((f"bt_{name}" for name in LANGUAGES), "Prices rose.")
    given = {f"bt_{name}": text for name, text in zip(LANGUAGES, back, strict=False)}
    return [
        {**same, "line": "0", "en": "The harvest was bad.", **empty},
        {**same, "line": "1", "en": second, **empty, **given},
    ]


@pytest.mark.parametrize(("back", "votes", "expected"), [
    (["However, prices fell."], 1, ["Comparison.Contrast"]),
    (["However, prices fell."], 2, []),
    (["However, prices fell."] * 2, 2, ["Comparison.Contrast"]),
    (["However, prices fell."] * 2, 3, []),
    (["However, prices fell."] * 3, 3, ["Comparison.Contrast"]),
    (["Therefore, prices fell.", "However, prices fell."], 1, []),
    ([], 1, []),
])  # fmt: skip
def test_votes(back: list[str], votes: int, expected: list[str]) -> None:
    found = explicitated_rows.explicitated(multiway("Prices fell.", *back), votes)
    assert [row["sense"] for row in found] == expected


def test_explicitated_rows_become_trainings(tmp_path: Path) -> None:
    folder = tmp_path / "eval"
    (folder / "models" / "gdtb").mkdir(parents=True)
    header = "doc\tunit1_txt\tunit2_txt\trel_type\tlabel\n"
    lines = "".join(
        f"d{number}\tIt rained {number} .\tWe left .\timplicit\tcomparison.concession\n"
        for number in range(10)
    )
    path = folder / "models" / "gdtb" / "gum_dev.rels.gz"
    path.write_bytes(gzip.compress(f"{header}{lines}".encode()))
    table = multiway("Prices fell.", "However, prices fell.", "However, prices fell.")
    text = "".join("\t".join(row.values()) + "\n" for row in table)
    header = "\t".join(table[0])
    (folder / "wmt_multiway_visible.tsv.gz").write_bytes(
        gzip.compress(f"{header}\n{text}".encode())
    )
    jobs = tmp_path / "jobs"
    explicitated_rows.write_jobs(folder, jobs)
    listed = trainings.read_jobs(jobs)
    assert len({job.name for job in listed}) == len(listed)
    assert {len(job.settings["training"]["seeds"]) for job in listed} == {1}
    counts = {path.name: len(path.read_text().splitlines()) for path in jobs.glob("*.jsonl")}
    assert counts["1-vote.jsonl"] == counts["2-votes.jsonl"] == 1
    assert counts["3-votes.jsonl"] == 0
    assert counts["gum-0.jsonl"] + counts["gum-test-0.jsonl"] == 10


def test_added_rows_are_compared_seed_by_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(4):
        least = {"accuracy": 30.0, "macro F1": 5.0}
        for added, base in (("gum", 40.0), ("1-vote", 38.0)):
            values = {"accuracy": base + 3 * seed + (seed == 0), "macro F1": 20.0}
            facts = scored("gdtb", {"most frequent class": least, "trained": values})
            write(tmp_path, f"relations.lstm.{added}.{seed}", facts)
    explicitated_rows.report(tmp_path)
    printed = capsys.readouterr().out
    assert "| GUM alone | 4 | 44.8 ± 3.5 |" in printed
    assert "| GUM and 1-vote | 4 | 42.8 ± 3.5 | 20.0 ± 0.0 | -2.0" in printed
    assert "lstm to the most frequent class: +14.8" in printed


# --- fusion and markers --------------------------------------------------------------------------


def test_table_of_fusion_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(2):
        systems = {
            "source unchanged": {"exact": 0.0, "SARI": 34.0},
            "trained": {"exact": 40.0 + 2 * seed, "SARI": 60.0},
        }
        by_group = {name: {"PAIR_CONN": 50.0 + seed} for name in systems}
        counts = {"but": {"rows": 10, "right": 4}, "nor": {"rows": 1, "right": 0}}
        facts = scored(
            "test", systems, groups=by_group, group_sari=by_group,
            connectives={"trained": counts}, pronouns={"trained": {"she": {"rows": 8, "right": 2}}},
        )  # fmt: skip
        facts["groups"] = {"test": {"PAIR_CONN": 20}}
        write(tmp_path, f"fusion.tag.{seed}", facts)
    fusion_by_training.report(tmp_path)
    printed = capsys.readouterr().out
    assert "| the paper, seq2seq, sampled Wikipedia |  | 51.1 | 84.5 |" in printed
    assert "| 41.0 ± 1.4 | 60.0 ± 0.0 |" in printed
    assert "| but | 10 | 40.0 ± 0.0 | 43.7 |" in printed
    assert "| she | 8 | 25.0 ± 0.0 |" in printed
    assert "nor" not in printed


def test_table_of_variants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(3):
        for variant, base in (("base", 70.0), ("hard", 72.0)):
            facts = scored("test", {"trained": {"accuracy": 10.0, "macro F1": 5.0}})
            facts["transfer"] = dict.fromkeys(marker_variants.TASKS, base + seed * seed)
            write(tmp_path, f"markers.{variant}.{seed}", facts)
        least = {"accuracy": 30.0, "macro F1": 5.0}
        for name, accuracy in (("implicit.relations", 45.0), ("relations.encoder.gum", 44.0)):
            values = {"accuracy": accuracy + seed * (accuracy - 43), "macro F1": 20.0}
            facts = scored("gdtb", {"most frequent class": least, "trained": values})
            write(tmp_path, f"{name}.{seed}", facts)
    marker_variants.report(tmp_path)
    printed = capsys.readouterr().out
    assert "| base | 3 | 10.0 ± 0.0 | 71.7 ± 2.1 |" in printed
    assert "mean of six, hard to base: +2.0" in printed
    assert "GUM, accuracy: markers first 47.0 ± 2.0, relations alone 45.0 ± 1.0, +2.0" in printed


def test_a_data_set_of_markers_becomes_trainings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explicitated_rows, "write_jobs", lambda folder, jobs: None)
    folders = [tmp_path / name for name in ("discovery-en", "senteval", "eval", "jobs")]
    marker_variants.write_jobs(marker_variants.Sources(*folders[:3]), folders[3], 5)
    listed = trainings.read_jobs(folders[3])
    variants = {job.settings["variant"] for job in listed if job.name.startswith("markers.")}
    assert variants == set(marker_variants.VARIANTS)
    groups = trainings.groups([job for job in listed if job.name.startswith("implicit.")])
    for group in groups:
        names = [job.name for job in group]
        assert all(name.startswith("implicit.markers") for name in names[::2])
        assert all(name.startswith("implicit.relations") for name in names[1::2])
