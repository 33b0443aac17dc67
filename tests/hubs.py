"""A model hub on 127.0.0.1 that speaks the protocol of huggingface_hub's client, with faults to inject."""

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

_API = re.compile(r"/api/models/(?P<repo>[^/]+/[^/]+?)(/(?P<what>revision|tree)/(?P<revision>.+))?")
_FILE = re.compile(r"/(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>refs/pr/\d+|[^/]+)/(?P<path>.+)")
_LARGE = {".safetensors", ".bin", ".spm", ".model", ".h5", ".ot"}


@dataclass
class Hub:
    """What the hub has and how it misbehaves. Revisions of `owner/name` are folders `owner/name@revision`."""

    root: Path
    address: str = ""
    requests: list[str] = field(default_factory=list)
    """`METHOD path` of each request about a model, in order."""
    files_sent: list[str] = field(default_factory=list)
    """Names of the files whose bytes were sent."""
    gated: set[str] = field(default_factory=set)
    status: int | None = None
    """Answer every request with this status."""
    busy: int = 0
    """How many more downloads are answered with 503."""
    cut: int = 0
    """How many more downloads are broken off in the middle."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def folder(self, repo: str, revision: str) -> Path | None:
        """Return the folder of a branch, a pull request or a commit."""
        branches = [self.root / repo, *sorted(self.root.glob(f"{repo}@*"))]
        name = repo if revision == "main" else f"{repo}@{revision.replace('/', '--')}"
        known = [path for path in branches if path.is_dir() and (path == self.root / name or commit(path) == revision)]
        return known[0] if known else None

    def takes(self, fault: str) -> bool:
        """Return True if an injected fault is due, and count it."""
        with self.lock:
            left = getattr(self, fault)
            setattr(self, fault, max(0, left - 1))
            return bool(left)


def commit(folder: Path) -> str:
    """Return forty digits that change with a folder's name and contents."""
    total = hashlib.sha1(folder.name.encode())
    for path in files(folder):
        total.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return total.hexdigest()


def files(folder: Path) -> list[Path]:
    """Return all files below a folder, sorted."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def entry(folder: Path, path: Path) -> dict[str, object]:
    """Return what the hub says of one file."""
    data = path.read_bytes()
    oid = hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()
    facts = {"type": "file", "oid": oid, "size": len(data), "path": str(path.relative_to(folder))}
    if path.suffix in _LARGE:
        facts["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
    return facts


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        match = _API.fullmatch(path) or _FILE.fullmatch(path)
        if match:  # the client asks for other things of its own besides
            self.hub.requests.append(f"{self.command} {path}")
        if self.hub.status:
            return self.refuse(self.hub.status, "")
        if match is None:
            return self.refuse(404, "EntryNotFound")
        repo, revision = match["repo"], match["revision"] or "main"
        folder = self.hub.folder(repo, revision)
        if not (self.hub.root / repo).is_dir():
            return self.refuse(401, "RepoNotFound")  # the hub does not tell private from absent
        if folder is None:
            return self.refuse(404, "RevisionNotFound")
        if match.re is _API:
            return self.describe(folder, repo, match["what"])
        return self.refuse(401, "GatedRepo") if repo in self.hub.gated else self.file(folder, match["path"])

    def describe(self, folder: Path, repo: str, what: str | None) -> None:
        entries = [entry(folder, path) for path in files(folder)]
        names = [{"rfilename": one["path"]} for one in entries]
        model = {"id": repo, "modelId": repo, "sha": commit(folder), "private": False, "tags": [], "siblings": names}
        self.send(200, json.dumps(entries if what == "tree" else model).encode(), {"Content-Type": "application/json"})

    def file(self, folder: Path, name: str) -> None:
        path = folder / name
        is_body = self.command == "GET"
        if not path.is_file():
            self.refuse(404, "EntryNotFound")
        elif is_body and self.hub.takes("busy"):
            self.refuse(503, "")
        else:
            self.body(folder, path, is_body=is_body)

    def body(self, folder: Path, path: Path, *, is_body: bool) -> None:
        data, facts = path.read_bytes(), entry(folder, path)
        etag = facts["lfs"]["oid"] if "lfs" in facts else facts["oid"]  # type: ignore[index]
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": commit(folder), "X-Linked-Size": str(len(data))}
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        if wanted:
            start = int(wanted[1])
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            data = data[start:]
        if is_body:
            self.hub.files_sent.append(str(path.relative_to(folder)))
        is_cut = is_body and len(data) > 1 and self.hub.takes("cut")
        self.send(206 if wanted else 200, data, headers, sent=len(data) // 2 if is_cut else None)

    def refuse(self, status: int, code: str) -> None:
        self.send(status, b"{}", {"X-Error-Code": code} if code else {})

    def send(self, status: int, data: bytes, headers: dict[str, str], sent: int | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data[:sent])
            self.close_connection = self.close_connection or sent is not None

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def serve(root: Path) -> Iterator[Hub]:
    """Serve the models below `root`."""
    hub = Hub(root)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
