"""A corpus in OPUS layout, written by the test that needs it, and a server for it."""

import gzip
import re
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
import web
from served import PATIENCE
from web import Answer, Request, etag

from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import CorpusForm, Release, ReleaseFiles
from bitext_pivot.core.site import Site

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n'
Documents = Mapping[str, str | bytes]


def _write(
    folder: Path, links: str, en: Documents, fr: Documents, form: CorpusForm = "raw"
) -> tuple[Release, ReleaseFiles]:
    release = Release("Tiny", "v1", "en", "fr", form)
    base = folder / "base"
    for name in release.files:
        (base / name).parent.mkdir(parents=True, exist_ok=True)
    body = f'{HEAD}<cesAlign version="1.0">\n{links}\n</cesAlign>\n'
    (base / release.links).write_bytes(gzip.compress(body.encode(), mtime=0))
    for language, documents in (("en", en), ("fr", fr)):
        with zipfile.ZipFile(
            base / release.sentences(language), "w", zipfile.ZIP_DEFLATED
        ) as archive:
            archive.writestr("LICENSE", "none")
            for document, text in documents.items():
                archive.writestr(f"Tiny/{form}/{language}/{document}", text)
    return release, fetch(release, Site(opus=str(base), home=folder))


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[[str, Documents, Documents], tuple[Release, ReleaseFiles]]:
    """Write a corpus `Tiny/v1` en-fr: the body of the link file, then the documents of both sides by name."""
    return partial(_write, tmp_path)


@pytest.fixture
def corpora(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, Documents, Documents], tuple[Release, ReleaseFiles]]:
    """Write such a corpus in a new folder at each call."""
    return lambda *content: _write(tmp_path_factory.mktemp("corpus"), *content)


class Mirror:
    """A folder served over HTTP on this machine, with faults for some of its paths, and a list of what was asked.

    A fault is a word or several (`"redirect cut"`), for all requests of a path or, as a list, for its GETs one by one.

    * responses: a status (`503`, `429 after=7`), `hang`, `redirect`, `private` (wants the password of user:secret)
    * bodies: `cut` (half of what was announced), `gated` (half, and the rest when `gate` is set), `chunked` (without
      length), `short` (a GET has half of what HEAD announces), `long` (chunked, more than HEAD announces), `changing`
      (there is a new version after each GET)
    * parts: `norange`, `shifted` (begins a byte early), `careless` (ignores If-Range)
    * headers: `nohead`, `novalidator`, `weak` (ETag)
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base = ""
        self.faults: dict[str, str | list[str]] = {}
        self.requests: list[str] = []
        self.parts: list[tuple[str, int]] = []
        """Requests for a part: name and first byte."""
        self.sent: dict[str, int] = {}
        """Bytes of bodies by name."""
        self.headers: list[Mapping[str, str]] = []
        self.gate = threading.Event()

    def answer(self, request: Request) -> Answer:
        moved = request.path.startswith("/moved/")
        name = request.path.removeprefix("/moved").lstrip("/")
        self.requests.append(f"{request.method} {name}")
        self.headers.append(dict(request.headers))
        fault = self._fault(name, head=request.method == "HEAD")
        if "hang" in fault:
            time.sleep(1)
        if "redirect" in fault and not moved:
            return Answer(302, headers={"Location": f"/moved/{name}?signature=hush"})
        status = self._status(request, fault, exists=(self.folder / name).is_file())
        if status == 200:
            return self._file(request, name, fault)
        after = [
            word.removeprefix("after=").replace("_", " ")
            for word in fault
            if word.startswith("after=")
        ]
        return Answer(status, headers={"Retry-After": after[0]} if after else {})

    def _fault(self, name: str, *, head: bool) -> list[str]:
        fault = self.faults.get(name, "")
        if isinstance(fault, list):
            fault = "" if head or not fault else fault.pop(0)
        return fault.split()

    def _status(self, request: Request, fault: list[str], *, exists: bool) -> int:
        if "nohead" in fault and request.method == "HEAD":
            return 405
        if "private" in fault and request.headers.get("Authorization") != "Basic dXNlcjpzZWNyZXQ=":
            return 401
        return next((int(word) for word in fault if word.isdigit()), 200 if exists else 404)

    def _file(self, request: Request, name: str, fault: list[str]) -> Answer:
        path, head = self.folder / name, request.method == "HEAD"
        body = path.read_bytes()
        headers = _validators(body, fault)
        if "changing" in fault and not head:
            path.write_bytes(bytes([body[0] ^ 255]) + body[1:])
        if "short" in fault and not head:
            body = body[: len(body) // 2]
        part = None if head else self._part(request, name, fault, {*headers.values(), None})
        if part:
            headers["Content-Range"] = f"bytes {part}-{len(body) - 1}/{len(body)}"
            body = body[part:]
        if "chunked" in fault or ("long" in fault and not head):
            headers["Transfer-Encoding"] = "chunked"
            body += b"more" if "long" in fault else b""
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        headers |= {} if "Transfer-Encoding" in headers else {"Content-Length": str(len(body))}
        cut = not head and ("cut" in fault or "hang" in fault)
        return Answer(
            206 if part else 200,
            headers=headers,
            parts=self._parts(name, body, fault, cut=cut),
            cut=cut,
        )

    def _part(
        self, request: Request, name: str, fault: list[str], validators: set[str | None]
    ) -> int | None:
        asked = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
        if asked is None:
            return None
        start = int(asked[1])
        self.parts.append((name, start))
        fresh = "careless" in fault or request.headers.get("If-Range") in validators
        return start - ("shifted" in fault) if fresh and "norange" not in fault else None

    def _parts(self, name: str, body: bytes, fault: list[str], *, cut: bool) -> Iterator[bytes]:
        body = body[: len(body) // 2] if cut else body
        for half in (body[: len(body) // 2], body[len(body) // 2 :]):
            yield half
            self.sent[name] = self.sent.get(name, 0) + len(half)
            if "gated" in fault:
                self.gate.wait(PATIENCE)


def _validators(body: bytes, fault: list[str]) -> dict[str, str]:
    return (
        {}
        if "novalidator" in fault
        else {"ETag": f"W/{etag(body)}" if "weak" in fault else etag(body)}
    )


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """Serve the folder `base` of the test; retries come at once, proxies of the environment are not used."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("bitext_pivot.alignments.download.file_download.PAUSE", 0.001)
    mirror = Mirror(tmp_path / "base")
    with web.serve(mirror.answer) as mirror.base:
        yield mirror
