"""Extraction by a task: every kind of source becomes shards, and a run that goes on writes what is missing, no more."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.custom_bitext import CustomBitextRequest, LineFiles, locate_files
from bitext_pivot.alignments.texts import segments
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards

EN = [f"It rained in town number {n}. We left it early." for n in range(12)]
FR = [f"Comme il pleuvait dans la ville numéro {n}, nous l'avons quittée tôt." for n in range(12)]


@pytest.fixture
def extract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Path]]:
    """Run the task's function without a server on twelve lines of bitext of our own."""
    from bitext_pivot.tasks import extract as stage

    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(segments, "BATCH_SIZE", 2)
    for name, lines in (("en", EN), ("fr", FR)):
        (tmp_path / name).write_text("\n".join([*lines, lines[0]]) + "\n", encoding="utf-8")
    own = LineFiles(name="Rain", language_file=tmp_path / "en", pivot_file=tmp_path / "fr")

    def run(**settings: Any) -> list[Path]:
        bitext = Bitext(corpora=[], own=[own], shard_rows=5, **settings)
        state = stage.extract(locate_files(CustomBitextRequest(own, "en", "fr")), bitext, Site())
        return list(state.output)

    return run


def rows(paths: list[Path]) -> list[str]:
    return [alignment.id for path in paths for alignment in shards.read(path, Alignment)]


def counts(paths: list[Path], name: str) -> Counter[str]:
    """Add up the counts of all shards."""
    return sum((Counter(shards.read_manifest(path)[name]) for path in paths), Counter())


def test_lines_become_shards_with_a_duplicate_counted(extract: Callable[..., list[Path]]) -> None:
    paths = extract(extraction={"max_characters": 500})
    assert rows(paths) == [f"Rain/v1/en-fr:{n}" for n in range(1, 13)]
    assert [path.name for path in paths] == [f"Rain-v1-0000{number}.parquet" for number in (0, 1)]
    sums = sum((Counts.read(shards.read_manifest(path)["counts"]) for path in paths), Counts())
    assert sums.below("links", "Rain/v1", "shapes") == {"2-1": 13}
    assert sums.below("links", "Rain/v1", "tokens of one").total() == 12
    assert counts(paths, "skips") == {"duplicate": 1}


def test_a_run_that_moves_on_knows_its_duplicates(
    extract: Callable[..., list[Path]], tmp_path: Path
) -> None:
    whole = {path.name: path.read_bytes() for path in extract()}
    assert len(whole) == 2
    (folder,) = (tmp_path / "home" / "fr-en").iterdir()
    last = max(folder.glob("*.parquet"))
    last.unlink()
    kept = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    again = extract()
    assert {path.name: path.read_bytes() for path in again} == whole
    assert {name: (folder / name).stat().st_mtime_ns for name in kept} == kept
    assert counts(again, "skips") == {"duplicate": 1}


def test_screening_enters_the_key(extract: Callable[..., list[Path]]) -> None:
    one, other = extract(), extract(screening={"duplicates": {"enabled": False}})
    assert one[0].parent != other[0].parent
    assert len(rows(other)) == 13


@pytest.mark.parametrize("lost", ["Rain-v1-00000.parquet", "Rain-v1-00001.parquet"])
def test_a_shard_that_is_lost_is_written_again(
    lost: str, extract: Callable[..., list[Path]]
) -> None:
    whole = {path.name: path.read_bytes() for path in extract()}
    folder = extract()[0].parent
    (folder / lost).unlink()
    kept = {
        path: path.stat().st_mtime_ns
        for path in folder.glob("*.parquet")
        if not lost.startswith(path.name)
    }
    assert {path.name: path.read_bytes() for path in extract()} == whole
    assert (folder / lost).exists()
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
