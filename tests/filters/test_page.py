"""The page on the filters is what the filters say."""

from pathlib import Path

from filters.page import page

PAGE = Path(__file__).parents[2] / "docs" / "filters.md"


def test_the_page_is_up_to_date() -> None:
    """Write it anew with: python -m filters.page docs/filters.md."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_bounds_defaults_and_choices_are_told() -> None:
    text = page()
    assert "| `min_share` | `0.15` | number, 0 to 1 |" in text
    assert "| `min_score` | empty | number, -1 to 1 |" in text
    assert "| `count` | `sentences` | `sentences` or `roots` |" in text
    assert "*Off by default. Needs a model.* The probability" in text
