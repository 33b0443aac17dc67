"""A build in a real object store: killed, taken up by processes, and with the bytes of a build on disk."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builds import tree
from object_stores import BUCKET, ObjectStore, object_store

Build = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def store() -> Iterator[ObjectStore]:
    """A store for these tests."""
    with object_store() as store:
        yield store


def test_a_build_in_an_object_store_resumes_and_ends_with_the_same_bytes(
    build: Build, store: ObjectStore, tmp_path: Path
) -> None:
    there = {"BITEXT_PIVOT_BUILDS": f"s3://{BUCKET}/builds", "BITEXT_PIVOT_WORKERS": "1", **store.environment}
    killed = build(tmp_path / "one", "translate 3", **there)
    assert killed.returncode == -signal.SIGKILL
    before = store.objects("builds/fr-en/")
    assert sum("/pairs-" in key and key.endswith(".parquet") for key in before) == 1
    # another machine: nothing but the store is left
    resumed = build(tmp_path / "two", **{**there, "BITEXT_PIVOT_RUNNER": "processes", "BITEXT_PIVOT_WORKERS": "2"})
    assert resumed.returncode == 0, resumed.stderr[-3_000:]
    after = store.objects("builds/fr-en/")
    assert {key: after[key] for key in before} == before
    assert resumed.stdout.strip().splitlines()[-1].startswith(f"s3://{BUCKET}/builds/fr-en/export-")
    on_disk = build(tmp_path / "disk")
    assert on_disk.returncode == 0, on_disk.stderr[-3_000:]
    wanted = tree(Path(on_disk.stdout.strip().splitlines()[-1]))
    there_now = {key.rpartition("/")[2]: store.bytes(key) for key in after if "/export-" in key}
    assert there_now == wanted
    assert not list((tmp_path / "two").glob("fr-en"))
    assert not any("probe-" in key or "partial" in key for key in after)
    assert "s3-secret-77" not in resumed.stdout + resumed.stderr + "".join(map(str, wanted.values()))


def test_a_bucket_that_is_not_there_is_refused_before_anything_is_fetched(
    build: Build, store: ObjectStore, tmp_path: Path
) -> None:
    refused = build(tmp_path / "home", BITEXT_PIVOT_BUILDS="s3://nonesuch/builds", **store.environment)
    assert refused.returncode != 0
    assert "Shards cannot be written to s3://nonesuch/builds/fr-en" in refused.stderr
    assert not (tmp_path / "home" / "opus").exists()
