"""A build and a plan with the engine of an installed package."""

import json
import sys
from pathlib import Path

import pytest
from builds import rows, tiny
from outside_engine import install

from bitext_pivot.flows.pivot_settings import PivotBitext


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine in a package that is installed, and that the user named."""
    install(tmp_path / "packages")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.delitem(sys.modules, "glossaries", raising=False)
    monkeypatch.setenv("BITEXT_PIVOT_ENGINES", '["glossary"]')


def test_a_build_has_the_engine_in_rows_card_and_signature(home: Path, installed: None) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    form = tiny(translation={"engine": "glossary"}, export={"formats": ["jsonl"]})
    folder = pivot_bitext(PivotBitext.model_validate(form))
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    signature = stats["signature"]["engine"]
    assert signature.startswith("glossary glossaries 1.5 ")
    assert {row["engine"] for row in rows(folder)} == {"glossary glossaries 1.5"}
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"`{signature}`" in card and "mt:glossary+glossaries+1.5" in card
