"""The table of `judge --explain` says why a filter has no score."""

from bitext_pivot.commands.verdict_tables import verdict_table
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.view import View

LINE = {"line": 1, "long": "A.", "split": ["A.", "B."], "scores": {"pasted": 2.0}}


def measured(rejected_by: str | None) -> dict[str, str]:
    table = verdict_table(LINE | {"rejected_by": rejected_by}, Filters())
    return {str(row[0]): str(row[1]) for row in table.rows}


def test_a_model_is_not_asked_about_a_rejected_pair() -> None:
    cells = measured("pasted")
    assert cells["bertscore"] == cells["meaning"] == "no: pasted rejects"
    assert (cells["pasted"], cells["confidence"]) == ("2", "no: no confidence scores")


def test_a_language_without_data_is_named() -> None:
    assert measured(None)["fragments"] == "no: no data for the language"


class Undescribed(RuleFilter):
    max_size: int = 0

    def measure(self, pair: View) -> float:
        return 1.0


def test_a_filter_without_a_description_is_explained_without_one() -> None:
    filters = Filters(own=[Undescribed])
    (name,) = set(filters.active()) - set(Filters().active())
    table = verdict_table(LINE | {"rejected_by": name, "scores": {name: 1.0}}, filters)
    assert name in table.note
