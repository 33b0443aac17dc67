"""`bitext-pivot publish`: what it shows, what reaches the hub, what is refused."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hub_uploads
import huggingface_hub
import pytest
from builds import tree
from factories import assigned, judged
from huggingface_hub import constants
from messages import Golden, Said

from bitext_pivot.commands.main import main
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.export import export
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.formats import Export
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas

pytestmark = pytest.mark.filterwarnings(
    "ignore:Use 'content=:DeprecationWarning"
)  # in the hub's client

ROOT = Path(__file__).parents[2]
PAIRS = [
    judged(number, f"Il pleut 🐱 {number}, on reste.", "Il pleut.", "On reste ici.")
    for number in range(3)
]
KEPT = [
    f"acme-lab/pairs/pairs/train-00000.{ending}" for ending in ("dst", "jsonl", "parquet", "src")
]


def corpus(licence: str, grounds: str = "") -> dict[str, str]:
    return {"licence": licence, "grounds": grounds}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set with two corpora, and a file that is not part of it."""
    return data_set(
        tmp_path / "export-0f0f0f0f",
        {"Everyday/v1": corpus("CC0-1.0"), "Rain/v1": corpus("unknown", "a note")},
    )


def data_set(folder: Path, corpora: dict[str, Any]) -> Path:
    files = DataFiles(folder, Export(), schemas(BISECT.rows.classes, ("overlap", "bertscore")))
    export(files, BISECT, assigned(PAIRS))
    counts = Counts({("licence", name, source["licence"]): 3 for name, source in corpora.items()})
    counts["subset", "train"] = 3 * len(corpora)
    signature = {"settings": {"language": "en", "pivot": "fr"}}
    facts = BuildFacts(
        title="",
        signature=signature,
        corpora=corpora,
        counts=counts,
        funnel=[FunnelStage(name="x", rows=0, lost={})],
    )
    atomic.write_json(folder / "stats.json", facts.plain())
    (folder / "README.md").write_text("---\nlicense: other\n---\n\n# Pairs\n", encoding="utf-8")
    manifest.write(folder, files.rows, ["stats.json", "README.md"])
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    return folder


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[hub_uploads.UploadHub]:
    """A hub, and a token that it accepts."""
    with hub_uploads.serve() as hub:
        monkeypatch.setattr(constants, "ENDPOINT", hub.address)
        monkeypatch.setattr(
            constants, "HF_HUB_DISABLE_XET", True
        )  # the storage of the real hub needs a service of its own
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(huggingface_hub, "get_token", lambda: hub_uploads.TOKEN)
        yield hub


def publish(folder: Path, *options: str, repo: str = "acme-lab/pairs") -> int:
    return main(["publish", str(folder), "--repo", repo, *options])


def uploaded(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that its manifest lists, and the manifest."""
    return {name: data for name, data in tree(folder).items() if name != "notes.txt"}


def test_without_yes_nothing_is_sent(
    folder: Path, hub: hub_uploads.UploadHub, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(folder) == 0
    assert hub.requests == []
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{hub.address}/datasets/acme-lab/pairs (private if it is new)" in shown
    for text in (
        "pairs/train-00000.parquet",
        "manifest.json",
        "Nothing was uploaded",
        "Rain/v1 (3 rows) states none (a note). Ask before you pass it on.",
    ):
        assert text in shown
    assert "the rows have different ones (CC0-1.0, unknown)" in shown
    assert "notes.txt" not in shown


def test_with_yes_the_hub_has_the_files_of_the_manifest(
    folder: Path, hub: hub_uploads.UploadHub
) -> None:
    environment = {
        "HF_ENDPOINT": hub.address, "HF_TOKEN": hub_uploads.TOKEN, "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0",
    }  # fmt: skip
    command = [
        sys.executable,
        "-m",
        "bitext_pivot",
        "publish",
        str(folder),
        "--repo",
        "acme-lab/pairs",
        "--yes",
    ]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    expected = {f"acme-lab/pairs/{name}": data for name, data in uploaded(folder).items()}
    assert hub.files == expected
    assert set(KEPT) <= set(expected)
    assert hub.private == {"acme-lab/pairs": True}
    assert f"Uploaded: {hub.address}/datasets/acme-lab/pairs/commit/cccc" in done.stdout


def test_a_model_is_uploaded_as_one(
    tmp_path: Path, hub: hub_uploads.UploadHub, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model").mkdir()
    contents = {
        "model/model.safetensors": b"weights",
        "README.md": b"---\nlicense: other\n---\n\n# A model\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    atomic.write_json(
        tmp_path / "scores.json", {"data": {"licences": {"CC0-1.0": 5, "unknown": 7}}}
    )
    manifest.write(tmp_path, {}, [*contents, "scores.json"])
    hub.files["acme-lab/pairs/model/old.bin"] = b"old"
    assert publish(tmp_path, "--yes") == 0
    assert hub.files == {
        f"acme-lab/pairs/{name}": data for name, data in uploaded(tmp_path).items()
    }
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{hub.address}/acme-lab/pairs (private if it is new)" in shown
    assert (
        "7 training rows are unknown. Ask before you pass the weights on." in shown
        and "CC0" not in shown
    )


@pytest.mark.parametrize(
    "scores",
    [
        {},
        {"data": []},
        {"data": {}},
        {"data": {"licences": ["MIT"]}},
        {"data": {"licences": {"MIT": "many"}}},
    ],
)
def test_a_model_with_other_scores_is_refused_in_one_line(
    scores: dict[str, Any],
    tmp_path: Path,
    hub: hub_uploads.UploadHub,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "model").mkdir()
    atomic.write_json(tmp_path / "scores.json", scores)
    manifest.write(tmp_path, {}, ["scores.json"])
    assert publish(tmp_path, "--yes") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "scores.json" in line and "of another version" in line and not hub.files


def test_a_new_repository_is_public_if_one_asks_for_it(
    folder: Path, hub: hub_uploads.UploadHub
) -> None:
    assert publish(folder, "--public", "--yes") == 0
    assert hub.private == {"acme-lab/pairs": False}


def test_a_second_upload_replaces_the_first(folder: Path, hub: hub_uploads.UploadHub) -> None:
    hub.files |= {
        f"acme-lab/pairs/{name}": b"old"
        for name in ("pairs/test-00007.jsonl", "README.md", "LICENSE")
    }
    hub.private["acme-lab/pairs"] = False
    assert publish(folder, "--yes") == 0
    assert "acme-lab/pairs/pairs/test-00007.jsonl" not in hub.files
    assert hub.files["acme-lab/pairs/README.md"].startswith(b"---")
    assert hub.files["acme-lab/pairs/LICENSE"] == b"old"
    assert hub.private == {"acme-lab/pairs": False}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("manifest.json", None),
        ("pairs/train-00000.src", b"It rains.\n" * 9),
        ("pairs/train-00000.src", None),
    ],
)
def test_a_folder_that_is_no_complete_data_set_is_refused(
    name: str,
    data: bytes | None,
    folder: Path,
    hub: hub_uploads.UploadHub,
    capsys: pytest.CaptureFixture[str],
    golden: Golden,
) -> None:
    if data is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(data)
    assert publish(folder, "--yes") == 2
    golden.same(capsys.readouterr().err)
    assert hub.requests == []


def test_statistics_of_another_version_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "stats.json").write_text('{"funnel": [], "new": 1}', encoding="utf-8")
    manifest.write(folder, {}, ["stats.json"])
    assert publish(folder) == 2
    assert "is damaged or of another version (counts: Field required)" in capsys.readouterr().err


def test_a_data_set_without_a_kept_row_is_refused(
    tmp_path: Path, hub: hub_uploads.UploadHub, refused: Said
) -> None:
    empty = data_set(tmp_path / "export-00000000", {})
    assert "has no kept row to publish" in refused("publish", str(empty), "--repo", "a/pairs")
    assert hub.requests == []


@pytest.mark.parametrize("repo", ["pairs", "a/b/c", "acme-lab/..", "acme lab/pairs"])
def test_a_name_that_is_no_repository_is_refused(
    repo: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(folder, repo=repo) == 2
    assert f"--repo is {repo!r}, expected owner/name" in capsys.readouterr().err


@pytest.mark.parametrize(("token", "repo", "failing", "status", "message"), [
    (None, "acme-lab/pairs", "", 2, "needs a token with the right to write. Log in: .venv/bin/hf auth login"),
    ("hf_other", "acme-lab/pairs", "", 2, "does not accept the token. Log in again"),
    (hub_uploads.TOKEN, "acme/pairs", "", 2, "The token may not write to acme/pairs"),
    (hub_uploads.TOKEN, "acme-lab/pairs", "/commit/", 1, "answers HTTP 500. Run the command again."),
], ids=["no token", "wrong token", "no permission", "hub fails"])  # fmt: skip
def test_what_the_hub_refuses_is_said_in_one_line(
    token: str | None, repo: str, failing: str, status: int, message: str, folder: Path, hub: hub_uploads.UploadHub,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(huggingface_hub, "get_token", lambda: token)
    hub.failing = failing
    assert publish(folder, "--yes", repo=repo) == status
    errors = capsys.readouterr().err.splitlines()
    assert [line for line in errors if line.startswith("bitext-pivot: ")] == errors[-1:]
    assert message in errors[-1]
    assert hub.files == {}


def test_a_hub_that_is_not_there_is_named(
    folder: Path,
    hub: hub_uploads.UploadHub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    assert publish(folder, "--yes") == 1
    assert (
        "The upload to acme-lab/pairs is incomplete: http://127.0.0.1:9 failed ("
        in capsys.readouterr().err
    )


def test_a_restrictive_licence_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data_set(tmp_path / "nc", {"Rain/v1": corpus("CC-BY-NC-SA-4.0")})
    assert publish(folder) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Rain/v1 (3 rows) is CC-BY-NC-SA-4.0, which restricts use." in shown
    assert "different ones" not in shown


def received_with(folder: Path, name: str) -> None:
    """Add a file to a data set as a stranger can, with a manifest that lists it."""
    (folder / name).write_text("x", encoding="utf-8")
    entries = manifest.files(folder) or {}
    data = {each: entry.rows for each, entry in entries.items() if entry.rows is not None}
    manifest.write(folder, data, [each for each in entries if each not in data] + [name])


@pytest.mark.parametrize("name", ["*", "**", "[a-z]*", "?otes.txt", "pairs/*", "a[1].md"])
def test_exactly_the_files_that_are_listed_are_sent_whatever_their_names(
    name: str, folder: Path, hub: hub_uploads.UploadHub, tmp_path: Path
) -> None:
    """A name of the manifest is no pattern: beside it lie a file and a link to a secret that are not listed."""
    secret = tmp_path / "id_rsa"
    secret.write_text("private", encoding="utf-8")
    (folder / "key.txt").symlink_to(secret)
    received_with(folder, name)
    assert publish(folder, "--yes") == 0
    listed = {*(manifest.files(folder) or {}), manifest.NAME}
    assert {path.removeprefix("acme-lab/pairs/") for path in hub.files} == listed
    assert b"private" not in b"".join(hub.files.values())


@pytest.mark.parametrize("link", ["pairs/key.jsonl", "key.txt"])
def test_a_listed_link_that_leaves_the_folder_is_refused(
    link: str,
    folder: Path,
    hub: hub_uploads.UploadHub,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = tmp_path / "id_rsa"
    secret.write_text("private", encoding="utf-8")
    received_with(folder, link)
    (folder / link).unlink()
    (folder / link).symlink_to(secret)
    assert publish(folder, "--yes") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is a link that leaves the folder" in line
    assert hub.files == {}
