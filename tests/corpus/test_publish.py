"""`bitext-pivot publish`: what it shows, what reaches the hub, what is refused."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import huggingface_hub
import pytest
from builds import tree
from factories import assigned, judged
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, constants
from huggingface_hub.errors import HfHubHTTPError, HFValidationError
from messages import Golden, Said

from bitext_pivot.commands.main import main
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus.data_set_export import export_records
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas

PAIRS = [judged(n, f"Il pleut 🐱 {n}, on reste.", "Il pleut.", "On reste ici.") for n in range(3)]
LICENCES = {"Everyday/v1": "CC0-1.0", "Rain/v1": "unknown", "Snow/v1": "CC-BY-NC-4.0"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set of three corpora, with a file and a link to a secret that are not part of it."""
    folder = data_set(tmp_path / "export-0f0f0f0f", LICENCES)
    (folder / "notes.txt").write_text("private", encoding="utf-8")
    (folder / "key.txt").symlink_to(folder / "notes.txt")
    return folder


def data_set(folder: Path, licences: dict[str, str]) -> Path:
    files = DataSetFiles(
        folder, PairExportSettings(), schemas(BISECT.rows.classes, ("overlap", "bertscore"))
    )
    export_records(files, BISECT, assigned(PAIRS))
    counts = Counts({("licence", name, licence): 3 for name, licence in licences.items()})
    counts["subset", "train"] = 3 * len(licences)
    signature = {"settings": {"language": "en"}, "files": {"/home/ana/diary.tmx": "0f"}}
    funnel = [FunnelStage(name="x", rows=0, lost={})]
    facts = BuildFacts(title="", signature=signature, counts=counts, funnel=funnel)
    atomic.write_json(folder / "stats.json", facts.to_json())
    (folder / "README.md").write_text("---\nlicense: other\n---\n\n# Pairs\n", encoding="utf-8")
    manifest.write(folder, files.rows, ["stats.json", "README.md"])
    return folder


@dataclass
class Hub:
    """The methods of the hub's client that send something."""

    files: dict[str, bytes] = field(default_factory=dict)
    """Files of the repository."""
    created: dict[str, Any] = field(default_factory=dict)
    """How the repository was created."""
    failure: Exception | None = None

    def create_repo(self, hub: Any, repo: str, **options: Any) -> Any:
        if self.failure:
            raise self.failure
        self.created = {"repo": repo, **options}
        return SimpleNamespace(repo_id=repo)

    def list_repo_files(self, hub: Any, **options: Any) -> list[str]:
        return [*self.files]

    def create_commit(self, hub: Any, operations: list[Any], **options: Any) -> Any:
        for operation in operations:
            if isinstance(operation, CommitOperationDelete):
                del self.files[operation.path_in_repo]
            if isinstance(operation, CommitOperationAdd):
                with operation.as_file() as file:
                    self.files[operation.path_in_repo] = file.read()
        return SimpleNamespace(commit_url="https://hub/commit/cccc")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A hub that accepts everything."""
    hub = Hub()
    monkeypatch.setattr(constants, "ENDPOINT", "https://hub")
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    valid = httpx2.MockTransport(
        lambda asked: httpx2.Response(200, json={"errors": [], "warnings": []})
    )
    monkeypatch.setattr(
        "huggingface_hub.hf_api.get_session", lambda: httpx2.Client(transport=valid)
    )
    for name in ("create_repo", "list_repo_files", "create_commit"):
        method = getattr(hub, name)
        monkeypatch.setattr(HfApi, name, lambda api, *a, method=method, **o: method(api, *a, **o))
    return hub


def publish(folder: Path, *options: str) -> int:
    return main(["publish", str(folder), "--repo", "acme/pairs", *options])


def test_without_yes_nothing_is_sent(
    folder: Path, hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(folder) == 0
    assert hub == Hub()
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("dataset acme/pairs on https://hub: 8 files, ")
    assert shown[1:] == [
        "Licence: 3 rows are unknown. The card says which; ask before you pass them on.",
        "Licence: 3 rows are CC-BY-NC-4.0. The card says which; ask before you pass them on.",
        "Rows may contain texts of the file /home/ana/diary.tmx.",
        "Nothing was uploaded. To upload, give the same command with --yes.",
    ]


@pytest.mark.parametrize(("options", "is_private"), [((), True), (("--public",), False)])
def test_with_yes_the_hub_has_the_files_of_the_manifest_and_none_of_an_earlier_upload(
    options: tuple[str, ...], is_private: bool, folder: Path, hub: Hub, done: Said
) -> None:
    old = {"pairs/test-00007.jsonl": b"old", "croissant.json": b"old", "README.md": b"old"}
    hub.files = {**old, "LICENSE": b"mine"}
    shown = done("publish", str(folder), "--repo", "acme/pairs", "--yes", *options)
    assert "Uploaded: https://hub/commit/cccc" in shown
    listed = {
        name: data for name, data in tree(folder).items() if name not in {"notes.txt", "key.txt"}
    }
    assert hub.files == {**listed, "LICENSE": b"mine"}
    assert hub.created == {
        "repo": "acme/pairs", "repo_type": "dataset", "private": is_private, "exist_ok": True,
    }  # fmt: skip


def test_a_model_is_uploaded_as_one(tmp_path: Path, hub: Hub, done: Said) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.safetensors").write_bytes(b"weights")
    rows = {"CC0-1.0": 5, "unknown": 7}
    atomic.write_json(tmp_path / "scores.json", {"data": {"licences": rows}})
    manifest.write(tmp_path, {}, ["model/model.safetensors", "scores.json"])
    hub.files = {"model/old.bin": b"old"}
    shown = done("publish", str(tmp_path), "--repo", "acme/pairs", "--yes")
    assert "Licence: 7 rows are unknown." in shown and "CC0" not in shown
    assert hub.files == tree(tmp_path) and hub.created["repo_type"] == "model"


@pytest.mark.parametrize(("name", "data"), [
    ("manifest.json", None),
    ("pairs/train-00000.src", b"It rains.\n" * 9),
    ("pairs/train-00000.src", None),
])  # fmt: skip
def test_a_folder_that_is_no_complete_data_set_is_refused(
    name: str, data: bytes | None, folder: Path, hub: Hub, refused: Said, golden: Golden
) -> None:
    (folder / name).unlink()
    if data is not None:
        (folder / name).write_bytes(data)
    golden.same(refused("publish", str(folder), "--repo", "acme/pairs", "--yes"))
    assert hub == Hub()


def test_a_data_set_without_a_kept_row_is_refused(tmp_path: Path, refused: Said) -> None:
    empty = data_set(tmp_path / "export-00000000", {})
    assert "has no kept row to publish" in refused("publish", str(empty), "--repo", "a/pairs")


def answered(status: int) -> HfHubHTTPError:
    """Return what the hub's client raises for an answer."""
    request = httpx2.Request("POST", "https://hub/api/repos/create")
    return HfHubHTTPError("failed", response=httpx2.Response(status, request=request))


@pytest.mark.parametrize(("failure", "status", "message"), [
    (answered(401), 2, "https://hub needs a token with the right to write. Log in with "),
    (answered(403), 2, "The token has no right to write to acme/pairs on https://hub (HTTP 403)."),
    (HFValidationError("no"), 2, "--repo is acme/pairs, which is not a valid name on https://hub. Expected owner/"),
    (answered(500), 1, "The upload to acme/pairs is incomplete: https://hub responded with HTTP 500. Run"),
    (OSError("no route"), 1, "The upload to acme/pairs is incomplete: https://hub failed (no route)."),
])  # fmt: skip
def test_what_the_hub_refuses_is_said_in_one_line(
    failure: Exception, status: int, message: str, folder: Path, hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    hub.failure = failure
    assert publish(folder, "--yes") == status
    assert message in capsys.readouterr().err.splitlines()[-1]
    assert hub.files == {}


def test_the_token_is_never_shown(
    folder: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(huggingface_hub, "get_token", lambda: "hf_secret")
    hub.failure = OSError("https://user:hf_secret@hub/")
    assert publish(folder, "--yes") == 1
    assert "hf_secret" not in capsys.readouterr().err


def received_with(folder: Path, name: str) -> None:
    """Add a file to a data set as a stranger can, with a manifest that lists it."""
    (folder / name).write_text("x", encoding="utf-8")
    entries = manifest.files(folder) or {}
    data = {each: entry.rows for each, entry in entries.items() if entry.rows is not None}
    others = [each for each in entries if each not in data and each != manifest.CHECKSUMS]
    manifest.write(folder, data, [*others, name])


@pytest.mark.parametrize("name", ["*", "**", "[a-z]*", "?otes.txt", "pairs/*", "a[1].md"])
def test_a_name_in_the_manifest_is_no_pattern(name: str, folder: Path, hub: Hub) -> None:
    received_with(folder, name)
    assert publish(folder, "--yes") == 0
    assert hub.files.keys() == {*(manifest.files(folder) or {}), manifest.NAME}
    assert b"private" not in b"".join(hub.files.values())


@pytest.mark.parametrize("link", ["pairs/key.jsonl", "other.txt"])
def test_a_listed_link_that_leaves_the_folder_is_refused(
    link: str, folder: Path, hub: Hub, tmp_path: Path, refused: Said
) -> None:
    (tmp_path / "id_rsa").write_text("private", encoding="utf-8")
    received_with(folder, link)
    (folder / link).unlink()
    (folder / link).symlink_to(tmp_path / "id_rsa")
    shown = refused("publish", str(folder), "--repo", "acme/pairs", "--yes")
    assert "is a link that leaves the folder" in shown and hub == Hub()
