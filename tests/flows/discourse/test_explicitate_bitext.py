"""Explicitation as a whole: bitexts that share documents become a data set. The engine echo returns its input."""

import json
from pathlib import Path
from typing import Any

import pytest
from builds import files_without_checksum, rows, tree, unlisted_parts
from pack import Link, pack_corpus

from bitext_pivot.core.site import Site
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext

CONTRAST, CAUSE = "Comparison.Contrast", "Contingency.Cause"
DAYS = {
    "rain": ["It rained.", "We stayed at home.", "However, we read a book.", "The book was long."],
    "snow": ["It snowed.", "The schools were open.", "We were late"],
}
"""English documents. Their "translations" are English, too, for the engine echo."""
MADE_EXPLICIT = {
    "We stayed at home.": {"fr": "Therefore we stayed at home.", "es": "Thus we stayed at home."},
    "The schools were open.": {
        "fr": "But the schools were open.",
        "es": "The schools were open, however, all day.",
    },
    "The book was long.": {"fr": "But the book was long."},
}


@pytest.fixture
def settings(tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(tmp_path / "opus"))
    bitexts = {
        language: {
            name: [
                Link({"en": [text], language: [MADE_EXPLICIT.get(text, {}).get(language, text)]})
                for text in texts
            ]
            for name, texts in DAYS.items()
        }
        for language in ("es", "fr")
    }
    pack_corpus(tmp_path / "opus", "Days", bitexts)
    return {
        "pivots": ["fr", "es"], "corpora": ["Days/v1"], "shard_rows": 1, "translation": {"engine": "echo"},
        "division": {"validation": 0, "test": 0}, "export": {"formats": ["jsonl", "tsv"]},
    }  # fmt: skip


def test_a_data_set_of_agreeing_votes(settings: dict[str, Any]) -> None:
    from bitext_pivot.flows.explicitate_bitext import explicitate_bitext
    from bitext_pivot.tasks.ahead.inventory import finished_before

    folder = explicitate_bitext(ExplicitateBitext.model_validate(settings))
    assert folder.parent.name == "fr-es-en"
    assert files_without_checksum(folder) == set()
    kept = rows(folder, "2-votes")
    assert [
        (row["first"], row["second"], row["sense"], row["sense_pdtb2"], row["votes"])
        for row in kept
    ] == [
        ("It rained.", "We stayed at home.", CAUSE, CAUSE, 2),
        ("It snowed.", "The schools were open.", CONTRAST, CONTRAST, 2),
    ]
    assert kept[1]["readings"] == [
        {"language": "fr", "connective": "but", "sense": CONTRAST},
        {"language": "es", "connective": "however", "sense": CONTRAST},
    ]
    assert kept[0]["back_translations"][0] == {
        "language": "fr", "first": "It rained.", "second": "Therefore we stayed at home."
    }  # fmt: skip
    assert (kept[0]["id"], kept[0]["sentence_ids"]) == ("Days/v1/en/en/rain.xml:1-2", ["1", "2"])
    assert {row["second"]: row["rejected_by"] for row in rows(folder, "rejected")} == {
        "However, we read a book.": "marked", "The book was long.": "votes", "We were late": "fragment"
    }  # fmt: skip
    table = (folder / "2-votes" / "train-00000.tsv").read_text(encoding="utf-8").splitlines()
    assert table == [
        "first\tsecond\tsense\tvotes",
        f"It rained.\tWe stayed at home.\t{CAUSE}\t2",
        f"It snowed.\tThe schools were open.\t{CONTRAST}\t2",
    ]
    signature = json.loads((folder / "stats.json").read_text(encoding="utf-8"))["signature"]
    assert signature["settings"]["pivots"] == ["fr", "es"]
    assert signature["engines"].keys() == {"fr", "es"}
    assert signature["sources"].keys() == {"Days/v1/en-es", "Days/v1/en-fr"}
    before = tree(folder)
    assert explicitate_bitext(ExplicitateBitext.model_validate(settings)) == folder
    assert tree(folder) == before
    assert finished_before(ExplicitateBitext.model_validate(settings), Site()) == folder
    assert unlisted_parts(ExplicitateBitext.model_validate(settings), Site(), "fr-es-en") == []
    other = ExplicitateBitext.model_validate({**settings, "export": {"formats": ["jsonl"]}})
    assert finished_before(other, Site()) is None


def test_a_data_set_of_each_language_as_in_the_paper(settings: dict[str, Any]) -> None:
    from bitext_pivot.flows.explicitate_bitext import explicitate_bitext

    faithful = {**settings, "explicitation": {"profile": "faithful"}}
    folder = explicitate_bitext(ExplicitateBitext.model_validate(faithful))
    kinds = {
        path.name: [row["second"] for row in rows(folder, path.name)]
        for path in folder.iterdir()
        if path.is_dir()
    }
    assert kinds == {
        "all": ["We stayed at home.", "The book was long.", "The schools were open."],
        "fr": ["We stayed at home.", "The book was long.", "The schools were open."],
        "es": ["We stayed at home.", "The schools were open."],
        "2-votes": ["We stayed at home.", "The schools were open."],
        "rejected": ["However, we read a book.", "We were late"],
    }
