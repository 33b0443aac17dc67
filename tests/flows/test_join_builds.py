"""The join of two builds against a real Prefect server: what it publishes, and that it resumes when it is killed."""

import base64
import json
import re
import shutil
import signal
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builds import (
    DOCUMENTS,
    QUICKSTART,
    files_without_checksum,
    rows,
    tiny,
    tree,
    unlisted_parts,
    write_corpus,
)

from bitext_pivot.core.site import Site
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.pivot_settings import PivotBitext

SPANISH = DOCUMENTS | {
    "garden": (
        DOCUMENTS["garden"][0],
        ["The gardener planted a tree.", "Next he watered the roses."],
    ),
}
JOIN = {"builds": ["fr-en", "es-en"], "division": {"validation": 0, "test": 0}}

JOINED = shutil.ignore_patterns("join-en", "joined-*", "divided-*", "held-out-*")
"""What a join writes."""


@pytest.fixture(scope="module")
def both(
    server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, pytest.MonkeyPatch]]:
    """A data folder with the builds of Tiny/v1 with two pivots, in the environment of which builds run."""
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    home, opus = tmp_path_factory.mktemp("both"), tmp_path_factory.mktemp("opus")
    write_corpus(opus, DOCUMENTS)
    write_corpus(opus, SPANISH, "es")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BITEXT_PIVOT_HOME", str(home))
        patch.setenv("BITEXT_PIVOT_OPUS", str(opus))
        for pivot in ("fr", "es"):
            pivot_bitext(PivotBitext.model_validate(tiny(pivot=pivot)))
        yield home, patch


@pytest.mark.quickstart
def test_two_builds_become_one_data_set(both: tuple[Path, pytest.MonkeyPatch]) -> None:
    from datasets import load_dataset

    from bitext_pivot.flows.join_builds import join_builds
    from bitext_pivot.tasks.ahead.inventory import finished_before

    home, _ = both
    folder = join_builds(JoinBuilds.model_validate(JOIN))
    assert finished_before(JoinBuilds.model_validate(JOIN), Site()) == folder
    assert unlisted_parts(JoinBuilds.model_validate(JOIN), Site(), "join-en") == []
    assert finished_before(JoinBuilds.model_validate(JOIN | {"builds": ["fr-en"]}), Site()) is None
    assert (home / "join-en" / "latest").resolve() == folder
    assert files_without_checksum(folder) == set()
    kept = rows(folder)
    garden = [row for row in kept if row["document"] == "en/garden.xml"]
    assert {row["pivots"] for row in garden} == {2} and len({row["group"] for row in garden}) == 1
    (school,) = [row for row in kept if row["document"] == "en/school.xml"]
    assert [source["pivot"] for source in school["sources"]] == ["es", "fr"]
    cache = str(home / "datasets")
    pairs, references = (
        load_dataset(str(folder), name, cache_dir=cache)["train"]
        for name in ("pairs", "references")
    )
    assert list(pairs["group"]) == [row["group"] for row in kept]
    assert sorted(map(len, references["references"])) == [1, 2]
    data = re.search(
        r'id="data"[^>]*>([^<]*)<', (folder / "inspector.html").read_text(encoding="utf-8")
    )
    assert data
    shown = json.loads(zlib.decompress(base64.b64decode(data[1])))
    assert "pivots" in shown["facets"] and "group" in shown["labels"]
    assert {pair["group"] for pair in shown["pairs"]} - {""} == {row["group"] for row in kept}


@pytest.mark.nightly
@pytest.mark.quickstart
def test_presets_are_built_first(both: tuple[Path, pytest.MonkeyPatch], tmp_path: Path) -> None:
    from bitext_pivot.flows import presets
    from bitext_pivot.flows.join_builds import join_builds

    home, _ = both
    names = []
    for pivot in ("es", "fr"):
        names.append(str(tmp_path / f"{pivot}.json"))
        presets.save(PivotBitext.model_validate(tiny(pivot=pivot)), Path(names[-1]))
    before = {path: path.stat().st_mtime_ns for path in home.glob("*-en/judged-*/*.parquet")}
    by_name = join_builds(JoinBuilds.model_validate(JOIN))
    assert (
        join_builds(JoinBuilds.model_validate(JOIN | {"builds": [], "presets": names})) == by_name
    )
    assert {
        path: path.stat().st_mtime_ns for path in home.glob("*-en/judged-*/*.parquet")
    } == before


@pytest.mark.nightly
@pytest.mark.quickstart
def test_a_join_killed_in_each_stage_resumes_to_the_same_bytes(
    build: Callable[..., subprocess.CompletedProcess[str]],
    both: tuple[Path, pytest.MonkeyPatch],
    tmp_path: Path,
) -> None:
    def run(home: Path, kill: str = "") -> subprocess.CompletedProcess[str]:
        return build(
            home,
            kill,
            settings=JOIN,
            FLOW="join_builds",
            BITEXT_PIVOT_OPUS=str(QUICKSTART / "opus"),
        )

    homes = [tmp_path / "whole", tmp_path / "killed"]
    for home in homes:
        shutil.copytree(both[0], home, symlinks=True, ignore=JOINED)
    for kill in ("hold-out 1", "divide 3", "join 2", "export 2"):
        assert run(homes[1], kill).returncode == -signal.SIGKILL
    folders = [Path(run(home).stdout.strip().splitlines()[-1]) for home in homes]
    assert folders[0].name == folders[1].name
    assert tree(folders[0]) == tree(folders[1])
