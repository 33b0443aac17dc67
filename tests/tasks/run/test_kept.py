"""What a data folder keeps: data sets, the shards that they need, and nothing else."""

from pathlib import Path

import pytest

from bitext_pivot.commands.main import main
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.tasks.run import kept
from bitext_pivot.tasks.run.targets import Target

CHAIN = ["alignments-00000000", "pairs-00000000", "judged-00000000"]


def shards(folder: Path, *inputs: str) -> None:
    """Write a folder of shards whose key names others."""
    (folder / "a.parquet").parent.mkdir(parents=True)
    (folder / "a.parquet").write_bytes(b"12345")
    Target(folder / "a.parquet", {"input": list(inputs)}).record()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data set with its shards, the shards of another one that is gone, and two downloads."""
    pair = tmp_path / "fr-en"
    data_set = pair / "export-00000000"
    stats = {
        "title": "fr-en: UN/v1",
        "counts": {"subset": {"train": 1200}},
        "shards": [f"{CHAIN[-1]}/a.parquet"],
        "corpora": {"UN/v1": {}},
        "signature": {"settings": {}},
    }
    atomic.write_json(data_set / "stats.json", stats)
    manifest.write(data_set, {}, ["stats.json"])
    shards(pair / CHAIN[0])
    shards(pair / CHAIN[1], CHAIN[0])
    shards(pair / CHAIN[2], CHAIN[1])
    shards(pair / "divided-00000000", CHAIN[2])
    shards(pair / "judged-11111111", CHAIN[1])
    shards(pair / "divided-11111111", "judged-11111111")
    shards(tmp_path / "es-en" / "alignments-22222222")
    for name in ("UN/v1/a.zip", "UN/v2/a.zip"):
        atomic.write_text(tmp_path / "opus" / name, "downloaded")
    (tmp_path / "models" / "opus-mt-00000000").mkdir(parents=True)
    return tmp_path


def test_what_no_data_set_needs_is_found(home: Path) -> None:
    site = Site(home=home)
    (data_set,) = kept.data_sets(home)
    assert (data_set.rows, data_set.title) == (1200, "fr-en: UN/v1")
    names = [str(path.relative_to(home)) for path in kept.unneeded([data_set], site)]
    assert names == [
        "es-en/alignments-22222222",
        "fr-en/divided-11111111",
        "fr-en/judged-11111111",
        "opus/UN/v2",
    ]


def test_it_is_named_and_deleted_on_request(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(home))
    gone = kept.unneeded(kept.data_sets(home), Site(home=home))
    for arguments, is_kept in (([], True), (["--prune"], True), (["--prune", "--yes"], False)):
        assert main(["builds", *arguments]) == 0
        assert "1,200" in capsys.readouterr().out
        assert [path.exists() for path in gone] == [is_kept] * len(gone)
    assert (home / "fr-en" / CHAIN[0] / "a.parquet").exists()
    assert kept.unneeded(kept.data_sets(home), Site(home=home)) == []
    assert (home / "models" / "opus-mt-00000000").exists()
