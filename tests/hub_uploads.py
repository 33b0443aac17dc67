"""A hub on 127.0.0.1 that takes uploads of data sets from huggingface_hub's client, as far as `publish` needs it."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

TOKEN = "hf_secret"
_LARGE = ".parquet"


@dataclass
class UploadHub:
    """What was uploaded, and how the hub refuses."""

    address: str = ""
    private: dict[str, bool] = field(default_factory=dict)
    """By `owner/name`, as the repository was made."""
    files: dict[str, bytes] = field(default_factory=dict)
    """By `owner/name/path`."""
    objects: dict[str, bytes] = field(default_factory=dict)
    """Large files by SHA-256."""
    requests: list[str] = field(default_factory=list)
    forbidden: str = "acme"
    """An owner for whom the token may not write."""
    failing: str = ""
    """A part of the paths that are answered with 500."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: UploadHub

    def answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.hub.requests.append(f"{self.command} {path}")
        if self.hub.failing and self.hub.failing in path:
            return self.send(500, {"error": "out of order"})
        if self.headers.get("Authorization") != f"Bearer {TOKEN}" and self.command != "PUT":
            return self.send(401, {"error": "Invalid credentials"})
        for pattern, action in self.actions.items():
            if match := re.fullmatch(pattern, f"{self.command} {path}"):
                return action(self, body, **match.groupdict())
        return self.send(404, {"error": "no such path"})

    do_GET = do_POST = do_PUT = answer

    def create(self, body: bytes) -> None:
        asked = json.loads(body)
        repo = f"{asked['organization']}/{asked['name']}"
        if asked["organization"] == self.hub.forbidden:
            return self.send(403, {"error": "You don't have the rights to create a dataset under this namespace"})
        address = f"{self.hub.address}/datasets/{repo}"
        if repo in self.hub.private:
            return self.send(409, {"error": "You already created this dataset repo", "url": address})
        self.hub.private[repo] = asked.get("visibility") == "private" or asked.get("private") is True
        return self.send(200, {"url": address, "name": repo})

    def tree(self, body: bytes, repo: str) -> None:
        files = {name.removeprefix(f"{repo}/"): data for name, data in self.hub.files.items() if name.startswith(repo)}
        self.send(200, [{"type": "file", "path": n, "size": len(d), "oid": "0" * 40} for n, d in files.items()])

    def validate(self, body: bytes) -> None:
        assert json.loads(body)["repoType"] == "dataset"
        self.send(200, {"errors": [], "warnings": []})

    def preupload(self, body: bytes, repo: str) -> None:
        names = [one["path"] for one in json.loads(body)["files"]]
        modes = {name: "lfs" if name.endswith(_LARGE) else "regular" for name in names}
        self.send(200, {"files": [{"path": n, "uploadMode": m, "shouldIgnore": False} for n, m in modes.items()]})

    def batch(self, body: bytes, repo: str) -> None:
        asked = json.loads(body)["objects"]
        actions = [{"upload": {"href": f"{self.hub.address}/objects/{one['oid']}"}} for one in asked]
        objects = [{**one, "actions": action} for one, action in zip(asked, actions, strict=True)]
        self.send(200, {"transfer": "basic", "objects": objects})

    def put(self, body: bytes, oid: str) -> None:
        assert hashlib.sha256(body).hexdigest() == oid
        self.hub.objects[oid] = body
        self.send(200, {})

    def commit(self, body: bytes, repo: str) -> None:
        for line in body.splitlines():
            operation = json.loads(line)
            value = operation["value"]
            if operation["key"] == "file":
                self.hub.files[f"{repo}/{value['path']}"] = base64.b64decode(value["content"])
            elif operation["key"] == "lfsFile":
                self.hub.files[f"{repo}/{value['path']}"] = self.hub.objects[value["oid"]]
            elif operation["key"] == "deletedFile":
                del self.hub.files[f"{repo}/{value['path']}"]
        address = f"{self.hub.address}/datasets/{repo}/commit/{'c' * 40}"
        self.send(200, {"commitUrl": address, "commitOid": "c" * 40})

    def send(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    actions: ClassVar[dict[str, Callable[..., None]]] = {
        "POST /api/repos/create": create,
        "POST /api/validate-yaml": validate,
        "GET /api/datasets/(?P<repo>[^/]+/[^/]+)/tree/main": tree,
        "POST /api/datasets/(?P<repo>[^/]+/[^/]+)/preupload/main": preupload,
        "POST /datasets/(?P<repo>[^/]+/[^/]+).git/info/lfs/objects/batch": batch,
        "PUT /objects/(?P<oid>[0-9a-f]{64})": put,
        "POST /api/datasets/(?P<repo>[^/]+/[^/]+)/commit/main": commit,
    }

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def serve() -> Iterator[UploadHub]:
    """Serve an empty hub."""
    hub = UploadHub()
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
