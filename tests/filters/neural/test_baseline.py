"""Baselines: bert_score's own tables, files of that form, and what is none."""

from pathlib import Path

import pytest

from filters.neural.baseline import is_shipped, read, shipped, signature
from filters.neural.matching import Comparison
from pairs.errors import SettingsError


def test_the_package_ships_some() -> None:
    assert (is_shipped("roberta-large"), is_shipped("all-MiniLM-L6-v2")) == (True, False)
    assert read(shipped("bert-base-uncased", "en"), 9) == Comparison(0.35375935, 0.3537393, 0.35219112)


def test_a_language_without_one_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"no baseline of 'roberta-large' for 'fr'. Switch `rescale` off, or give"):
        shipped("roberta-large", "fr")


@pytest.mark.parametrize("text", ["", "LAYER,P,R\n0,1,1\n", "LAYER,P,R,F\n0,x,1,1\n", "LAYER,P,R,F\n0,1\n"])
def test_another_table_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"is no baseline .*LAYER,P,R,F|has no layer 0"):
        read(path, 0)


def test_a_layer_that_it_lacks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("LAYER,P,R,F\n0,.1,.1,.1\n1,.2,.2,.2\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"has no layer 2\. It has 0, 1"):
        read(path, 2)


def test_a_file_is_told_by_its_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("LAYER,P,R,F\n0,.1,.1,.1\n", encoding="utf-8")
    two.write_text("LAYER,P,R,F\n0,.1,.1,.2\n", encoding="utf-8")
    assert signature(one) != signature(two)
    assert signature(None).startswith("bert_score-0.")
    with pytest.raises(SettingsError, match=r"There is no file .*absent\.csv' to take as `baseline`"):
        signature(tmp_path / "absent.csv")
