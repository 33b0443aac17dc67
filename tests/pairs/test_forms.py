"""A form shows few fields at first, and folding changes neither what is refused nor what is built."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import Field, ValidationError

from pairs.forms import ADVANCED, refused_unless
from pairs.settings import Settings


class Cut(Settings):
    """How it is cut."""

    folded = True

    length: int = Field(default=5, ge=1, title="Length", description="Of each piece.")
    most: int | None = Field(default=None, ge=2, title="Most", description="Pieces; empty: all.")


class Oven(Settings):
    """How it is baked."""

    at_first = frozenset({"heat"})

    heat: int = Field(default=180, ge=50, le=300, title="Heat", description="Degrees.")
    fan: bool = Field(default=True, title="Fan", description="Whether air is moved.")
    minutes: int = Field(default=30, ge=1, description="Time.")


class Bread(Settings):
    """An example of a form."""

    flour: str = Field(default="rye", title="Flour", description="Its kind.")
    cut: Cut = Field(default=Cut(), title="Cut", description="Slices.")
    oven: Oven = Field(default=Oven(minutes=40), title="Oven", description="Baking.")


SCHEMA = Bread.model_json_schema()


def problems(values: dict[str, Any]) -> list[tuple[str, str]]:
    """Where the schema refuses values, and its words."""
    return [(error.json_path, error.message) for error in Draft202012Validator(SCHEMA).iter_errors(values)]


def test_a_folded_group_has_a_closed_side_without_fields_and_stands_behind_the_others() -> None:
    cut = SCHEMA["properties"]["cut"]
    closed, opened = cut["anyOf"]
    assert (closed["title"], closed["properties"]) == ("Default", {})
    assert (opened["title"], opened["$ref"]) == ("Customise", "#/$defs/Cut")
    assert cut["position"] == 1 and "position" not in SCHEMA["properties"]["oven"]


def test_fields_that_are_not_shown_at_first_are_named_on_the_group_that_holds_them() -> None:
    oven = SCHEMA["$defs"]["Oven"]["properties"]
    assert list(oven) == ["heat", ADVANCED]
    assert oven[ADVANCED]["description"] == "Values that suit most builds: Fan, Minutes."
    closed, opened = oven[ADVANCED]["anyOf"]
    assert closed["properties"] == {} and list(opened["properties"]) == ["fan", "minutes"]


def test_a_group_has_a_default_only_where_it_differs_from_its_fields() -> None:
    assert "default" not in SCHEMA["properties"]["cut"]
    assert SCHEMA["properties"]["oven"]["default"] == {ADVANCED: {"minutes": 40}}


@pytest.mark.parametrize(("values", "where", "words"), [
    ({"cut": {"length": 0}}, "$.cut.length", "0 is less than the minimum of 1"),
    ({"cut": {"most": 1}}, "$.cut.most", "1 is less than the minimum of 2"),
    ({"cut": {"width": 1}}, "$.cut", "Additional properties are not allowed ('width' was unexpected)"),
    ({"oven": {"heat": 301}}, "$.oven.heat", "301 is greater than the maximum of 300"),
    ({"oven": {ADVANCED: {"minutes": 0}}}, "$.oven.advanced.minutes", "0 is less than the minimum of 1"),
    ({"oven": {"minutes": 0}}, "$.oven.minutes", "0 is less than the minimum of 1"),
    ({"oven": {ADVANCED: {"heat": 200}}}, "$.oven.advanced",
     "Additional properties are not allowed ('heat' was unexpected)"),
])  # fmt: skip
def test_what_is_wrong_inside_a_fold_is_refused_at_its_own_field(
    values: dict[str, Any], where: str, words: str
) -> None:
    assert problems(values) == [(where, words)]


@pytest.mark.parametrize("values", [
    {}, {"cut": {}}, {"cut": {"length": 9, "most": None}}, {"oven": {ADVANCED: {}}},
    {"oven": {ADVANCED: {"fan": False}}}, {"oven": {"fan": False}},
    {"flour": "wheat", "oven": {"heat": 200, ADVANCED: {"minutes": 20}}},
])  # fmt: skip
def test_what_the_settings_accept_the_form_accepts(values: dict[str, Any]) -> None:
    assert problems(values) == []
    Bread.model_validate(values)


@given(st.permutations(["fan", "minutes"]), st.integers(0, 2), st.booleans(), st.integers(1, 90))
def test_wherever_a_field_stands_the_settings_are_the_same(
    names: list[str], inside: int, fan: bool, minutes: int
) -> None:
    plain = {"heat": 200, "fan": fan, "minutes": minutes}
    within = {name: plain[name] for name in names[:inside]}
    folded = {name: value for name, value in plain.items() if name not in within} | {ADVANCED: within}
    assert Oven.model_validate(folded) == Oven.model_validate(plain)


@pytest.mark.parametrize(("values", "words"), [
    ({"fan": True, ADVANCED: {"fan": True}},
     "fan is given twice, once inside advanced and once outside: leave one out"),
    ({ADVANCED: 3}, "advanced is 3; expected an object with settings by their names"),
    ({ADVANCED: {"fam": True}}, "'fam' is no setting of Oven. Did you mean 'fan'?"),
])  # fmt: skip
def test_a_fold_that_cannot_be_unfolded_is_refused(values: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Oven.model_validate(values)
    assert words in str(refused.value)


def test_only_a_model_that_folds_knows_the_folded_group() -> None:
    with pytest.raises(ValidationError, match="'advanced' is no setting of Cut"):
        Cut.model_validate({ADVANCED: {"length": 1}})


def test_a_rule_is_refused_in_words() -> None:
    even = refused_unless({"multipleOf": 2}, "an even number")
    validator = Draft202012Validator(even)
    assert [error.message for error in validator.iter_errors(3)] == ["3 is not one of ['an even number']"]
    assert validator.is_valid(4)
