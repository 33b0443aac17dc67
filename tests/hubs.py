"""A model hub on 127.0.0.1 that speaks the protocol of huggingface_hub's client, with faults to inject."""

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import web
from web import Answer, Request

_API = re.compile(
    r"/api/(?:models|datasets)/(?P<repo>[^/]+/[^/]+?)(/(?P<what>revision|tree)/(?P<revision>.+))?"
)
_FILE = re.compile(
    r"/(?:datasets/)?(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>refs/pr/\d+|[^/]+)/(?P<path>.+)"
)
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
        known = [
            path
            for path in branches
            if path.is_dir() and (path == self.root / name or commit(path) == revision)
        ]
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
        facts["lfs"] = {
            "oid": hashlib.sha256(data).hexdigest(),
            "size": len(data),
            "pointerSize": 134,
        }
    return facts


class _Answers:
    """Answers requests as the hub does, and with the faults."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub

    def __call__(self, request: Request) -> Answer:
        match = _API.fullmatch(request.path) or _FILE.fullmatch(request.path)
        if match:  # the client asks for other things of its own besides
            self.hub.requests.append(f"{request.method} {request.path}")
        if self.hub.status:
            return Answer(self.hub.status, b"{}")
        if match is None:
            return refusal(404, "EntryNotFound")
        repo, revision = match["repo"], match["revision"] or "main"
        folder = self.hub.folder(repo, revision)
        if not (self.hub.root / repo).is_dir():
            return refusal(401, "RepoNotFound")  # the hub does not tell private from absent
        if folder is None:
            return refusal(404, "RevisionNotFound")
        if match.re is _API:
            return description(folder, repo, match["what"])
        return (
            refusal(401, "GatedRepo")
            if repo in self.hub.gated
            else self.file(request, folder, match["path"])
        )

    def file(self, request: Request, folder: Path, name: str) -> Answer:
        path, is_body = folder / name, request.method == "GET"
        if not path.is_file():
            return refusal(404, "EntryNotFound")
        if is_body and self.hub.takes("busy"):
            return Answer(503, b"{}")
        data, facts = path.read_bytes(), entry(folder, path)
        etag = facts["lfs"]["oid"] if "lfs" in facts else facts["oid"]  # type: ignore[index]
        headers = {
            "ETag": f'"{etag}"',
            "X-Repo-Commit": commit(folder),
            "X-Linked-Size": str(len(data)),
        }
        wanted = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range") or "")
        if wanted:
            start = int(wanted[1])
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            data = data[start:]
        if is_body:
            self.hub.files_sent.append(str(path.relative_to(folder)))
        is_cut = is_body and len(data) > 1 and self.hub.takes("cut")
        parts = (data[: len(data) // 2],) if is_cut else None
        return Answer(206 if wanted else 200, data, headers, parts, cut=is_cut)


def description(folder: Path, repo: str, what: str | None) -> Answer:
    """Return what the hub says of a model, or its list of files."""
    entries = [entry(folder, path) for path in files(folder)]
    names = [{"rfilename": one["path"]} for one in entries]
    model = {
        "id": repo,
        "modelId": repo,
        "sha": commit(folder),
        "private": False,
        "tags": [],
        "siblings": names,
    }
    body = json.dumps(entries if what == "tree" else model).encode()
    return Answer(200, body, {"Content-Type": "application/json"})


def refusal(status: int, code: str) -> Answer:
    """Return an answer with the hub's name of an error."""
    return Answer(status, b"{}", {"X-Error-Code": code})


@contextmanager
def serve(root: Path) -> Iterator[Hub]:
    """Serve the models below `root`."""
    hub = Hub(root)
    with web.serve(_Answers(hub)) as hub.address:
        yield hub
