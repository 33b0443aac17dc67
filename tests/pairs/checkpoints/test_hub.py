"""The hub loader: the real client against a hub on 127.0.0.1, each time in a fresh process as a user starts it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hubs
import pytest

ROOT = Path(__file__).parents[3]
NAME = "owner/tiny"
USED = {"config.json": b"{}", "model.safetensors": bytes(200_000), "vocab.json": b'{"a": 0}'}
UNUSED = {"tf_model.h5": bytes(500), "rust_model.ot": bytes(500), "README.md": b"#", "onnx/model.onnx": bytes(500)}
SCRIPT = """
import os; exec(os.environ.get("PRELUDE", ""))
import json, logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s")
from pairs.checkpoints import hub
from pairs.errors import BuildError
from pairs.progress import listening
what, model, revision, reports = *json.loads(sys.argv[1]), []
choose = lambda names: [name for name in names if name in ("config.json", "model.safetensors", "vocab.json")]
try:
    with listening(reports.append):
        found = getattr(hub, what)(model, choose=choose, setting="translation.model", revision=revision)
except BuildError as error:
    print(json.dumps({"error": type(error).__name__, "message": str(error)}))
else:
    facts = {name: getattr(found, name) for name in ("commit", "bytes", "download") if hasattr(found, name)}
    files = sorted(path.name for path in found.folder.rglob("*")) if what == "fetch" else sorted(found.missing)
    print(json.dumps({**facts, "files": files, "reports": [(one.done, one.total) for one in reports]}))
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


Ask = Callable[..., dict[str, object]]


def command(what: str, model: str, revision: str | None) -> list[str]:
    return [sys.executable, "-c", SCRIPT, json.dumps([what, model, revision])]


def environment(hub: hubs.Hub, tmp_path: Path, **more: str) -> dict[str, str]:
    """The environment of a user who has set the hub's address and nothing else."""
    basics = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    return {**basics, "HF_ENDPOINT": hub.address, "NO_PROXY": "127.0.0.1", **more}


@pytest.fixture
def ask(hub: hubs.Hub, tmp_path: Path) -> Ask:
    """Call `fetch` or `preview` in a process of its own and return what came of it."""

    def call(what: str = "fetch", model: str = NAME, revision: str | None = None, **more: str) -> dict[str, object]:
        done = subprocess.run(
            command(what, model, revision), capture_output=True, text=True, env=environment(hub, tmp_path, **more)
        )
        assert done.returncode == 0, done.stderr
        return {**json.loads(done.stdout), "log": done.stderr}

    return call


def test_a_first_use_downloads_the_files_that_are_used_and_a_second_none(ask: Ask, hub: hubs.Hub) -> None:
    first = ask()
    assert first["files"] == sorted(USED) and sorted(hub.files_sent) == sorted(USED)
    assert first["commit"] == hubs.commit(hub.root / NAME)
    assert first["reports"] == [[sum(map(len, USED.values()))] * 2]  # all bytes of all bytes
    hub.requests.clear()
    assert ask()["commit"] == first["commit"]
    assert hub.requests == [f"GET /api/models/{NAME}"]


def test_what_is_in_the_cache_is_used_offline_and_when_the_hub_is_down(ask: Ask, hub: hubs.Hub) -> None:
    first = ask()
    hub.status = 503
    assert ask()["commit"] == first["commit"]
    hub.requests.clear()
    assert ask(HF_HUB_OFFLINE="1")["files"] == first["files"]
    assert ask(HF_ENDPOINT="http://127.0.0.1:9")["files"] == first["files"]
    assert hub.requests == []


def test_a_cache_of_an_older_client_is_used_offline(ask: Ask, tmp_path: Path) -> None:
    commit = str(ask()["commit"])
    for listing in (tmp_path / "home").rglob(f"trees/{commit}.json"):
        listing.unlink()  # clients before 2.4 wrote none
    assert ask(HF_HUB_OFFLINE="1")["commit"] == commit


def test_offline_without_the_cache_is_refused_at_once(ask: Ask, hub: hubs.Hub) -> None:
    said = ask(HF_HUB_OFFLINE="1")
    assert said["error"] == "SettingsError" and hub.requests == []
    assert "'owner/tiny' (translation.model) is not in the cache" in str(said["message"])
    assert "HF_HUB_OFFLINE is set. Unset it" in str(said["message"])


@pytest.mark.parametrize("revision", ["refs/pr/3", "commit"])
def test_a_revision_is_fetched_by_name_or_commit(ask: Ask, hub: hubs.Hub, tmp_path: Path, revision: str) -> None:
    commit = hubs.commit(hub.root / f"{NAME}@refs--pr--3")
    assert ask(revision=commit if revision == "commit" else revision)["commit"] == commit
    (vocabulary,) = (tmp_path / "home").rglob(f"snapshots/{commit}/vocab.json")
    assert vocabulary.read_bytes() == b'{"b": 0}'
    assert ask(revision=commit, HF_HUB_OFFLINE="1")["commit"] == commit


def test_a_branch_that_moved_is_followed_and_its_new_files_alone_are_downloaded(ask: Ask, hub: hubs.Hub) -> None:
    first = ask()
    (hub.root / NAME / "vocab.json").write_bytes(b'{"c": 0}')
    hub.files_sent.clear()
    assert ask()["commit"] != first["commit"] and hub.files_sent == ["vocab.json"]


def test_a_name_that_does_not_exist_is_refused(ask: Ask, hub: hubs.Hub) -> None:
    said = ask(model="owner/tyni")
    assert said["error"] == "SettingsError" and "Correct translation.model; for a private model" in str(said["message"])
    assert f"{hub.address} has no such model, or it is private" in str(said["message"])


@pytest.mark.parametrize("name", ["no such/folder", "../models/x", "a/b/c", "-x"])
def test_what_cannot_be_a_name_is_refused_without_a_request(ask: Ask, hub: hubs.Hub, name: str) -> None:
    said = ask(model=name)
    assert said["error"] == "SettingsError" and "neither a folder that exists nor a name" in str(said["message"])
    assert hub.requests == []


def test_a_revision_that_does_not_exist_is_refused(ask: Ask) -> None:
    said = ask(revision="v9")
    assert said["error"] == "SettingsError" and "has no revision 'v9'" in str(said["message"])
    assert "Correct translation.revision" in str(said["message"])


def test_a_gated_model_is_refused_with_what_to_do(ask: Ask, hub: hubs.Hub) -> None:
    hub.gated.add(NAME)
    said = ask()
    assert said["error"] == "SettingsError" and f"Accept them at {hub.address}/{NAME}" in str(said["message"])


@pytest.mark.parametrize("status", [401, 403])
def test_a_hub_that_denies_access_is_no_reason_to_try_again(ask: Ask, hub: hubs.Hub, status: int) -> None:
    hub.status = status
    said = ask()
    assert said["error"] == "SettingsError" and "hf auth login" in str(said["message"])
    assert len(hub.requests) == 1


def test_downloads_that_are_cut_or_answered_503_are_continued(ask: Ask, hub: hubs.Hub) -> None:
    hub.cut, hub.busy = 2, 1
    assert ask()["files"] == sorted(USED)
    assert hub.cut == hub.busy == 0


def test_a_hub_that_stays_busy_is_given_up_after_three_attempts(ask: Ask, hub: hubs.Hub) -> None:
    hub.status = 503
    said = ask()
    assert said["error"] == "SourceError" and "answers HTTP 503. Try again" in str(said["message"])
    assert len(hub.requests) == 3


def test_a_host_that_cannot_be_reached_is_one_short_message(ask: Ask) -> None:
    said = ask(HF_ENDPOINT="http://127.0.0.1:9")
    assert said["error"] == "SourceError" and "http://127.0.0.1:9 cannot be reached" in str(said["message"])
    assert said["log"] == "" and "\n" not in str(said["message"])


def test_a_preview_has_sizes_and_downloads_nothing(ask: Ask, hub: hubs.Hub, tmp_path: Path) -> None:
    size = sum(map(len, USED.values()))
    assert [ask("preview")[name] for name in ("bytes", "download", "files")] == [size, size, sorted(USED)]
    assert hub.files_sent == [] and not list((tmp_path / "home").rglob("blobs"))
    ask()
    assert [ask("preview")[name] for name in ("bytes", "download", "files")] == [size, 0, []]


def test_two_processes_at_once_download_each_file_once(hub: hubs.Hub, tmp_path: Path) -> None:
    running = [
        subprocess.Popen(
            command("fetch", NAME, None), stdout=subprocess.PIPE, text=True, env=environment(hub, tmp_path)
        )
        for _ in range(2)
    ]
    results = [json.loads(process.communicate()[0]) for process in running]
    assert [one["files"] for one in results] == [sorted(USED)] * 2
    assert sorted(hub.files_sent) == sorted(USED)


def test_a_folder_is_taken_as_it_is(ask: Ask, hub: hubs.Hub) -> None:
    folder = str(hub.root / NAME)
    assert ask(model=folder)["commit"] is None and hub.requests == []
    assert ask("preview", model=folder)["download"] == 0


def test_a_download_that_the_disk_has_no_room_for_is_refused_before_it_begins(ask: Ask, hub: hubs.Hub) -> None:
    said = ask(
        PRELUDE="import collections, shutil; shutil.disk_usage = lambda _: collections.namedtuple('_', 'free')(9)"
    )
    assert said["error"] == "SettingsError" and "200.0 kB are needed, 9 bytes are free" in str(said["message"])
    assert "set HF_HOME to a folder on another disk" in str(said["message"]) and hub.files_sent == []


def test_a_disk_that_fills_up_during_the_download_is_named(ask: Ask) -> None:
    said = ask(PRELUDE=FULL)
    assert said["error"] == "SettingsError" and "No room on the disk for the model" in str(said["message"])
    assert ask()["files"] == sorted(USED)  # with room again


FULL = """
import errno, io
import huggingface_hub.file_download as client
download = client.http_get
class Full(io.BytesIO):
    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")
client.http_get = lambda url, temp_file, **options: download(url, Full(), **options)
"""
