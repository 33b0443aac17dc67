"""A corpus in OPUS layout, written by the test that needs it, and a server for it."""

import gzip
import hashlib
import re
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from alignments.opus import fetch
from alignments.release import Archives, Form, Release
from pairs.site import Site

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n'
Documents = Mapping[str, str | bytes]


def _write(folder: Path, links: str, en: Documents, fr: Documents, form: Form = "raw") -> tuple[Release, Archives]:
    release = Release("Tiny", "v1", "en", "fr", form)
    base = folder / "base"
    for name in release.files:
        (base / name).parent.mkdir(parents=True, exist_ok=True)
    body = f'{HEAD}<cesAlign version="1.0">\n{links}\n</cesAlign>\n'
    (base / release.links).write_bytes(gzip.compress(body.encode()))
    for language, documents in (("en", en), ("fr", fr)):
        with zipfile.ZipFile(base / release.sentences(language), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("LICENSE", "none")
            for document, text in documents.items():
                archive.writestr(f"Tiny/{form}/{language}/{document}", text)
    return release, fetch(release, Site(opus=str(base), home=folder))


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[[str, Documents, Documents], tuple[Release, Archives]]:
    """Write a corpus `Tiny/v1` en-fr: the body of the link file, then the documents of both sides by name."""
    return partial(_write, tmp_path)


@pytest.fixture
def corpora(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, Documents, Documents], tuple[Release, Archives]]:
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
        self.faults: dict[str, str | list[str]] = {}
        self.requests: list[str] = []
        self.parts: list[tuple[str, int, int]] = []
        """Requests for a part: name, first byte, the byte behind the last."""
        self.sent: dict[str, int] = {}
        """Bytes of bodies by name."""
        self.headers: list[Mapping[str, str]] = []
        self.gate = threading.Event()
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self) -> None:
                mirror.answer(self)

            def do_GET(self) -> None:
                mirror.answer(self)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # a client that gave up is what some tests want
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = urlsplit(handler.path).path  # of a proxy a whole address is asked
        moved = asked.startswith("/moved/")
        name = asked.removeprefix("/moved").lstrip("/")
        self.requests.append(f"{handler.command} {name}")
        self.headers.append(dict(handler.headers))
        fault = self._fault(name, head=handler.command == "HEAD")
        if "hang" in fault:
            time.sleep(1)
        path = self.folder / name
        status = next((int(word) for word in fault if word.isdigit()), 200 if path.is_file() else 404)
        if "private" in fault and handler.headers.get("Authorization") != "Basic dXNlcjpzZWNyZXQ=":
            status = 401
        if "nohead" in fault and handler.command == "HEAD":
            status = 405
        if "redirect" in fault and not moved:
            handler.send_response(302)
            handler.send_header("Location", f"/moved/{name}?signature=hush")
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        elif status != 200:
            handler.send_response(status)
            for word in fault:
                if word.startswith("after="):
                    handler.send_header("Retry-After", word.removeprefix("after=").replace("_", " "))
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        else:
            self._body(handler, name, path, fault)

    def _fault(self, name: str, *, head: bool) -> list[str]:
        fault = self.faults.get(name, "")
        if isinstance(fault, list):
            fault = "" if head or not fault else fault.pop(0)
        return fault.split()

    def _body(self, handler: BaseHTTPRequestHandler, name: str, path: Path, fault: list[str]) -> None:
        body, head = path.read_bytes(), handler.command == "HEAD"
        if "changing" in fault and not head:
            path.write_bytes(bytes([body[0] ^ 255]) + body[1:])
        validators = self._validators(body, fault)
        if "short" in fault and not head:
            body = body[: len(body) // 2]
        part = None if head else self._part(handler, name, validators, fault)
        handler.send_response(206 if part else 200)
        for header, value in validators.items():
            handler.send_header(header, value)
        if part:
            start, end = part[0], min(len(body), part[1])
            handler.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(body)}")
            body = body[start:end]
        self._send(handler, name, body, fault)

    def _part(
        self, handler: BaseHTTPRequestHandler, name: str, validators: Mapping[str, str], fault: list[str]
    ) -> tuple[int, int] | None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", handler.headers.get("Range", ""))
        if asked is None:
            return None
        self.parts.append((name, int(asked[1]), int(asked[2]) + 1))
        fresh = "careless" in fault or handler.headers.get("If-Range") in {*validators.values(), None}
        return (int(asked[1]) - ("shifted" in fault), int(asked[2]) + 1) if fresh and "norange" not in fault else None

    def _send(self, handler: BaseHTTPRequestHandler, name: str, body: bytes, fault: list[str]) -> None:
        head = handler.command == "HEAD"
        if "chunked" in fault or ("long" in fault and not head):
            handler.send_header("Transfer-Encoding", "chunked")
            body += b"more" if "long" in fault else b""
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        else:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if not head and ("cut" in fault or "hang" in fault):
            body = body[: len(body) // 2]
            handler.close_connection = True
        for half in () if head else (body[: len(body) // 2], body[len(body) // 2 :]):
            handler.wfile.write(half)
            self.sent[name] = self.sent.get(name, 0) + len(half)
            if "gated" in fault:
                self.gate.wait(20)

    def _validators(self, body: bytes, fault: list[str]) -> dict[str, str]:
        etag = f'"{hashlib.md5(body).hexdigest()}"'
        if "novalidator" in fault:
            return {}
        if "weak" in fault:
            return {"ETag": f"W/{etag}"}
        return {"ETag": etag}


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """Serve the folder `base` of the test; retries come at once, proxies of the environment are not used."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("alignments.download.file._PAUSE", 0.001)
    served = Mirror(tmp_path / "base")
    thread = threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
    thread.join()
