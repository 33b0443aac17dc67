"""What all self-checks of models share: enough of the facts must be right."""

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.model_check import check_model


@pytest.mark.parametrize("facts", [[], [True], [1, 1, 0.5, 0.5], [True, True, True, False]])
def test_a_model_with_enough_right_facts_passes(facts: list[float]) -> None:
    check_model("The model", facts, 0.75, "facts are right", "Name another.")


def test_too_few_are_refused_with_what_was_counted() -> None:
    message = r"^The model loads but does not work: 1.5 of 4 facts are right \(38%, expected at least 75%\)\. Name .*$"
    with pytest.raises(SettingsError, match=message):
        check_model("The model", [1, 0.5, 0, 0], 0.75, "facts are right", "Name another.")
