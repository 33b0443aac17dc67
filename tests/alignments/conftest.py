"""A corpus in OPUS layout, written by the test that needs it, and a server for it."""

import gzip
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from alignments.opus import Archives, Release, fetch

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n'
Documents = Mapping[str, str | bytes]


def _write(folder: Path, links: str, en: Documents, fr: Documents) -> tuple[Release, Archives]:
    release = Release("Tiny", "v1", "en", "fr")
    base = folder / "base"
    for name in release.files:
        (base / name).parent.mkdir(parents=True, exist_ok=True)
    body = f'{HEAD}<cesAlign version="1.0">\n{links}\n</cesAlign>\n'
    (base / release.links).write_bytes(gzip.compress(body.encode()))
    for language, documents in (("en", en), ("fr", fr)):
        with zipfile.ZipFile(base / release.sentences(language), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("LICENSE", "none")
            for document, text in documents.items():
                archive.writestr(f"Tiny/raw/{language}/{document}", text)
    return release, fetch(release, str(base), folder / "home")


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
    """A folder served over HTTP on this machine, with a fault for some of its paths, and a list of what was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: dict[str, str] = {}
        self.requests: list[str] = []
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
        name = handler.path.lstrip("/")
        self.requests.append(f"{handler.command} {name}")
        fault = self.faults.get(name, "")
        if fault == "hang":
            time.sleep(1)
        path = self.folder / name
        body = path.read_bytes() if path.is_file() else b""
        handler.send_response(int(fault) if fault.isdigit() else 200 if path.is_file() else 404)
        if fault == "chunked":
            handler.send_header("Transfer-Encoding", "chunked")
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        else:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if fault in {"cut", "hang"}:
            body = body[: len(body) // 2]
            handler.close_connection = True
        if handler.command == "GET":
            handler.wfile.write(body)


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """Serve the folder `base` of the test; proxies named in the environment are not asked."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    served = Mirror(tmp_path / "base")
    thread = threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
    thread.join()
