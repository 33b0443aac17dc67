"""A hub on 127.0.0.1 that takes uploads of data sets from huggingface_hub's client, as far as `publish` needs it."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import web
from web import Answer, Request

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


class _Answers:
    """Answers requests as the hub does."""

    def __init__(self, hub: UploadHub) -> None:
        self.hub = hub

    def __call__(self, request: Request) -> Answer:
        self.hub.requests.append(f"{request.method} {request.path}")
        if self.hub.failing and self.hub.failing in request.path:
            return answer(500, {"error": "out of order"})
        if request.headers.get("Authorization") != f"Bearer {TOKEN}" and request.method != "PUT":
            return answer(401, {"error": "Invalid credentials"})
        for pattern, action in self.actions.items():
            if match := re.fullmatch(pattern, f"{request.method} {request.path}"):
                return action(self, request.body, **match.groupdict())
        return answer(404, {"error": "no such path"})

    def create(self, body: bytes) -> Answer:
        asked = json.loads(body)
        repo = f"{asked['organization']}/{asked['name']}"
        if asked["organization"] == self.hub.forbidden:
            return answer(
                403, {"error": "You don't have the rights to create a dataset under this namespace"}
            )
        address = f"{self.hub.address}/datasets/{repo}"
        if repo in self.hub.private:
            return answer(409, {"error": "You already created this dataset repo", "url": address})
        self.hub.private[repo] = (
            asked.get("visibility") == "private" or asked.get("private") is True
        )
        return answer(200, {"url": address, "name": repo})

    def tree(self, body: bytes, repo: str) -> Answer:
        files = {
            name.removeprefix(f"{repo}/"): data
            for name, data in self.hub.files.items()
            if name.startswith(repo)
        }
        return answer(
            200,
            [
                {"type": "file", "path": n, "size": len(d), "oid": "0" * 40}
                for n, d in files.items()
            ],
        )

    def validate(self, body: bytes) -> Answer:
        assert json.loads(body)["repoType"] in {"dataset", "model"}
        return answer(200, {"errors": [], "warnings": []})

    def preupload(self, body: bytes, repo: str) -> Answer:
        names = [one["path"] for one in json.loads(body)["files"]]
        modes = {name: "lfs" if name.endswith(_LARGE) else "regular" for name in names}
        return answer(
            200,
            {
                "files": [
                    {"path": n, "uploadMode": m, "shouldIgnore": False} for n, m in modes.items()
                ]
            },
        )

    def batch(self, body: bytes, repo: str) -> Answer:
        asked = json.loads(body)["objects"]
        actions = [
            {"upload": {"href": f"{self.hub.address}/objects/{one['oid']}"}} for one in asked
        ]
        objects = [{**one, "actions": action} for one, action in zip(asked, actions, strict=True)]
        return answer(200, {"transfer": "basic", "objects": objects})

    def put(self, body: bytes, oid: str) -> Answer:
        assert hashlib.sha256(body).hexdigest() == oid
        self.hub.objects[oid] = body
        return answer(200, {})

    def commit(self, body: bytes, repo: str) -> Answer:
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
        return answer(200, {"commitUrl": address, "commitOid": "c" * 40})

    actions: ClassVar[dict[str, Callable[..., Answer]]] = {
        "POST /api/repos/create": create,
        "POST /api/validate-yaml": validate,
        "GET /api/(?:datasets|models)/(?P<repo>[^/]+/[^/]+)/tree/main": tree,
        "POST /api/(?:datasets|models)/(?P<repo>[^/]+/[^/]+)/preupload/main": preupload,
        "POST /(?:datasets/)?(?P<repo>[^/]+/[^/]+).git/info/lfs/objects/batch": batch,
        "PUT /objects/(?P<oid>[0-9a-f]{64})": put,
        "POST /api/(?:datasets|models)/(?P<repo>[^/]+/[^/]+)/commit/main": commit,
    }


def answer(status: int, value: Any) -> Answer:
    """Return an answer in JSON."""
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


@contextmanager
def serve() -> Iterator[UploadHub]:
    """Serve an empty hub."""
    hub = UploadHub()
    with web.serve(_Answers(hub)) as hub.address:
        yield hub
