import logging
import shutil
from collections import namedtuple
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from alignments.download.file import Download
from alignments.download.sessions import HaltedError, Session, Transfer
from pairs.errors import ShardError

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def session(mirror: Any, tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "en.zip").write_bytes(b"e" * 1_000_000)
    with Session(Transfer(pause=0.001), mirror.base, "", logging.getLogger("test")) as opened:
        yield opened


def _download(session: Session, mirror: Any, path: Path) -> Download:
    return Download(session, f"{mirror.base}/en.zip", path)


def test_a_disk_without_room_is_refused_before_a_byte_moves(
    session: Session, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(0, 0, 999_990))
    message = r"need 1,000,000 more bytes and the disk has 999,990: 10 bytes are missing\. Free them, or name another"
    with pytest.raises(ShardError, match=message):
        _download(session, mirror, tmp_path / "home" / "en.zip").run()
    assert mirror.requests == ["HEAD en.zip"]


@pytest.mark.parametrize(("free", "enough"), [(500_000, True), (499_999, False)])
def test_room_is_needed_for_what_is_missing_only(
    session: Session, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, enough: bool
) -> None:
    frees = iter([1_000_000, free])
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(0, 0, next(frees)))
    mirror.faults["en.zip"] = ["cut"]
    with nullcontext() if enough else pytest.raises(ShardError, match=r"499,999: 1 bytes are missing"):
        _download(session, mirror, tmp_path / "home" / "en.zip").run()
    assert (tmp_path / "home" / "en.zip").exists() == enough


def test_files_on_their_way_at_the_same_time_need_room_together(
    session: Session, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(0, 0, 1_500_000))
    session.claims[tmp_path / "fr.zip"] = lambda: 700_000
    with pytest.raises(ShardError, match=r"need 1,700,000 more bytes .* 200,000 bytes are missing"):
        _download(session, mirror, tmp_path / "home" / "en.zip").run()
    assert list(session.claims) == [tmp_path / "fr.zip"]


def test_a_disk_that_fills_up_on_the_way_keeps_what_came(
    session: Session, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "home" / "en.zip"
    mirror.faults["en.zip"] = "cut"
    with pytest.raises(Exception, match="did not come whole"):
        _download(session, mirror, path).run()
    mirror.faults.clear()

    def full(_session: Session, _path: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("alignments.download.file.room", full)
        with pytest.raises(
            ShardError, match=r"en\.zip cannot be written .*No space left on device.*what has come is kept"
        ):
            _download(session, mirror, path).run()
    had = path.with_name("en.zip.part").stat().st_size
    again = _download(session, mirror, path)
    again.run()
    assert (again.received, path.stat().st_size) == (1_000_000 - had, 1_000_000)


@pytest.mark.parametrize("cause", ["a file where the folder should be", "a folder where the file should be"])
def test_a_place_that_cannot_be_written_is_named(session: Session, mirror: Any, tmp_path: Path, cause: str) -> None:
    path = tmp_path / "home" / "en.zip"
    if cause.startswith("a file"):
        path.parent.write_text("in the way")
    else:
        (path / "in the way").mkdir(parents=True)
    with pytest.raises(ShardError, match=r"home/en\.zip cannot be .*ree space or repair the folder"):
        _download(session, mirror, path).run()


def test_a_folder_that_is_read_only_is_named(
    session: Session, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("filelock.FileLock.acquire", refused)
    with pytest.raises(ShardError, match=r"en\.zip cannot be .* \(\[Errno 13\] Permission denied\)"):
        _download(session, mirror, tmp_path / "home" / "en.zip").run()


def test_a_wait_for_a_lock_can_be_halted(session: Session, mirror: Any, tmp_path: Path) -> None:
    path = tmp_path / "home" / "en.zip"
    path.parent.mkdir()
    session.halt.set()
    with ThreadPoolExecutor(1) as elsewhere:
        lock = elsewhere.submit(lambda: FileLock(path.with_name(".en.zip.lock")).acquire()).result()
        with pytest.raises(HaltedError):
            _download(session, mirror, path).run()
        elsewhere.submit(lock.lock.release).result()
