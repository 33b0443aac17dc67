"""The flow against a real Prefect server: what it builds, what it builds anew, and what it says when it cannot."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builds import tree

from flows.pivot_bitext import PivotBitext, pivot_bitext
from pairs import shards
from pairs.errors import AbsentError, SettingsError, ShardError
from pairs.records import JudgedPair
from translation.echo import Echo

ROOT = Path(__file__).parents[2]
Opus = Callable[[dict[str, tuple[list[str], list[str]]]], Path]

DOCUMENTS = {
    "garden": (
        ["The gardener planted a tree and he watered the roses."],
        ["The gardener planted a tree.", "Then he watered the roses."],
    ),
    "school": (
        ["The teacher opened the window.", "The room was too warm."],
        ["The teacher opened the window because the room was too warm."],
    ),
    "list": (["The farmer sold his old horse and bought a tractor."], ["A list of things.", "He bought a tractor."]),
    "alone": (["This sentence is aligned with one."], ["This sentence is aligned with one."]),
}


def settings(**changes: Any) -> PivotBitext:
    """The tiny corpus, both sides in English, so that Echo translates it well."""
    plain = {
        "corpora": ["Tiny/v1"], "shard_rows": 1, "translation": {"engine": "echo"},
        "parser": {"pipeline": "quickstart/models/spacy-en-ud"}, "sieve": {"preset": "paper"},
        "screening": {"language": {"enabled": False}}, **changes,
    }  # fmt: skip
    return PivotBitext.model_validate(plain)


@pytest.fixture
def tiny(site: Path, server: str, opus: Opus, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a build of the tiny corpus."""
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(opus(DOCUMENTS)))
    return site


def stages(home: Path) -> dict[str, int]:
    """How many folders each stage has."""
    names = [folder.name.rpartition("-")[0] for folder in home.glob("fr-en/*-????????")]
    return {name: names.count(name) for name in sorted(set(names))}


def test_a_build_gives_pairs_rejected_pairs_and_counts_that_add_up(tiny: Path) -> None:
    folder = pivot_bitext(settings())
    rows = [json.loads(line) for line in (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["Tiny/v1/en-fr:1", "Tiny/v1/en-fr:2"]
    assert rows[0]["split"] == DOCUMENTS["garden"][1] and rows[0]["translated"] == "split"
    assert rows[1]["split"] == DOCUMENTS["school"][0] and rows[1]["translated"] == "long"
    assert rows[1]["sentence_ids"] == {"fr": ["1"], "en": ["1", "2"]}
    (rejected,) = shards.read(folder / "rejected.parquet", JudgedPair)
    assert (rejected.pair.id, rejected.rejected_by) == ("Tiny/v1/en-fr:3", "verbs")
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    funnel = {stage["name"]: (stage["entered"], stage["left"]) for stage in stats["funnel"]}
    assert funnel["extract"] == (4, 3) and funnel["filter verbs"] == (3, 2) and funnel["export"] == (2, 2)
    assert stats["corpora"]["Tiny/v1"]["statistics"]["shapes"] == {"1-1": 1, "1-2": 2, "2-1": 1}
    assert "2 pairs" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_build_with_the_default_data_folder_is_below_the_working_folder(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BITEXT_PIVOT_HOME")
    monkeypatch.chdir(tmp_path)
    folder = pivot_bitext(settings(parser={"pipeline": str(ROOT / "quickstart/models/spacy-en-ud")}))
    assert folder.parent.parent == tmp_path / "data"
    assert len((folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_a_second_build_makes_nothing_anew(tiny: Path) -> None:
    first = pivot_bitext(settings())
    times = {path: path.stat().st_mtime_ns for path in tiny.rglob("*.parquet")}
    assert pivot_bitext(settings()) == first
    assert (tiny / "fr-en" / "latest").resolve() == first
    assert {path: path.stat().st_mtime_ns for path in tiny.rglob("*.parquet")} == times


def test_a_changed_threshold_of_a_dear_filter_rebuilds_only_the_verdicts(tiny: Path) -> None:
    pivot_bitext(settings())
    before = stages(tiny)
    folder = pivot_bitext(settings(sieve={"preset": "paper", "advanced": {"bertscore": {"min_score": 0.99}}}))
    assert stages(tiny) == before | {"judged": 2, "export": 2}
    assert (folder / "pairs.jsonl").read_text() == ""


def test_a_deleted_shard_is_built_alone(tiny: Path) -> None:
    folder = pivot_bitext(settings())
    expected = (folder / "pairs.jsonl").read_bytes()
    shard = next(tiny.glob("fr-en/parsed-*/Tiny-v1-00001.parquet"))
    others = {path: path.stat().st_mtime_ns for path in tiny.rglob("*.parquet") if path.parent != folder}
    del others[shard]
    content = shard.read_bytes()
    shard.unlink()
    pivot_bitext(settings())
    assert shard.read_bytes() == content
    assert {path: path.stat().st_mtime_ns for path in others} == others
    assert (folder / "pairs.jsonl").read_bytes() == expected


def test_lost_files_are_written_again(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = pivot_bitext(settings())
    expected = tree(folder)
    parsed = sorted(tiny.glob("*/parsed-*/*.parquet"))
    lost = [
        folder / "pairs.jsonl",
        parsed[0],
        parsed[1].with_name(parsed[1].name + ".json"),
        next(tiny.glob("*/alignments-*/Tiny-v1-00000.parquet")),
        next(tiny.glob("*/judged-*/Tiny-v1-00002.parquet.json")),
    ]
    for path in lost:
        path.unlink()
    times = {path: path.stat().st_mtime_ns for path in tiny.glob("*/[ps]*-*/*.parquet") if path not in parsed[:2]}
    caplog.clear()
    assert pivot_bitext(settings()) == folder
    assert all(path.exists() for path in lost)
    assert tree(folder) == expected
    assert {path: path.stat().st_mtime_ns for path in times} == times
    told = [line for line in caplog.messages if "written again" in line or "built again" in line]
    assert sorted(told) == [
        f"{folder.name} is written again: pairs.jsonl is missing",
        f"{lost[4].parent.name}/Tiny-v1-00002: its manifest is lost, built again",
        f"{parsed[1].parent.name}/Tiny-v1-00001: its manifest is lost, built again",
    ]


def test_one_shard_that_fails_does_not_stop_the_others_and_is_built_alone_next_time(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Echo.translate

    def too_few(engine: Echo, texts: list[str]) -> list[str]:
        return whole(engine, texts)[: None if "Then he watered the roses." not in texts else -1]

    monkeypatch.setattr(Echo, "translate", too_few)
    with pytest.raises(
        ShardError, match=r"1 of 3 shards were not built. Run again .*pairs-\w+/Tiny-v1-00000: .*returned 1 texts for 2"
    ):
        pivot_bitext(settings())
    assert len(list(tiny.glob("fr-en/judged-*/*.parquet"))) == 2
    monkeypatch.setattr(Echo, "translate", whole)
    times = {path: path.stat().st_mtime_ns for path in tiny.rglob("*.parquet")}
    folder = pivot_bitext(settings())
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert len((folder / "pairs.jsonl").read_text().splitlines()) == 2


def test_an_extraction_that_was_cut_off_goes_on_behind_its_last_shard(tiny: Path) -> None:
    folder = pivot_bitext(settings())
    expected = (folder / "pairs.jsonl").read_bytes()
    alignments = next(tiny.glob("fr-en/alignments-*"))
    first, *later = sorted(alignments.glob("*.parquet"))
    stamp = first.stat().st_mtime_ns
    for path in [*later, alignments / "Tiny-v1.json"]:
        path.unlink()
    assert pivot_bitext(settings()) == folder
    assert first.stat().st_mtime_ns == stamp
    assert sorted(alignments.glob("*.parquet")) == [first, *later]
    assert (folder / "pairs.jsonl").read_bytes() == expected


@pytest.mark.parametrize(("changes", "error", "words"), [
    ({"parser": {"pipeline": "en_core_nowhere"}}, SettingsError, "python -m spacy download en_core_nowhere"),
    ({"parser": {"pipeline": "quickstart/opus"}}, SettingsError, "is not a spaCy pipeline"),
    ({"translation": {"model": "quickstart/models/spacy-en-ud"}}, SettingsError, "spacy-en-ud"),
    ({"sieve": {"advanced": {"bertscore": {"model": "bert-unknown"}}}}, SettingsError, "bert-unknown"),
])  # fmt: skip
def test_a_model_that_cannot_work_is_refused_before_anything_is_fetched(
    changes: dict[str, Any], error: type[Exception], words: str, tiny: Path
) -> None:
    with pytest.raises(error, match=words):
        pivot_bitext(settings(**changes))
    assert not list(tiny.glob("*-*"))


def test_an_unknown_corpus_names_the_one_meant(tiny: Path) -> None:
    with pytest.raises(AbsentError, match=r"'Tinny' is no corpus.*Did you mean 'Tiny'"):
        pivot_bitext(settings(corpora=["Tinny/v1"]))


def test_a_corpus_without_any_candidate_is_an_empty_data_set(
    site: Path, server: str, opus: Opus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(opus({"alone": DOCUMENTS["alone"]})))
    folder = pivot_bitext(settings())
    assert (folder / "pairs.jsonl").read_text() == ""
    assert json.loads((folder / "stats.json").read_text())["corpora"]["Tiny/v1"]["links"] == 1
