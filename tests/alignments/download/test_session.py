"""Requests: parts of files, credentials, proxies."""

import base64
import logging
import traceback
from pathlib import Path
from typing import Any

import httpx
import pytest

from bitext_pivot.alignments.download.responses import (
    RemoteVersion,
    TransientError,
    UnknownHostError,
    check_status,
    unreachable,
)
from bitext_pivot.alignments.download.session import DownloadSession, open_client
from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.site import Site

NAME = "en.zip"


@pytest.fixture
def url(mirror: Any, tmp_path: Path) -> str:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / NAME).write_bytes(b"0123456789")
    return f"{mirror.base}/{NAME}"


def open_session(base: str) -> DownloadSession:
    return DownloadSession(Site(opus=base), "this file", logging.getLogger("test"))


def test_head_and_parts(mirror: Any, url: str) -> None:
    with open_session(mirror.base) as session:
        remote = session.head(url)
        assert (remote.size, remote.validator) == (10, remote.etag)
        with session.get(url, remote, 2) as response:
            assert response.read() == b"23456789"
        mirror.faults[NAME] = ["416"]
        with (
            pytest.raises(TransientError, match=r"does not have the requested bytes"),
            session.get(url, remote, 2),
        ):
            pass
        mirror.faults[NAME] = "nohead"
        assert session.head(url) == RemoteVersion()


def test_credentials_of_an_address_are_sent_and_never_shown(
    mirror: Any, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    base = mirror.base.replace("//", "//user:secret@")
    release = Release("Tiny", "v1", "en", "fr", form="moses")
    (tmp_path / "base" / release.lines).parent.mkdir(parents=True)
    (tmp_path / "base" / release.lines).write_bytes(b"lines")
    mirror.faults[release.lines] = "private redirect"
    fetch(release, Site(opus=base, home=tmp_path / "home"))
    mirror.faults[release.lines] = "503"
    with pytest.raises(TransientError) as failed:
        fetch(release, Site(opus=base, home=tmp_path / "other"))
    manifests = "".join(path.read_text() for path in (tmp_path / "home").rglob("*.json"))
    for text in (caplog.text, str(failed.value), repr(failed.value.__cause__), manifests):
        assert "secret" not in text
        assert "signature" not in text
    assert f'"{mirror.base}/' in manifests


def test_a_password_may_have_any_characters() -> None:
    with open_client(1, base="https://na%40me:p%3Ass%2F@host/path") as session:
        request = httpx.Request("GET", "https://host/")
        signed = next(session.auth.auth_flow(request)) if session.auth else request
        assert (
            signed.headers["Authorization"] == "Basic " + base64.b64encode(b"na@me:p:ss/").decode()
        )
    with open_client(1, base="https://host/path@2") as session:
        assert session.auth is None


def test_a_proxy_is_used(mirror: Any, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", mirror.base.replace("//", "//me:secret@"))
    with open_session("http://nowhere.invalid") as session:
        assert session.head(f"http://nowhere.invalid/{NAME}").size == 10
    assert mirror.headers[-1]["Host"] == "nowhere.invalid"


@pytest.mark.parametrize(
    "proxy",
    [
        "ftp://me:secret@host:1",
        "http://me:secret@host:port",
        "http://me:secret",
        "socks5://me:secret@host",
        "socks5h://me:secret@host:1080",
        "unknown://me:secret@host",
    ],
)
def test_an_unusable_proxy_is_refused_and_its_password_not_shown(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(
        SettingsError, match=r"A proxy address in the environment .* cannot be used"
    ) as caught:
        open_client(1)
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    assert ("socksio" in str(caught.value)) == proxy.startswith("socks")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ProxyError("407 Proxy Authentication Required"), SourceError),
        (httpx.ProxyError("502 Bad Gateway"), TransientError),
        (httpx.InvalidURL("no"), SourceError),
    ],
)
def test_connection_errors_that_may_pass_are_transient(
    error: Exception, kind: type[SourceError]
) -> None:
    result = unreachable("http://user:secret@host/en.zip", error)
    assert (type(result), "secret" in str(result)) == (kind, False)


@pytest.mark.parametrize(("header", "seconds"), [("7", 7), ("", None), ("soon", None)])
def test_retry_after(header: str, seconds: float | None) -> None:
    response = httpx.Response(429, headers={"Retry-After": header})
    with pytest.raises(TransientError) as caught:
        check_status(response, "http://host/en.zip", "nothing")
    assert caught.value.retry_after == seconds


def test_an_unknown_host_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    message = r"The host of http://no-such-host\.invalid/\S+ cannot be found"
    with pytest.raises(UnknownHostError, match=message) as error:
        fetch(
            Release.parse("Tiny/v1", "en", "fr"),
            Site(opus="http://no-such-host.invalid", home=tmp_path),
        )
    assert "was not received completely" not in str(error.value)
    assert "attempt 1 failed" not in caplog.text
