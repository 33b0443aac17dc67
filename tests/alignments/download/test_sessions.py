import base64
import logging
import re
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from alignments.download import answers
from alignments.download.answers import Extent, PassingError, Remote, UnknownHostError, shown
from alignments.download.sessions import HaltedError, NoRangeError, Session
from alignments.opus import Release, Transfer, client, fetch
from pairs.errors import SettingsError, SourceError

NAME = "en.zip"
LOG = logging.getLogger("test")


@pytest.fixture
def url(mirror: Any, tmp_path: Path) -> str:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / NAME).write_bytes(b"0123456789")
    return f"{mirror.base}/{NAME}"


def _session(base: str, **transfer: Any) -> Session:
    return Session(Transfer(timeout=0.5, **transfer), base, "what nobody has", LOG)


def test_a_file_is_described_by_size_and_version(mirror: Any, url: str) -> None:
    with _session(mirror.base) as session:
        remote = session.head(url)
        assert (remote.size, remote.validator) == (10, remote.etag)
        mirror.faults[NAME] = "dated"
        dated = session.head(url)
        assert (dated.size, dated.etag, dated.validator) == (10, None, dated.modified)
        mirror.faults[NAME] = "young"
        assert session.head(url).validator is None
        mirror.faults[NAME] = "nohead"
        assert session.head(url) == Remote()


def test_an_extent_is_read_or_refused(mirror: Any, url: str) -> None:
    with _session(mirror.base) as session:
        remote = session.head(url)
        assert session.read(url, remote, Extent(2, 5)) == b"234"
        with pytest.raises(PassingError, match=r"sent 5 bytes where bytes 5 to 14 were asked for"):
            session.read(url, remote, Extent(5, 15))
        with pytest.raises(PassingError, match=r"has not the bytes asked for any more \(answer 416\)"):
            mirror.faults[NAME] = ["416"]
            session.read(url, remote, Extent(2, 5))
        mirror.faults[NAME] = "norange"
        with pytest.raises(NoRangeError):
            session.read(url, remote, Extent(2, 5))


def test_name_and_password_of_an_address_are_sent_and_never_shown(
    mirror: Any, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    base = mirror.base.replace("//", "//user:secret@")
    release = Release("Tiny", "v1", "en", "fr", form="moses")
    (tmp_path / "base" / release.lines).parent.mkdir(parents=True)
    (tmp_path / "base" / release.lines).write_bytes(b"lines")
    mirror.faults[release.lines] = "private redirect"
    fetch(release, base, tmp_path / "home")
    mirror.faults[release.lines] = "503"
    with pytest.raises(PassingError) as failed:
        fetch(release, base, tmp_path / "other", transfer=Transfer(attempts=2, pause=0.001))
    written = "".join(path.read_text() for path in (tmp_path / "home").rglob("*.json"))
    for told in (caplog.text, str(failed.value), repr(failed.value.__cause__), written):
        assert "secret" not in told
        assert "signature" not in told
    assert f'"{mirror.base}/' in written


def test_a_password_may_have_any_characters() -> None:
    with client(1, base="https://na%40me:p%3Ass%2F@host/path") as session:
        request = httpx.Request("GET", "https://host/")
        signed = next(session.auth.auth_flow(request)) if session.auth else request
        assert signed.headers["Authorization"] == "Basic " + base64.b64encode(b"na@me:p:ss/").decode()
    with client(1, base="https://host/path@2") as session:
        assert session.auth is None


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://user:secret@host/a", "https://host/a"),
        ("https://user:sec@ret@host:8/a@b", "https://host:8/a@b"),
        ("https://host/a@b", "https://host/a@b"),
        ("https://host?q=a@b", "https://host?q=a@b"),
    ],
)
def test_an_address_is_shown_without_name_and_password(url: str, plain: str) -> None:
    assert shown(url) == plain


def test_a_proxy_is_asked_in_the_place_of_the_host(mirror: Any, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with _session("http://nowhere.invalid", proxy=mirror.base.replace("//", "//me:secret@")) as session:
        assert session.head(f"http://nowhere.invalid/{NAME}").size == 10
    assert mirror.headers[-1]["Host"] == "nowhere.invalid"
    monkeypatch.setenv("HTTP_PROXY", mirror.base)
    with _session("http://nowhere.invalid") as session:
        assert session.head(f"http://nowhere.invalid/{NAME}").size == 10


@pytest.mark.parametrize(
    ("proxy", "told"),
    [
        ("ftp://me:secret@host:1", "ftp://host:1"),
        ("http://me:secret@host:port", "http://host:.."),
        ("http://me:secret", "http://me:.."),
        ("socks5://me:secret@host", "socks5://host"),
    ],
)
def test_a_proxy_that_cannot_work_is_refused_and_its_password_not_shown(
    proxy: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        SettingsError, match=re.escape(f"The proxy address {told!r} cannot be used: expected")
    ) as caught:
        client(1, proxy=proxy)
    assert "secret" not in "".join(traceback.format_exception(caught.value)).replace(proxy, "")
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(SettingsError, match=r"A proxy address in the environment .* cannot be used"):
        client(1)


def test_a_proxy_that_wants_a_password_is_not_asked_again() -> None:
    url = "http://user:secret@host/en.zip"
    error = answers.unreachable(url, httpx.ProxyError("407 Proxy Authentication Required"))
    assert (type(error), "secret" in str(error)) == (SourceError, False)
    assert type(answers.unreachable(url, httpx.ProxyError("502 Bad Gateway"))) is PassingError
    assert type(answers.unreachable(url, httpx.InvalidURL("no"))) is SourceError


def _pauses(transfer: Transfer, failures: list[float | None]) -> list[float]:
    """How long a session waits after failures, each with a Retry-After or none."""
    waited: list[float] = []
    session = Session(transfer, "", "", LOG)
    session._sleep = waited.append  # type: ignore[method-assign]
    coming = iter(failures)

    def attempt() -> None:
        for after in coming:
            raise PassingError("busy", after)

    with session:
        session.persist("http://host/", attempt, lambda: 0)
    return waited


def test_pauses_double_and_are_jittered_up_to_the_longest() -> None:
    pauses = _pauses(Transfer(attempts=9, pause=2, longest_pause=30), [None] * 7)
    for expected, pause in zip([2, 4, 8, 16, 30, 30, 30], pauses, strict=True):
        assert expected <= pause <= min(expected + 2, 30)
    assert len({_pauses(Transfer(pause=2), [None])[0] for _ in range(5)}) > 1


def test_a_server_that_says_how_long_to_wait_is_obeyed() -> None:
    assert _pauses(Transfer(pause=2), [7.0, None, 0.0])[::2] == [7.0, 0.0]
    with pytest.raises(PassingError, match="busy"):
        _pauses(Transfer(longest_pause=300), [301.0])


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        ("", None),
        ("soon", None),
        (timedelta(hours=-1), 0),
        (timedelta(hours=1), 3600),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | timedelta, seconds: float | None) -> None:
    if isinstance(header, timedelta):
        header = format_datetime(datetime.now(UTC) + header, usegmt=True)
    response = httpx.Response(429, headers={"Retry-After": header})
    with pytest.raises(PassingError) as caught:
        answers.check(response, "http://host/en.zip", "nothing")
    assert caught.value.after == (None if seconds is None else pytest.approx(seconds, abs=60))


def test_a_session_that_is_halted_sleeps_no_more() -> None:
    with _session("") as session:
        session.halt.set()
        with pytest.raises(HaltedError, match="another file of the release failed"):
            session._sleep(60)


def test_an_unknown_host_is_not_asked_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    release = Release.of("Tiny/v1", "en", "fr")
    with pytest.raises(
        UnknownHostError, match=r"The host of http://no-such-host\.invalid/\S+ cannot be found"
    ) as error:
        fetch(release, "http://no-such-host.invalid", tmp_path, transfer=Transfer(pause=0.01))
    assert "did not come whole" not in str(error.value) and "attempt 1 failed" not in caplog.text


def test_an_unknown_host_is_asked_again_when_it_has_answered_before() -> None:
    calls = []

    def attempt() -> None:
        calls.append(1)
        raise UnknownHostError("gone")

    with _session("http://127.0.0.1:9", pause=0.001, attempts=3) as session:
        with pytest.raises(UnknownHostError):
            session.persist("http://h/f", attempt, lambda: 1)
        assert len(calls) == 3
        with pytest.raises(UnknownHostError):
            session.persist("http://h/f", attempt, lambda: 0)
        assert len(calls) == 4
