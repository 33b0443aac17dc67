"""Downloads of one file: faults of servers, resuming, changed files, kills, concurrent runs, full disks."""

import hashlib
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from messages import Golden
from served import PATIENCE, until
from web import etag

from bitext_pivot.alignments.download.file_download import FileDownload
from bitext_pivot.alignments.download.responses import TransientError, UnknownHostError
from bitext_pivot.alignments.download.session import DownloadSession, HaltedError
from bitext_pivot.core.errors import AbsentError, ShardError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

ROOT = Path(__file__).parents[3]
NAME = "en.zip"
SIZE = 600_000
BODY = random.Random(1).randbytes(SIZE)
SCRIPT = """
import logging, sys
from pathlib import Path
from bitext_pivot.alignments.download.file_download import FileDownload
from bitext_pivot.alignments.download.session import DownloadSession
from bitext_pivot.core.site import Site
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
url, path = sys.argv[1], Path(sys.argv[2])
with DownloadSession(Site(opus=url), "a file", logging.getLogger()) as session:
    FileDownload(session, url, path).run()
"""
Bring = Callable[..., FileDownload]


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    path = tmp_path / "base" / NAME
    path.parent.mkdir()
    path.write_bytes(BODY)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / NAME


@pytest.fixture
def patience(request: pytest.FixtureRequest) -> float:
    """Seconds to wait for an answer: few only where the mirror hangs."""
    return float(getattr(request, "param", PATIENCE))


HANGS = pytest.mark.parametrize("patience", [0.4], indirect=True)


@pytest.fixture
def session(mirror: Any, remote: Path, patience: float) -> Iterator[DownloadSession]:
    with DownloadSession(
        Site(opus=mirror.base, timeout=patience), "this file", logging.getLogger("test")
    ) as opened:
        yield opened


@pytest.fixture
def bring(
    mirror: Any, path: Path, session: DownloadSession, monkeypatch: pytest.MonkeyPatch
) -> Bring:
    """FileDownload the file; takes another number of attempts."""

    def run(attempts: int = 4) -> FileDownload:
        monkeypatch.setattr("bitext_pivot.alignments.download.file_download.ATTEMPTS", attempts)
        download = FileDownload(session, f"{mirror.base}/{NAME}", path)
        download.run()
        return download

    return run


@pytest.fixture
def half(bring: Bring, mirror: Any, part: Path) -> Path:
    """Half of the file, left by a download whose connection was cut."""
    mirror.faults[NAME] = "cut"
    with pytest.raises(
        TransientError, match=r"en\.zip was not received completely \(RemoteProtocolError"
    ):
        bring(attempts=1)
    assert part.read_bytes() == BODY[: SIZE // 2]
    mirror.faults.clear()
    return part


@pytest.fixture
def part(path: Path) -> Path:
    return path.with_name(NAME + ".part")


def is_whole(path: Path, body: bytes = BODY) -> bool:
    """Return True if the file and its manifest are right and nothing else is left."""
    left = sorted(other.name for other in path.parent.iterdir() if other.suffix != ".lock")
    manifest = atomic.read_manifest(path)
    right = (manifest["bytes"], manifest["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
    return path.read_bytes() == body and right and left == [path.name, path.name + ".json"]


def test_manifest_and_log_line(
    bring: Bring, path: Path, mirror: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    bring()
    assert is_whole(path)
    assert atomic.read_manifest(path)["url"] == f"{mirror.base}/{NAME}"
    assert atomic.read_manifest(path)["etag"] == f'"{hashlib.md5(BODY).hexdigest()}"'
    assert mirror.requests == [f"HEAD {NAME}", f"GET {NAME}"]
    (line,) = caplog.messages
    assert line.startswith("en.zip: 0.6 MB in ")
    assert line.endswith(" MB/s")


@pytest.mark.parametrize(
    "fault", ["chunked", "nohead", "novalidator", "weak", "redirect", "norange"]
)
def test_servers_with_fewer_features(bring: Bring, path: Path, mirror: Any, fault: str) -> None:
    mirror.faults[NAME] = fault
    bring()
    assert is_whole(path)
    assert mirror.sent[NAME] < SIZE + 100


@pytest.mark.parametrize("fault", ["", "redirect"])
def test_resuming(
    half: Path, bring: Bring, path: Path, mirror: Any, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    mirror.faults[NAME] = fault
    caplog.set_level(logging.INFO)
    assert bring().received == SIZE // 2
    assert mirror.parts == [(NAME, SIZE // 2)]
    assert mirror.headers[-1]["If-Range"] == etag(BODY)
    assert is_whole(path)
    assert caplog.messages[-1].endswith(" MB/s, resumed at 0.3 MB")


@pytest.mark.parametrize("fault", ["novalidator", "weak"])
def test_without_a_strong_etag_nothing_is_resumed(
    bring: Bring, path: Path, mirror: Any, fault: str
) -> None:
    mirror.faults[NAME] = f"cut {fault}"
    with pytest.raises(TransientError):
        bring(attempts=1)
    mirror.faults[NAME] = fault
    assert bring().received == SIZE
    assert mirror.parts == []
    assert is_whole(path)


@pytest.mark.parametrize("fault", ["", "careless"])
def test_a_file_that_changes_between_two_requests_begins_again(
    bring: Bring, path: Path, mirror: Any, fault: str
) -> None:
    mirror.faults[NAME] = [f"cut changing {fault}", fault, fault]
    bring()
    assert is_whole(path, bytes([BODY[0] ^ 255]) + BODY[1:])


def test_a_file_that_changes_all_the_time_is_given_up(
    bring: Bring, path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = DownloadSession.head

    def changing(session: DownloadSession, url: str) -> Any:
        current = head(session, url)
        remote.write_bytes(os.urandom(SIZE))
        return current

    monkeypatch.setattr(DownloadSession, "head", changing)
    with pytest.raises(TransientError):
        bring()
    assert not path.exists()


@pytest.mark.parametrize("harm", ["longer", "other", "no state", "damaged state"])
def test_a_part_unlike_its_state_does_no_harm(
    half: Path, bring: Bring, path: Path, harm: str
) -> None:
    state = half.with_name(NAME + ".part.json")
    harms: dict[str, Callable[[], object]] = {
        "longer": lambda: half.write_bytes(BODY + b"more"),
        "other": lambda: state.write_text(state.read_text().replace(NAME, "fr.zip")),
        "no state": state.unlink,
        "damaged state": lambda: state.write_text("{"),
    }
    harms[harm]()
    bring()
    assert is_whole(path)


@pytest.mark.parametrize("fault", ["503", "500", "429", "429 after=0", "408", "cut"])
def test_transient_faults_are_retried_and_logged(
    bring: Bring, path: Path, mirror: Any, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    mirror.faults[NAME] = [fault, fault]
    bring()
    assert is_whole(path)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert f"{NAME}: attempt 2 failed, next in 0.0 s. {mirror.base}/{NAME}" in caplog.text


@HANGS
def test_a_mirror_that_goes_on_hanging_is_given_up(
    bring: Bring, path: Path, mirror: Any, golden: Golden
) -> None:
    mirror.faults[NAME] = "hang"
    with golden.refused(TransientError):
        bring(attempts=3)
    assert mirror.requests.count(f"HEAD {NAME}") == 3
    assert not path.exists()


@pytest.mark.parametrize(
    ("fault", "last"),
    [
        ("503", "HEAD"),
        ("429 after=0", "HEAD"),
        ("cut", "GET"),
        ("short", "GET"),
        ("long", "GET"),
    ],
)
def test_lasting_faults_are_given_up_after_the_attempts(
    bring: Bring, path: Path, mirror: Any, fault: str, last: str, golden: Golden
) -> None:
    mirror.faults[NAME] = fault
    with golden.refused(TransientError):
        bring(attempts=3)
    assert mirror.requests.count(f"{last} {NAME}") == 3
    assert not path.exists()


@pytest.mark.parametrize(
    ("fault", "kind"), [("404", AbsentError), ("410", AbsentError), ("401", SourceError)]
)
def test_final_errors_are_not_retried(
    bring: Bring, mirror: Any, fault: str, kind: type[SourceError], golden: Golden
) -> None:
    mirror.faults[NAME] = fault
    with golden.refused(kind) as caught:
        bring()
    assert not isinstance(caught.value, TransientError)
    assert mirror.requests == [f"HEAD {NAME}"]


def test_progress_earns_more_attempts(
    bring: Bring, path: Path, mirror: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitext_pivot.alignments.download.file_download.PROGRESS", SIZE // 20)
    mirror.faults[NAME] = ["cut"] * 4
    bring(attempts=2)
    assert [start for _, start in mirror.parts] == [
        SIZE // 2,
        SIZE * 3 // 4,
        SIZE * 7 // 8,
        SIZE * 15 // 16,
    ]
    assert is_whole(path)


@pytest.mark.parametrize(("has_answered", "attempts"), [(False, 1), (True, 5)])
def test_an_unknown_host_is_retried_only_after_it_sent_something(
    session: DownloadSession,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_answered: bool,
    attempts: int,
) -> None:
    requests = []

    def head(_: str) -> None:
        requests.append(1)
        raise UnknownHostError("gone")

    monkeypatch.setattr(session, "head", head)
    download = FileDownload(session, "http://host/en.zip", path)
    session.has_answered = has_answered
    with pytest.raises(UnknownHostError):
        download.run()
    assert len(requests) == attempts


def test_pauses_double_and_retry_after_is_respected(
    session: DownloadSession, path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    errors = iter(TransientError("busy", after) for after in [None] * 8 + [7.0, 0.0, 999.0, None])
    pauses: list[float] = []

    def record(timeout: float) -> None:
        pauses.append(timeout)

    monkeypatch.setattr("bitext_pivot.alignments.download.file_download.PAUSE", 5.0)
    monkeypatch.setattr(session.halted, "wait", record)
    monkeypatch.setattr(session, "head", lambda _: (_ for _ in ()).throw(next(errors)))
    monkeypatch.setattr("bitext_pivot.alignments.download.file_download.ATTEMPTS", 12)
    with golden.refused(TransientError):
        FileDownload(session, "http://host/en.zip", path).run()
    for least, pause in zip([5, 10, 20, 40, 80, 160, 300, 300], pauses, strict=False):
        assert least <= pause <= min(least + 5, 300)
    assert pauses[8:] == [7, 0, 300]


def test_a_part_with_another_start_is_refused(
    half: Path, bring: Bring, mirror: Any, golden: Golden
) -> None:
    mirror.faults[NAME] = "shifted"
    with golden.refused(SourceError):
        bring()
    assert half.read_bytes() == BODY[: SIZE // 2]


def test_a_server_without_ranges_sends_the_whole_file_again(
    half: Path, bring: Bring, path: Path, mirror: Any
) -> None:
    mirror.faults[NAME] = "norange"
    assert bring().received == SIZE
    assert is_whole(path)


def start_process(mirror: Any, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, f"{mirror.base}/{NAME}", str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_two_processes_download_a_file_once(
    path: Path, part: Path, mirror: Any, remote: Path
) -> None:
    mirror.faults[NAME] = "gated"
    first = start_process(mirror, path)
    until(part.exists)
    second = start_process(mirror, path)
    assert second.stdout is not None
    assert second.stdout.readline().endswith("en.zip is in use by another run; waiting for it\n")
    mirror.gate.set()
    output = [process.communicate(timeout=PATIENCE)[0] for process in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0)
    assert mirror.requests == [f"HEAD {NAME}", f"GET {NAME}"]
    assert (output[0][:18], output[1]) == ("en.zip: 0.6 MB in ", "")
    assert is_whole(path)


def test_a_halted_session_does_not_wait_for_a_lock(
    bring: Bring, session: DownloadSession, path: Path, golden: Golden
) -> None:
    path.parent.mkdir()
    session.halted.set()
    with ThreadPoolExecutor(1) as thread:
        lock = thread.submit(lambda: FileLock(path.with_name(f".{NAME}.lock")).acquire()).result()
        with golden.refused(HaltedError):
            bring()
        thread.submit(lock.lock.release).result()


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(
    ("frees", "fault", "is_enough"),
    [
        ([SIZE - 10], "", False),
        ([SIZE, SIZE // 2], "cut", True),
        ([SIZE, SIZE // 2 - 1], "cut", False),
    ],
)
def test_the_disk_needs_space_for_what_is_missing(
    bring: Bring,
    path: Path,
    mirror: Any,
    monkeypatch: pytest.MonkeyPatch,
    golden: Golden,
    frees: list[int],
    fault: str,
    is_enough: bool,
) -> None:
    coming = iter(frees)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, next(coming)))
    mirror.faults[NAME] = [fault]
    with nullcontext() if is_enough else golden.refused(ShardError):
        bring()
    assert path.exists() == is_enough
    assert ("GET en.zip" in mirror.requests) == bool(fault)


def test_active_downloads_need_disk_space_together(
    bring: Bring, session: DownloadSession, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, 1_000_000))
    other = lambda: 700_000  # noqa: E731
    session.pending.append(other)
    with golden.refused(ShardError):
        bring()
    assert session.pending == [other]


def test_a_full_disk_keeps_what_was_received(
    half: Path, bring: Bring, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    def full(_download: FileDownload) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(FileDownload, "_check_disk", full)
        with golden.refused(ShardError):
            bring()
    assert bring().received == SIZE // 2


@pytest.mark.parametrize(
    "cause", ["a file where the folder should be", "a folder where the file should be"]
)
def test_a_path_that_cannot_be_written_is_named(
    bring: Bring, path: Path, cause: str, golden: Golden
) -> None:
    if cause.startswith("a file"):
        path.parent.write_text("in the way")
    else:
        (path / "in the way").mkdir(parents=True)
    with golden.refused(ShardError):
        bring()


@pytest.mark.parametrize("older", [None, BODY[::-1]])
def test_a_kill_before_the_rename_loses_nothing(
    bring: Bring, path: Path, older: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if older:
        path.parent.mkdir()
        path.write_bytes(older)
    replace = Path.replace

    def killed(source: Path, target: Path) -> Path:
        if target == path:
            raise KeyboardInterrupt
        return replace(source, target)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Path, "replace", killed)
        bring()
    assert bring().received == 0
    assert is_whole(path)


def test_a_killed_process_is_resumed(bring: Bring, path: Path, part: Path, mirror: Any) -> None:
    mirror.faults[NAME] = "gated"
    process = start_process(mirror, path)
    until(lambda: part.exists() and part.stat().st_size == SIZE // 2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not path.exists()
    mirror.faults.clear()
    assert bring().received == SIZE // 2
    assert is_whole(path)
