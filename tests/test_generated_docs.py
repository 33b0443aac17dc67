"""The documents that are generated say what the filters and the rows say."""

import tomllib
from pathlib import Path

import page as results
import pytest
from generate import DOCS, data_set_page, filters_page, languages_page

from bitext_pivot.corpus.recipes.bisect import SplitRow


def test_the_document_of_the_filters_is_up_to_date() -> None:
    """Regenerate it with: python docs/generate.py."""
    assert (DOCS / "filters.md").read_text(encoding="utf-8") == filters_page()


def test_the_document_of_the_columns_is_up_to_date() -> None:
    """Regenerate it with: python docs/generate.py."""
    text = (DOCS / "data-set.md").read_text(encoding="utf-8")
    assert data_set_page(text) == text
    assert all(f"\n| `{name}` | " in text for name in SplitRow.__annotations__)
    assert (
        "| `split_at` | int64 or null |" in text
        and "| `link` | list of struct of `name`, `value` |" in text
    )


def test_the_tables_of_the_languages_are_up_to_date() -> None:
    """Regenerate them with: python docs/generate.py."""
    text = (DOCS / "languages.md").read_text(encoding="utf-8")
    assert languages_page(text) == text
    assert "\n| `numbers` | " in text and "\n## What is handled\n" in text


def test_the_page_of_results_is_made_of_its_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write it again with: python benchmarks/page.py --from-logs."""
    committed = results.DETAILS.read_text(encoding="utf-8")
    monkeypatch.setattr(results, "DETAILS", tmp_path / "README.md")
    results.write(tomllib.loads((results.HERE / "page.toml").read_text(encoding="utf-8")))
    assert results.DETAILS.read_text(encoding="utf-8") == committed
