"""The flow against a real Prefect server: what it builds, what it builds anew, and what it says when it cannot."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from builds import DOCUMENTS, rows, tiny, tree, unlisted_parts, write_corpus
from messages import Said
from pydantic import ValidationError

from bitext_pivot.core.errors import EmptyError, SettingsError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.translation.engine import EchoEngine, TranslatedText


def settings(**changes: Any) -> PivotBitext:
    """Return the settings of a build of the tiny corpus."""
    return PivotBitext.model_validate(tiny(**changes))


def build(**changes: Any) -> Path:
    """Build the tiny corpus; return its data set."""
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    return pivot_bitext(settings(**changes))


def stages(home: Path) -> dict[str, int]:
    """How many folders each stage has."""
    names = [folder.name.rpartition("-")[0] for folder in home.glob("fr-en/*-????????")]
    return {name: names.count(name) for name in sorted(set(names))}


def test_the_parts_of_all_keys_are_those_of_the_stages(built: Path) -> None:
    assert unlisted_parts(settings(), Site(), "fr-en") == []


def test_a_build_gives_pairs_and_counts_that_add_up(built: Path) -> None:
    first, second = rows(built)
    assert (first["id"], second["id"]) == ("Tiny/v1/en-fr:1", "Tiny/v1/en-fr:2")
    assert first["split"] == DOCUMENTS["garden"][1] and first["translated"] == "split"
    assert second["split"] == DOCUMENTS["school"][0] and second["translated"] == "long"
    assert (second["sentence_ids"], second["foreign_sentence_ids"]) == (["1", "2"], ["1"])
    (rejected,) = rows(built, "rejected")
    assert (rejected["id"], rejected["rejected_by"]) == ("Tiny/v1/en-fr:3", "verbs")
    stats = json.loads((built / "stats.json").read_text(encoding="utf-8"))
    funnel = {stage["name"]: (stage["rows"], stage["lost"]) for stage in stats["funnel"]}
    assert funnel["extract"] == (3, {"shape 1-1": 1}) and funnel["filter verbs"] == (
        2,
        {"verbs": 1},
    )
    assert funnel["divide"] == (2, {})
    assert stats["counts"]["links"]["Tiny/v1"]["shapes"] == {"1-1": 1, "1-2": 2, "2-1": 1}
    assert "**2 rows**" in (built / "README.md").read_text(encoding="utf-8")


def test_a_second_build_builds_nothing_again_without_what_is_unused(
    home: Path, built: Path, done: Said
) -> None:
    shutil.rmtree(build(shard_rows=2))
    unused = done("builds", "--unused").split()
    assert {Path(path).name.rpartition("-")[0] for path in unused} >= {"alignments", "divided"}
    for path in unused:
        shutil.rmtree(path)
    times = {path: path.stat().st_mtime_ns for path in home.rglob("*.parquet")}
    assert build() == built
    assert (home / "fr-en" / "latest").resolve() == built
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.parquet")} == times


def test_documents_are_divided_and_a_lost_file_is_rewritten(home: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip(
        "datasets", reason="needs the extra dev (datasets), which is not installed here"
    )
    for name, document in (("validation", "garden"), ("test", "school")):
        (tmp_path / name).write_text(f"en/{document}.xml\n", encoding="utf-8")
    division = {
        "validation_documents": tmp_path / "validation",
        "test_documents": tmp_path / "test",
    }
    folder = build(division=division)
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))
    assert {name: loaded[name]["document"][:] for name in loaded} == {
        "validation": ["en/garden.xml"], "test": ["en/school.xml"]
    }  # fmt: skip
    assert "| test | 1 |" in (folder / "README.md").read_text(encoding="utf-8")
    files = tree(folder)
    (folder / "pairs" / "test-00000.jsonl").unlink()
    assert build(division=division) == folder
    assert tree(folder) == files


@pytest.mark.nightly
def test_a_foreign_test_set_rejects_pairs_and_is_read_again(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "foreign.txt"
    folders = []
    for text in ("nothing of this build\n", DOCUMENTS["garden"][0][0].lower()):
        path.write_text(text, encoding="utf-8")
        folders.append(build(division={"contamination": [path]}))
    assert [len(rows(folder)) for folder in folders] == [2, 1]
    assert [row["rejected_by"] for row in rows(folders[1], "rejected")] == [
        "in foreign.txt",
        "verbs",
    ]
    funnel = json.loads((folders[1] / "stats.json").read_text(encoding="utf-8"))["funnel"]
    assert funnel[-1] == {"name": "divide", "rows": 1, "lost": {"in foreign.txt": 1}}
    once = dict.fromkeys(("alignments", "judged", "pairs", "parsed", "scored"), 1)
    assert stages(home) == once | dict.fromkeys(("held-out", "divided", "export"), 2)


def test_a_corpus_of_the_division_that_is_absent_is_refused() -> None:
    with pytest.raises(
        ValueError,
        match="division names Books, which this build does not read: expected one of Tiny",
    ):
        settings(division={"test_corpora": ["Books"]})


def test_a_failed_shard_stops_no_other_and_is_built_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = EchoEngine.translate

    def too_few(engine: EchoEngine, texts: list[str]) -> list[TranslatedText]:
        return whole(engine, texts)[: None if "Then he watered the roses." not in texts else -1]

    monkeypatch.setattr(EchoEngine, "translate", too_few)
    with pytest.raises(
        ShardError,
        match=r"1 of 3 shards were not built. Run again .*pairs-\w+/Tiny-v1-00000: .*returned 1 texts for 2",
    ):
        build()
    assert len(list(home.glob("fr-en/judged-*/*.parquet"))) == 2
    monkeypatch.setattr(EchoEngine, "translate", whole)
    times = {path: path.stat().st_mtime_ns for path in home.rglob("*.parquet")}
    folder = build()
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert len(rows(folder)) == 2


def test_an_extraction_that_was_cut_off_goes_on(home: Path, built: Path) -> None:
    expected = tree(built)
    alignments = next(home.glob("fr-en/alignments-*"))
    first, *later = sorted(alignments.glob("*.parquet"))
    stamp = first.stat().st_mtime_ns
    for path in later:
        path.unlink()
    assert build() == built
    assert first.stat().st_mtime_ns == stamp
    assert sorted(alignments.glob("*.parquet")) == [first, *later]
    assert tree(built) == expected


@pytest.mark.parametrize(("changes", "error", "words"), [
    ({"parser": {"pipeline": "en_core_nowhere"}}, SettingsError, "python -m spacy download en_core_nowhere"),
    ({"parser": {"pipeline": "quickstart/opus"}}, SettingsError, "cannot be loaded as a spaCy pipeline"),
    ({"translation": {"model": "quickstart/models/spacy-en-ud"}}, SettingsError, "spacy-en-ud"),
    ({"filters": {"advanced": {"bertscore": {"model": "bert-unknown"}}}}, ValidationError, "bert-unknown"),
])  # fmt: skip
def test_an_unusable_model_is_refused_before_anything_is_fetched(
    changes: dict[str, Any], error: type[Exception], words: str, home: Path
) -> None:
    with pytest.raises(error, match=words):
        build(**changes)
    assert not list(home.glob("*-*"))


def test_an_unknown_corpus_names_the_one_meant(home: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"'OPUS-Tinny' is not a file or folder.*Did you mean 'OPUS-Tiny'"
    ):
        build(corpora=["Tinny/v1"])


def test_a_corpus_without_any_candidate_ends_before_translation(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opus = write_corpus(tmp_path / "opus", {"alone": DOCUMENTS["alone"]})
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(opus))
    with pytest.raises(EmptyError, match="there is nothing to build"):
        build()
