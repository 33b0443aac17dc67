"""The hub loader: the real client against a hub on 127.0.0.1."""

import errno
import io
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hubs
import pytest
from rich import filesize

ROOT = Path(__file__).parents[3]
NAME = "owner/tiny"
NOWHERE = "http://127.0.0.1:9"
USED = {"config.json": b"{}", "model.safetensors": bytes(200_000), "vocab.json": b'{"a": 0}'}
UNUSED = {
    "tf_model.h5": bytes(500),
    "rust_model.ot": bytes(500),
    "README.md": b"#",
    "onnx/model.onnx": bytes(500),
}
SCRIPT = """
from bitext_pivot.core.hub import hub
choose = lambda names: [name for name in names if name in ("config.json", "model.safetensors", "vocab.json")]
found = hub.fetch("owner/tiny", choose=choose, setting="translation.model")
print(sorted(path.name for path in found.folder.rglob("*")))
"""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[hubs.Hub]:
    """A hub with one model of two revisions."""
    for folder in (NAME, f"{NAME}@refs--pr--3"):
        for name, data in (USED | UNUSED).items():
            path = tmp_path / "hub" / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    (tmp_path / "hub" / f"{NAME}@refs--pr--3" / "vocab.json").write_bytes(b'{"b": 0}')
    with hubs.serve(tmp_path / "hub") as running:
        yield running


Ask = Callable[..., dict[str, Any]]
Fault = Callable[[pytest.MonkeyPatch], None]


def choose(names: Sequence[str]) -> list[str]:
    return [name for name in names if name in USED]


@pytest.fixture
def ask(
    hub: hubs.Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Ask:
    """Call `fetch` or `preview` as a new process of a user who has set the hub's address and nothing else.

    `endpoint` and `offline` stand for HF_ENDPOINT and HF_HUB_OFFLINE, which the client reads when it is imported.
    """
    from huggingface_hub import close_session, constants, hf_api

    from bitext_pivot.core import progress
    from bitext_pivot.core.errors import BuildError
    from bitext_pivot.core.hub import hub as module
    from bitext_pivot.core.hub import hub_client

    home = tmp_path / "home"
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    close_session()  # which has read the environment
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    monkeypatch.setattr(hub_client, "PAUSES", (0.0, 0.0))

    def call(
        what: str = "fetch", model: str = NAME, *, revision: str | None = None, endpoint: str = hub.address,
        offline: bool = False, fault: Fault = lambda _: None,
    ) -> dict[str, Any]:  # fmt: skip
        module.clear_previews()
        caplog.clear()
        with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.INFO):
            patch.setattr(constants, "ENDPOINT", endpoint)
            patch.setattr(
                constants,
                "HUGGINGFACE_CO_URL_TEMPLATE",
                endpoint + "/{repo_id}/resolve/{revision}/{filename}",
            )
            patch.setattr(constants, "HF_HUB_OFFLINE", offline)
            patch.setattr(hf_api.api, "endpoint", endpoint)
            fault(patch)
            try:
                found = getattr(module, what)(
                    model, choose=choose, setting="translation.model", revision=revision
                )
            except BuildError as error:
                said: dict[str, Any] = {"error": type(error).__name__, "message": str(error)}
            else:
                said = {
                    name: getattr(found, name)
                    for name in ("commit", "bytes", "download")
                    if hasattr(found, name)
                }
                said["files"] = files(found)
        return {**said, "log": "\n".join(caplog.messages)}

    return call


def files(found: Any) -> list[str]:
    """Return the files of a model that was fetched, or those that a preview misses."""
    if hasattr(found, "missing"):
        return sorted(found.missing)
    return sorted(path.name for path in found.folder.rglob("*"))


def test_a_first_use_downloads_needed_files_and_a_second_none(ask: Ask, hub: hubs.Hub) -> None:
    first = ask()
    assert first["files"] == sorted(USED) and sorted(hub.files_sent) == sorted(USED)
    assert first["commit"] == hubs.commit(hub.root / NAME)
    size = filesize.decimal(sum(map(len, USED.values())))
    assert f"download {NAME}: {size} of {size}, " in first["log"]
    hub.requests.clear()
    assert ask()["commit"] == first["commit"]
    assert hub.requests == [f"GET /api/models/{NAME}"]


def test_the_cache_is_used_offline_and_without_the_hub(ask: Ask, hub: hubs.Hub) -> None:
    first = ask()
    hub.status = 503
    assert ask()["commit"] == first["commit"]
    hub.requests.clear()
    assert ask(offline=True)["files"] == first["files"]
    assert ask(endpoint=NOWHERE)["files"] == first["files"]
    assert hub.requests == []


def test_a_cache_of_an_older_client_is_used_offline(ask: Ask, tmp_path: Path) -> None:
    commit = str(ask()["commit"])
    for listing in (tmp_path / "home").rglob(f"trees/{commit}.json"):
        listing.unlink()  # clients before 2.4 wrote none
    assert ask(offline=True)["commit"] == commit


@pytest.mark.parametrize("revision", ["refs/pr/3", "commit"])
def test_a_revision_is_fetched_by_name_or_commit(
    ask: Ask, hub: hubs.Hub, tmp_path: Path, revision: str
) -> None:
    commit = hubs.commit(hub.root / f"{NAME}@refs--pr--3")
    assert ask(revision=commit if revision == "commit" else revision)["commit"] == commit
    (vocabulary,) = (tmp_path / "home").rglob(f"snapshots/{commit}/vocab.json")
    assert vocabulary.read_bytes() == b'{"b": 0}'
    assert ask(revision=commit, offline=True)["commit"] == commit


def test_a_moved_branch_is_followed_and_only_news_downloaded(ask: Ask, hub: hubs.Hub) -> None:
    first = ask()
    (hub.root / NAME / "vocab.json").write_bytes(b'{"c": 0}')
    hub.files_sent.clear()
    assert ask()["commit"] != first["commit"] and hub.files_sent == ["vocab.json"]


GATED = {"gated": {NAME}}


def full(patch: pytest.MonkeyPatch) -> None:
    """Leave 9 bytes on the disk."""
    patch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=9))


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], int | None, tuple[str, ...]]] = {
    # the hub's state, what is asked, the number of requests, parts of the message
    "no such model": ({}, {"model": "owner/tyni"}, 1, ("no such model, or it is private", "Correct translation.model")),
    "a name with two dots": ({}, {"model": "owner/a..b"}, 0, ("nor a valid name on http", "Correct translation.model")),
    "no such revision": ({}, {"revision": "v9"}, 1, ("has no revision 'v9'", "Correct translation.revision")),
    "gated": (GATED, {}, None, ("is gated: http://127.0.0.1", "Accept them at ", "hf auth login")),
    "401": ({"status": 401}, {}, 1, ("denies access (HTTP 401)", "hf auth login")),
    "403": ({"status": 403}, {}, 1, ("denies access (HTTP 403)", "hf auth login")),
    "offline": ({}, {"offline": True}, 0, (f"'{NAME}' (translation.model) is neither", "nor in the", "set. Unset it")),
    "no disk space": ({}, {"fault": full}, None, ("200.0 kB are needed, 9 bytes are free", "set HF_HOME to a fold")),
    **{
        f"the name {name}": ({}, {"model": name}, 0, ("neither a folder that exists nor a name",))
        for name in ("no such/folder", "../models/x", "a/b/c", "-x")
    },
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_user_can_fix_is_refused_at_once(case: str, ask: Ask, hub: hubs.Hub) -> None:
    state, asked, requests, parts = REFUSED[case]
    for name, value in state.items():
        setattr(hub, name, value)
    said = ask(**asked)
    assert said["error"] == "SettingsError" and hub.files_sent == []
    assert [part for part in parts if part not in str(said["message"])] == []
    assert requests is None or len(hub.requests) == requests


def test_downloads_that_are_cut_or_answered_503_are_continued(ask: Ask, hub: hubs.Hub) -> None:
    hub.cut, hub.busy = 2, 1
    assert ask()["files"] == sorted(USED)
    assert hub.cut == hub.busy == 0


def test_a_busy_hub_is_given_up_after_three_attempts(ask: Ask, hub: hubs.Hub) -> None:
    hub.status = 503
    said = ask()
    assert said["error"] == "SourceError" and "responded with HTTP 503. Try again" in str(
        said["message"]
    )
    assert len(hub.requests) == 3
    said = ask(endpoint=NOWHERE)
    assert said["error"] == "SourceError" and "http://127.0.0.1:9 cannot be reached" in str(
        said["message"]
    )
    assert said["log"] == "" and "\n" not in str(said["message"])


def test_a_preview_has_sizes_and_downloads_nothing(ask: Ask, hub: hubs.Hub, tmp_path: Path) -> None:
    size = sum(map(len, USED.values()))
    names = ("bytes", "download", "files")
    assert itemgetter(*names)(ask("preview")) == (size, size, sorted(USED))
    assert hub.files_sent == [] and not list((tmp_path / "home").rglob("blobs"))
    ask()
    assert itemgetter(*names)(ask("preview")) == (size, 0, [])


def test_two_processes_at_once_download_each_file_once(hub: hubs.Hub, tmp_path: Path) -> None:
    """With the address and the home in the environment, as a user sets them."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT),
        "HF_ENDPOINT": hub.address, "NO_PROXY": "127.0.0.1",
    }  # fmt: skip
    command = [sys.executable, "-c", SCRIPT]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    results = [process.communicate()[0] for process in running]
    assert results == [f"{sorted(USED)}\n"] * 2
    assert sorted(hub.files_sent) == sorted(USED)


def test_a_folder_is_taken_as_it_is(ask: Ask, hub: hubs.Hub) -> None:
    folder = str(hub.root / NAME)
    assert ask(model=folder)["commit"] is None and hub.requests == []
    assert ask("preview", model=folder)["download"] == 0


def fills_up(patch: pytest.MonkeyPatch) -> None:
    """Let every file that the client writes find no room."""
    from huggingface_hub import file_download

    class Full(io.BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    download = file_download.http_get
    patch.setattr(
        file_download,
        "http_get",
        lambda url, temp_file, **options: download(url, Full(), **options),
    )


def test_a_disk_that_fills_up_during_the_download_is_named(ask: Ask) -> None:
    said = ask(fault=fills_up)
    assert said["error"] == "SettingsError" and "The disk has no room for the model" in str(
        said["message"]
    )
    assert ask()["files"] == sorted(USED)  # with room again
