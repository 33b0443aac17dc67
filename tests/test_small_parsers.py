"""The recipe of the small pipelines of other languages than English: what it makes can be loaded and parses.

A few steps teach nothing; what the whole recipe reaches is in docs/parsers.md.
"""

import importlib
import json
from pathlib import Path

import pytest

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.parsing import Parser, load_pipeline, parse_texts

ROOT = Path(__file__).parents[1]


@pytest.mark.nightly
@pytest.mark.shared
def test_a_pipeline_of_the_recipe_can_be_used(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "quickstart" / "train"))
    recipe = importlib.import_module("small")
    recipe.small("fr", shared / "ud", tmp_path / "fr", steps=3)
    pipeline = load_pipeline(Parser(pipeline=str(tmp_path / "fr")), "fr")
    assert pipeline.scheme == "ud"
    (parse,) = parse_texts(["Elle ouvre la porte et entre."], pipeline)
    assert isinstance(parse, Parse) and len(parse.tokens) >= 6
    assert DependencyTree(parse, "fr").roots
    meta = json.loads((tmp_path / "fr" / "meta.json").read_text(encoding="utf-8"))
    assert (
        meta["license"] == recipe.TREEBANKS["fr"][2]
        and "Universal Dependencies" in meta["description"]
    )


def test_test_sets_are_no_training_treebanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "quickstart" / "train"))
    names = [name for name, _, _ in importlib.import_module("small").TREEBANKS.values()]
    assert len(names) == 5 and not any("test" in name or "pud" in name for name in names)
