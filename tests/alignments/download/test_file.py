import hashlib
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignments.download.answers import Extent, PassingError
from alignments.download.file import Download, requests
from alignments.download.sessions import Session, Transfer
from pairs.errors import AbsentError, SourceError

ROOT = Path(__file__).parents[3]
NAME = "en.zip"
SIZE = 600_000
BODY = random.Random(1).randbytes(SIZE)
HASTY = Transfer(timeout=0.4, attempts=4, pause=0.001)
SCRIPT = """
import logging, sys
from pathlib import Path
from alignments.download.file import Download
from alignments.download.sessions import Session, Transfer
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
url, path = sys.argv[1], Path(sys.argv[2])
with Session(Transfer(), url, "a file", logging.getLogger()) as session:
    Download(session, url, path).run()
"""


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
def bring(mirror: Any, path: Path, remote: Path) -> Iterator[Callable[..., Download]]:
    """Download the file; takes another transfer."""

    def run(transfer: Transfer = HASTY) -> Download:
        with Session(transfer, mirror.base, "what nobody has", logging.getLogger("test")) as session:
            download = Download(session, f"{mirror.base}/{NAME}", path)
            download.run()
            return download

    return run


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def _manifest(path: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(path.with_name(path.name + ".json").read_text())
    return facts


def _is_whole(path: Path, body: bytes = BODY) -> bool:
    """Whether the file and its manifest are right and nothing else is left."""
    left = sorted(other.name for other in path.parent.iterdir() if other.suffix != ".lock")
    facts = _manifest(path)
    right = (facts["bytes"], facts["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
    return path.read_bytes() == body and right and left == [path.name, path.name + ".json"]


def test_a_file_comes_with_its_manifest_and_a_line_in_the_log(
    bring: Callable[..., Download], path: Path, mirror: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    bring()
    assert _is_whole(path)
    assert _manifest(path)["url"] == f"{mirror.base}/{NAME}"
    assert _manifest(path)["etag"] == f'"{hashlib.md5(BODY).hexdigest()}"'
    assert mirror.requests == [f"HEAD {NAME}", f"GET {NAME}"]
    (line,) = caplog.messages
    assert line.startswith("en.zip: 0.6 MB in ")
    assert line.endswith(" MB/s")


@pytest.mark.parametrize(
    "fault", ["", "chunked", "nohead", "novalidator", "weak", "dated", "young", "redirect", "norange"]
)
def test_a_server_may_be_of_any_kind(bring: Callable[..., Download], path: Path, mirror: Any, fault: str) -> None:
    mirror.faults[NAME] = fault
    bring()
    assert _is_whole(path)
    assert mirror.sent[NAME] < SIZE + 100


@pytest.mark.parametrize("fault", ["", "dated", "redirect"])
def test_what_has_come_before_a_cut_is_not_asked_for_again(
    bring: Callable[..., Download],
    path: Path,
    mirror: Any,
    remote: Path,
    fault: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    validator = "" if fault == "redirect" else fault
    mirror.faults[NAME] = f"cut {fault}"
    with pytest.raises(PassingError, match=r"en\.zip did not come whole \(RemoteProtocolError"):
        bring(Transfer(attempts=1))
    assert (_part(path).read_bytes(), path.exists()) == (BODY[: SIZE // 2], False)
    mirror.faults[NAME] = validator
    caplog.set_level(logging.INFO)
    assert bring().received == SIZE // 2
    assert mirror.parts == [(NAME, SIZE // 2, SIZE)]
    assert mirror.headers[-1]["If-Range"] in mirror._validators(remote, BODY, fault.split()).values()
    assert _is_whole(path)
    assert caplog.messages[-1].endswith(" MB/s, resumed at 0.3 MB")


@pytest.mark.parametrize("fault", ["novalidator", "weak", "young"])
def test_without_a_sure_sign_of_the_version_a_file_is_begun_again(
    bring: Callable[..., Download], path: Path, mirror: Any, fault: str
) -> None:
    mirror.faults[NAME] = f"cut {fault}"
    with pytest.raises(PassingError):
        bring(Transfer(attempts=1))
    mirror.faults[NAME] = fault
    assert bring().received == SIZE
    assert mirror.parts == []
    assert _is_whole(path)


@pytest.mark.parametrize("same_size", [True, False])
def test_a_file_that_changed_since_is_never_stitched_together(
    bring: Callable[..., Download], path: Path, mirror: Any, remote: Path, same_size: bool
) -> None:
    mirror.faults[NAME] = "cut"
    with pytest.raises(PassingError):
        bring(Transfer(attempts=1))
    mirror.faults.clear()
    other = BODY[::-1] if same_size else BODY[::-1] + b"more"
    remote.write_bytes(other)
    bring()
    assert _is_whole(path, other)


@pytest.mark.parametrize("fault", ["", "careless"])
def test_a_file_that_changes_between_two_requests_is_never_stitched_together(
    bring: Callable[..., Download], path: Path, mirror: Any, remote: Path, fault: str
) -> None:
    mirror.faults[NAME] = [f"cut changing {fault}", fault, fault]
    bring()
    assert _is_whole(path, bytes([BODY[0] ^ 255]) + BODY[1:])


def test_a_file_that_changes_all_the_time_is_given_up(
    bring: Callable[..., Download], path: Path, mirror: Any, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = Session.head

    def changing(session: Session, url: str) -> Any:
        found = head(session, url)
        remote.write_bytes(os.urandom(SIZE))
        return found

    monkeypatch.setattr(Session, "head", changing)
    with pytest.raises(PassingError, match=r'is not the file it was a moment ago: 600000 bytes, ETag ".*Run again'):
        bring()
    assert not path.exists()


@pytest.mark.parametrize("fault", ["503", "500", "429", "429 after=0", "408", "cut", "hang"])
def test_bad_weather_that_passes_is_sat_out_and_logged(
    bring: Callable[..., Download], path: Path, mirror: Any, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    mirror.faults[NAME] = [fault, fault]
    bring()
    assert _is_whole(path)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert f"{NAME}: attempt 2 failed, next in 0.0 s. {mirror.base}/{NAME}" in caplog.text


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("503", r"en\.zip answered 503, expected 200\. Try again later, or another mirror\."),
        ("429 after=0", r"en\.zip answered 429, expected 200, and asks to wait 0 s\."),
        ("cut", "did not come whole"),
        ("hang", r"did not come whole \(ReadTimeout"),
    ],
)
def test_bad_weather_that_stays_is_given_up_after_the_attempts(
    bring: Callable[..., Download], path: Path, mirror: Any, fault: str, message: str
) -> None:
    mirror.faults[NAME] = fault
    with pytest.raises(PassingError, match=message):
        bring(Transfer(timeout=0.2, attempts=3, pause=0.001))
    assert mirror.requests.count(f"{'HEAD' if fault[0] in '45h' else 'GET'} {NAME}") == 3
    assert not path.exists()


@pytest.mark.parametrize(("fault", "kind"), [("404", AbsentError), ("410", AbsentError), ("401", SourceError)])
def test_what_will_not_pass_is_asked_once(
    bring: Callable[..., Download], mirror: Any, fault: str, kind: type[SourceError]
) -> None:
    mirror.faults[NAME] = fault
    with pytest.raises(kind, match=rf"en\.zip .*{fault}") as caught:
        bring()
    assert not isinstance(caught.value, PassingError)
    assert mirror.requests == [f"HEAD {NAME}"]


def test_a_long_file_that_is_cut_again_and_again_comes_as_long_as_it_grows(
    bring: Callable[..., Download], path: Path, mirror: Any, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alignments.download.sessions._PROGRESS", SIZE // 20)
    mirror.faults[NAME] = ["cut"] * 4
    bring(Transfer(attempts=2, pause=0.001))
    assert [start for _, start, _ in mirror.parts] == [SIZE // 2, SIZE * 3 // 4, SIZE * 7 // 8, SIZE * 15 // 16]
    assert _is_whole(path)


def test_a_file_that_is_shorter_than_announced_is_never_taken_for_whole(
    bring: Callable[..., Download], path: Path, mirror: Any
) -> None:
    mirror.faults[NAME] = "short"
    with pytest.raises(PassingError, match=r"is not the file it was a moment ago: 600000 bytes, .* now 300000 bytes"):
        bring()
    assert not path.exists()


def test_a_file_that_is_longer_than_announced_is_never_taken_for_whole(
    bring: Callable[..., Download], path: Path, mirror: Any
) -> None:
    mirror.faults[NAME] = "long"
    with pytest.raises(PassingError, match="ended at byte 600004, expected 600000"):
        bring()
    assert (path.exists(), _part(path).stat().st_size) == (False, 0)


def test_a_part_that_begins_elsewhere_is_refused(bring: Callable[..., Download], path: Path, mirror: Any) -> None:
    mirror.faults[NAME] = ["cut", "shifted"]
    with pytest.raises(
        SourceError, match=r"bytes 300000-599999 with 'bytes 299999-599999/600000'\. Use another mirror"
    ):
        bring()
    assert _part(path).read_bytes() == BODY[: SIZE // 2]


def test_a_server_that_knows_no_parts_sends_the_whole_again(
    bring: Callable[..., Download], path: Path, mirror: Any
) -> None:
    mirror.faults[NAME] = ["cut", "norange"]
    assert bring().received == SIZE // 2 + SIZE
    assert _is_whole(path)


@pytest.mark.parametrize("harm", ["longer", "other", "no state", "damaged state"])
def test_a_part_that_is_not_as_its_state_says_does_no_harm(
    bring: Callable[..., Download], path: Path, mirror: Any, harm: str
) -> None:
    mirror.faults[NAME] = "cut"
    with pytest.raises(PassingError):
        bring(Transfer(attempts=1))
    mirror.faults.clear()
    state = path.with_name(path.name + ".part.json")
    {
        "longer": lambda: _part(path).write_bytes(BODY + b"more"),
        "other": lambda: state.write_text(state.read_text().replace(NAME, "fr.zip")),
        "no state": state.unlink,
        "damaged state": lambda: state.write_text("{"),
    }[harm]()
    bring()
    assert _is_whole(path)


def test_a_kill_between_the_name_and_the_manifest_costs_no_byte(
    bring: Callable[..., Download], path: Path, mirror: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_self: Path, target: Path) -> Path:
        _self.rename(target)
        if target.name == NAME:
            raise KeyboardInterrupt
        return target

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Path, "replace", killed)
        bring()
    assert path.read_bytes() == BODY
    assert bring().received == 0
    assert _is_whole(path)


def test_the_manifest_of_an_older_file_is_not_believed_of_a_newer_one(
    bring: Callable[..., Download], path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring()
    path.unlink()
    remote.write_bytes(BODY[::-1])
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("alignments.download.parts.atomic.write_json", _stop_at_the_manifest)
        bring()
    assert not path.with_name(NAME + ".json").exists()
    bring()
    assert _is_whole(path, BODY[::-1])


def _stop_at_the_manifest(path: Path, value: Any) -> None:
    if path.name == NAME + ".json":
        raise KeyboardInterrupt
    path.write_text(json.dumps(value))


def _start(mirror: Any, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, f"{mirror.base}/{NAME}", str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_killed_process_leaves_what_it_has_and_the_next_goes_on(
    bring: Callable[..., Download], path: Path, mirror: Any
) -> None:
    mirror.faults[NAME] = "gated"
    process = _start(mirror, path)
    _until(lambda: _part(path).exists() and _part(path).stat().st_size == SIZE // 2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not path.exists()
    mirror.faults.clear()
    assert bring().received == SIZE // 2
    assert _is_whole(path)


def test_two_processes_bring_a_file_once(path: Path, mirror: Any, remote: Path) -> None:
    mirror.faults[NAME] = "gated"
    first = _start(mirror, path)
    _until(_part(path).exists)
    second = _start(mirror, path)
    assert second.stdout is not None
    assert second.stdout.readline().endswith("en.zip is being built by another run; waiting for it\n")
    mirror.gate.set()
    told = [process.communicate(timeout=30)[0] for process in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0)
    assert mirror.requests == [f"HEAD {NAME}", f"GET {NAME}"]
    assert (told[0][:18], told[1]) == ("en.zip: 0.6 MB in ", "")
    assert _is_whole(path)


def test_many_threads_bring_a_file_once(
    bring: Callable[..., Download], path: Path, mirror: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    mirror.faults[NAME] = "gated"
    with ThreadPoolExecutor(4) as pool:
        coming = [pool.submit(bring, Transfer()) for _ in range(4)]
        _until(lambda: caplog.text.count("waiting for it") == 3)
        mirror.gate.set()
        assert sorted(future.result().received for future in coming) == [0, 0, 0, SIZE]
    assert _is_whole(path)


@st.composite
def _extents(draw: st.DrawFn) -> list[Extent]:
    borders = draw(st.lists(st.integers(0, 500), unique=True, max_size=30).map(sorted))
    return [Extent(*pair) for pair in zip(borders[::2], borders[1::2], strict=False)]


@given(_extents(), st.integers(0, 60), st.integers(1, 200))
def test_requests_cover_all_extents_once_and_read_over_small_gaps_only(
    extents: list[Extent], gap: int, limit: int
) -> None:
    found = list(requests(extents, gap=gap, limit=limit))
    wanted = [byte for extent in extents for byte in range(*extent)]
    assert [byte for request in found for extent in request.extents for byte in range(*extent)] == wanted
    for request in found:
        assert request.end - request.start <= limit
        assert (request.start, request.end) == (request.extents[0].start, request.extents[-1].end)
        assert all(0 <= after.start - before.end <= gap for before, after in pairwise(request.extents))
    for before, after in pairwise(found):
        first = after.extents[0]
        assert first.start - before.end > gap or first.end - before.start > limit


def test_neighbours_within_the_gap_are_asked_for_at_once() -> None:
    extents = [Extent(0, 10), Extent(14, 20), Extent(25, 60)]
    assert [request[:2] for request in requests(extents, gap=4, limit=30)] == [(0, 20), (25, 55), (55, 60)]
    assert [request[:2] for request in requests(extents, gap=3, limit=100)] == [(0, 10), (14, 20), (25, 60)]
    assert [request[:2] for request in requests(extents, gap=5, limit=100)] == [(0, 60)]
