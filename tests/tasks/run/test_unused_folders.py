"""What a data folder keeps: data sets, the shards that they need, and nothing else."""

import fcntl
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.records import Pair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.core.storage.shards import write
from bitext_pivot.tasks.run import unused_folders
from bitext_pivot.tasks.run.targets import Target

CHAIN = ["alignments-00000000", "pairs-00000000", "judged-00000000"]
UNUSED = [
    "discofuse-en/divided-11111111",
    "es-en/alignments-22222222",
    "fr-en/divided-11111111",
    "fr-en/judged-11111111",
    "opus/UN/v2",
]


def shards(folder: Path, *inputs: str) -> None:
    """Write a folder of shards whose key names others."""
    target = Target(folder / "a.parquet", {"input": list(inputs)})
    write(target.path, Pair, [], target.facts())


def data_set(folder: Path, shard: str, source: str, number: int) -> None:
    signature = {"settings": {"min": number}, "sources": {source: {}}}
    counts = {"subset": {"train": 1200}}
    stats = {"title": source, "counts": counts, "shards": [f"{shard}/a.parquet"]}
    atomic.write_json(folder / "stats.json", {**stats, "signature": signature})
    manifest.write(folder, {}, ["stats.json"])


def filled(home: Path) -> Path:
    """Return a home: data sets of two recipes with their shards, the shards of others that are gone, downloads."""
    pair, text = home / "fr-en", home / "en"
    shards(pair / CHAIN[0])
    shards(pair / CHAIN[1], CHAIN[0])
    shards(pair / CHAIN[2], CHAIN[1])
    shards(pair / "divided-00000000", CHAIN[2])
    shards(pair / "judged-11111111", CHAIN[1])
    shards(pair / "divided-11111111", "judged-11111111")
    shards(text / "sentences-33333333")
    shards(text / "fused-33333333", "sentences-33333333")
    shards(home / "discofuse-en" / "divided-33333333", "fused-33333333")
    shards(home / "discofuse-en" / "divided-11111111", "fused-11111111")
    shards(home / "es-en" / "alignments-22222222")
    data_set(pair / "export-00000000", CHAIN[2], "UN/v1", 0)
    data_set(pair / "export-22222222", CHAIN[2], "UN/v1", 1)
    data_set(home / "discofuse-en" / "export-33333333", "fused-33333333", "News/v2", 0)
    for name in ("UN/v1", "UN/v2", "News/v2"):
        file = home / "opus" / name / "xml" / "a.zip"
        atomic.write_text(file, "downloaded")
        atomic.write_sealed(atomic.manifest_path(file), {"bytes": 10})
    (home / "models" / "opus-mt-00000000").mkdir(parents=True)
    return home


def unused(home: Path) -> list[str]:
    """Return what is unused in a home, below it."""
    folders = unused_folders.find_unused(unused_folders.list_data_sets(home), Site(home=home))
    return [str(path.relative_to(home)) for path in folders]


def foreign_folder(home: Path) -> None:
    """Write folders that are named as those of this program."""
    (home / "project" / "report-cafebabe").mkdir(parents=True)
    (home / "project" / "report-cafebabe" / "a.parquet").write_text("{}", encoding="utf-8")
    atomic.write_text(home / "opus" / "mine" / "notes" / "a.txt", "mine")


def link(home: Path) -> None:
    """Move a folder of shards elsewhere, and a folder of all shards of a pair; leave links."""
    elsewhere = home / "other disk"
    elsewhere.mkdir()
    for name in (UNUSED[1], "discofuse-en"):
        (home / name).rename(elsewhere / name.replace("/", " "))
        (home / name).symlink_to(elsewhere / name.replace("/", " "))


def foreign_file(home: Path) -> None:
    """Write a file of the user's own among shards."""
    (home / UNUSED[3] / "notes.txt").write_text("mine", encoding="utf-8")


CHANGES = {foreign_folder: set[str](), link: {*UNUSED[:2]}, foreign_file: {UNUSED[3]}}
"""What is not listed any more after a change."""


@given(
    changes=st.sets(st.sampled_from([*CHANGES])),
    damage=st.none() | st.integers(0, 1 << 32),
    value=st.integers(1, 255),
)
def test_what_is_needed_or_foreign_is_never_listed(
    whole: Path, changes: set[Any], damage: int | None, value: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve() / "home"
        shutil.copytree(whole, home)
        expected = {*UNUSED}.difference(*(CHANGES[change] for change in changes))
        damaged: set[str] = set()
        if damage is not None:
            files = sorted(path for path in home.rglob("*") if path.is_file())
            path = files[damage % len(files)]
            content = bytearray(path.read_bytes())
            content[damage // len(files) % len(content)] ^= value
            path.write_bytes(content)
            damaged = {name for name in UNUSED if path.is_relative_to(home / name)}
        for change in changes:
            change(home)
        try:
            listed = {*unused(home)}
        except BuildError:  # it may need anything
            assert damage is not None and not damaged
        else:
            assert expected - damaged <= listed <= expected


@pytest.mark.parametrize(
    "name", ["fr-en/my-corpus", "fr-en/old/mine", "mine", "fr-en/older/export-00000000"]
)
def test_a_data_set_that_was_moved_or_renamed_needs_its_shards(home: Path, name: str) -> None:
    target = home / name
    target.parent.mkdir(exist_ok=True)
    (home / "fr-en" / "export-00000000").rename(target)
    (home / "fr-en" / "export-22222222").rename(home / "second")
    (home / "fr-en" / "latest").symlink_to(target)
    assert unused(home) == UNUSED
    assert len(unused_folders.list_data_sets(home)) == 3


def test_nothing_is_listed_while_a_build_runs(home: Path) -> None:
    lock = home / "fr-en" / "judged-44444444" / ".b.parquet.lock"
    lock.parent.mkdir()
    lock.touch()
    assert unused(home) == UNUSED
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(BuildError, match="holds"):
            unused(home)


def test_downloads_are_not_listed_where_data_sets_may_be_elsewhere(
    home: Path, tmp_path: Path
) -> None:
    builds = tmp_path / "builds"
    shutil.copytree(home / "es-en", builds / "es-en")
    site = Site(home=home, builds=str(builds))
    assert unused_folders.find_unused(unused_folders.list_data_sets(builds), site) == [
        builds / "es-en" / "alignments-22222222"
    ]


def test_the_command_lists_data_sets_or_what_none_needs(
    home: Path,
    done: Said,
    refused: Said,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = done("builds")
    assert all(text in table for text in ("1,200", "UN/v1", "min=0", "min=1"))
    assert done("builds", "--unused").split() == [str(home / name) for name in UNUSED]
    (home / "fr-en" / "export-00000000" / "stats.json").write_text("{}", encoding="utf-8")
    assert "damaged: build it again" in done("builds")
    assert "export-00000000 is damaged" in refused("builds", "--unused")
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(home / "empty"))
    assert done("builds").startswith(str(home / "empty"))
    assert main(["builds", "--unused"]) == 0
    assert capsys.readouterr() == ("", "bitext-pivot: All folders are used.\n")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that no test changes."""
    return filled(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that the environment names."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    return filled(tmp_path / "home")
