"""The fake web server of all tests, on 127.0.0.1: each test gives the function that answers a request."""

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit


@dataclass
class Request:
    """A request; `path` has no query and no host, which requests to a proxy begin with."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Answer:
    """An answer; `parts` replace the body, one write each, and `cut` closes the connection after them."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    parts: Iterable[bytes] | None = None
    cut: bool = False


@contextmanager
def serve(answer: Callable[[Request], Answer]) -> Iterator[str]:
    """Answer requests on a free port by a function; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # otherwise the body waits 40 ms, until the client says that it has the head
        disable_nagle_algorithm = True

        def respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers: Any = self.headers
            given = answer(Request(self.command, unquote(urlsplit(self.path).path), headers, body))
            self.send_response(given.status)
            if "Transfer-Encoding" not in given.headers:
                given.headers.setdefault("Content-Length", str(len(given.body)))
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for part in () if self.command == "HEAD" else given.parts or (given.body,):
                self.wfile.write(part)
            self.close_connection = self.close_connection or given.cut

        do_HEAD = do_GET = do_POST = do_PUT = respond

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # some tests want a client to give up
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def files(folder: Path, find: Callable[[str], str] = str) -> Callable[[Request], Answer]:
    """Return a function that answers with the files of a folder, by the name that `find` makes of the path."""

    def answer(request: Request) -> Answer:
        path = folder / find(request.path.lstrip("/"))
        return Answer(200, path.read_bytes()) if path.is_file() else Answer(404)

    return answer


def etag(body: bytes) -> str:
    """Return an ETag that changes with the body."""
    return f'"{hashlib.md5(body).hexdigest()}"'
