"""Shards of sentences: cut at document borders, written once, and their parse shared by all recipes."""

import json
from pathlib import Path

import pytest

from bitext_pivot.core.records import Sentence
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.reading.monolingual import JsonLinesFile


def test_documents_are_never_cut_and_complete_shards_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.discourse.tasks import read_documents as stage

    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    texts = [
        "It rains. We stay. We read.",
        "Night falls.",
        "It dawns. We rise.",
        "[",
        "We walk.",
        "We \x07 end.",
    ]
    lines = [
        json.dumps({"id": f"d{n}", "text": text}) if text != "[" else text
        for n, text in enumerate(texts)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(lines), encoding="utf-8")

    def run() -> list[Path]:
        documents = JsonLinesFile(name="Days", path=tmp_path / "t.jsonl")
        source = stage._download_or_locate(documents, "en", False, Site())
        return list(stage.write_sentences(source, 3, Site()).output)

    paths = run()
    documents = [[row.source.document for row in shards.read(path, Sentence)] for path in paths]
    assert documents == [["d0", "d0", "d0"], ["d1", "d2", "d2"], ["d4"]]
    skips = [shards.read_manifest(path)["skips"] for path in paths]
    assert skips == [
        {},
        {"row without a text": 1},
        {"control characters": 1},
    ]
    before = [path.stat().st_mtime_ns for path in paths]
    assert run() == paths
    assert [path.stat().st_mtime_ns for path in paths] == before
    paths[1].unlink()
    assert run() == paths
    assert paths[1].exists()
