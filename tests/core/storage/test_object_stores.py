"""Shards in a real object store: there whole or not at all, seen by others at once, and refused before a build."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from object_stores import BUCKET, ObjectStore, object_store
from upath import UPath

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.records import Pair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, folders, shards

ROOT = Path(__file__).parents[3]
ROWS = [
    Pair(id=str(n), language="en", long="a b", split=("a", "b"), pivot=None, translated=None, engine=None,
         alignment=None) for n in range(3)
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectStore]:
    """A store for these tests."""
    with object_store() as store:
        yield store


@pytest.fixture
def folder(
    server: ObjectStore, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """The folder of a pair's builds in the store, another one for each test."""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    return Site(builds=f"s3://{BUCKET}/{request.node.name}").build_folder("en-fr")


def test_a_shard_has_the_bytes_that_it_has_on_disk(
    folder: Path, server: ObjectStore, tmp_path: Path
) -> None:
    local = tmp_path / folder.name / "a.parquet"
    for path in (local, folder / "a.parquet"):
        shards.write(path, Pair, ROWS, {"skips": {}})
    (manifest, shard) = (server.bytes(f"{_key(folder)}/a.parquet{end}") for end in (".json", ""))
    assert shard == local.read_bytes()
    assert manifest == atomic.manifest_path(local).read_bytes()
    assert list(shards.read(folder / "a.parquet", Pair)) == ROWS
    assert len(server.objects(_key(folder))) == 2  # nothing temporary


def test_what_another_machine_builds_or_removes_is_seen_at_once(
    folder: Path, server: ObjectStore
) -> None:
    shards.write(folder / "a.parquet", Pair, ROWS)
    assert [path.name for path in folder.glob("*.parquet")] == ["a.parquet"]
    server.client.put_object(Bucket=BUCKET, Key=f"{_key(folder)}/b.parquet", Body=b"")
    server.client.delete_object(Bucket=BUCKET, Key=f"{_key(folder)}/a.parquet")
    assert (folder / "b.parquet").exists() and not (folder / "a.parquet").exists()


@pytest.mark.parametrize("step", [
    "put_object",
    pytest.param("upload_part", marks=pytest.mark.nightly),
    pytest.param("complete_multipart_upload", marks=pytest.mark.nightly),
])  # fmt: skip
def test_a_killed_upload_shows_nothing_and_the_next_is_whole(
    step: str, folder: Path, server: ObjectStore, tmp_path: Path
) -> None:
    size = 1_000 if step == "put_object" else 12_000_000  # which here goes in parts
    script = (
        "import os, signal, sys\nimport s3fs\nfrom upath import UPath\nfrom bitext_pivot.core.storage import atomic\n"
        "ask = s3fs.S3FileSystem._call_s3\n"
        "async def deadly(self, method, *arguments, **options):\n"
        f"    if method == {step!r} and options.get('PartNumber', 2) == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return await ask(self, method, *arguments, **options)\n"
        "s3fs.core.calculate_chunksize = lambda size, chunksize: 5 * 2**20\n"
        "if sys.argv[2] == 'deadly': s3fs.S3FileSystem._call_s3 = deadly\n"
        f"with atomic.replacing(UPath(sys.argv[1])) as partial: partial.write_bytes(bytes({size}))\n"
    )

    def upload(how: str) -> int:
        command = [sys.executable, "-c", script, str(folder / "a.bin"), how]
        variables = server.environment | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, env=variables, cwd=ROOT, capture_output=True).returncode

    assert upload("deadly") == -9
    assert server.objects(_key(folder)) == {} and not (folder / "a.bin").exists()
    assert upload("well") == 0
    assert server.bytes(f"{_key(folder)}/a.bin") == bytes(size)


def test_a_store_that_refuses_leaves_nothing_and_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = UPath(f"s3://nonesuch/{folder.name}/a.parquet", use_listings_cache=False)
    with pytest.raises(
        ShardError, match=r"a\.parquet\S* cannot be written \(.*bucket does not exist.*run again"
    ):
        shards.write(other, Pair, ROWS)  # type: ignore[arg-type]


def test_a_folder_in_a_store_is_tried_out(folder: Path, server: ObjectStore) -> None:
    folders.try_out(folder)
    assert server.objects(_key(folder)) == {}


def unreachable() -> Path:
    options: dict[str, Any] = {
        "endpoint_url": "http://127.0.0.1:9",
        "config_kwargs": {"retries": {"max_attempts": 0}},
    }
    path: Any = UPath("s3://elsewhere/builds", **options)
    return cast("Path", path)


def at(address: str) -> Path:
    return Site(builds=address).build_folder("en-fr")


REFUSED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no bucket": (
        lambda _: at("s3://nonesuch/builds"),
        "Files cannot be written to s3://nonesuch/.*Set BITEXT_PIVOT",
    ),
    "no protocol": (
        lambda _: at("nonesuch://builds"),
        "'nonesuch://builds' is no address .*Expected a folder, or an obj",
    ),
    "no package": (
        lambda _: at("gs://bucket/builds"),
        r"a package that is not installed here.*'bitext-pivot\[s3\]'",
    ),
    "no answer": (lambda _: unreachable(), "Files cannot be written to .*Set BITEXT_PIVOT_BUILDS"),
    "no folder": (
        lambda file: file / "en-fr",
        "Files cannot be written to .*Set BITEXT_PIVOT_BUILDS",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_unusable_folder_is_refused_before_a_build(
    case: str, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    open_folder, message = REFUSED[case]
    with pytest.raises(SettingsError, match=message):
        folders.try_out(open_folder(tmp_path / "file"))


def _key(folder: Path) -> str:
    return str(folder).removeprefix(f"s3://{BUCKET}/")
