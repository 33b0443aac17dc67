"""The form shows few fields, and folding changes neither what is refused nor where."""

from typing import Any

import form
import pytest
from jsonschema import Draft202012Validator
from prefect import flow
from pydantic import Field

from pairs.settings import Settings


class Cut(Settings):
    """How it is cut."""

    length: int = Field(default=5, ge=1, title="Length", description="Of each piece.")
    most: int | None = Field(default=None, ge=2, title="Most", description="Pieces; empty: all.")


class Oven(Settings):
    """How it is baked."""

    heat: int = Field(default=180, ge=50, le=300, title="Heat", description="Degrees.")
    cut: Cut = Field(default=Cut(), title="Cut", description="Slices.")


class Bread(Settings):
    """An example of a recipe."""

    pivot: str = Field(default="rye", title="Flour", description="Its kind.")
    cut: Cut = Field(default=Cut(), title="Cut", description="Slices.")
    translation: Oven = Field(default=Oven(), title="Oven", description="Baking.")


@flow
def bake(settings: Bread) -> None:
    """Bake."""


SCHEMA = form.form(bake)
FIELDS = SCHEMA["definitions"]["Bread"]["properties"]


def test_a_folded_group_has_a_closed_tab_without_fields_and_is_behind_the_others() -> None:
    default, customise = FIELDS["cut"]["anyOf"]
    assert (default["title"], default["properties"]) == ("Default", {})
    assert (customise["title"], customise["$ref"]) == ("Customise", "#/definitions/Cut")
    assert {name: field["position"] for name, field in FIELDS.items()} == {"pivot": 0, "cut": 1, "translation": 0}
    assert "default" not in FIELDS["cut"]


def test_an_open_group_has_no_tabs_and_folds_the_groups_inside_it() -> None:
    assert "anyOf" not in FIELDS["translation"]
    inner = SCHEMA["definitions"]["Oven"]["properties"]
    assert ("anyOf" in inner["heat"], "anyOf" in inner["cut"]) == (False, True)


def test_the_tabs_of_a_value_that_may_be_empty_have_names() -> None:
    most = SCHEMA["definitions"]["Cut"]["properties"]["most"]
    assert most["anyOf"] == [{"title": "Given", "type": "integer"}, {"title": "Empty", "type": "null"}]
    assert most["minimum"] == 2


@pytest.mark.parametrize(("values", "where", "words"), [
    ({"cut": {"length": 0}}, "$.settings.cut.length", "0 is less than the minimum of 1"),
    ({"cut": {"most": 1}}, "$.settings.cut.most", "1 is less than the minimum of 2"),
    ({"cut": {"width": 1}}, "$.settings.cut", "Additional properties are not allowed ('width' was unexpected)"),
    ({"translation": {"heat": 301}}, "$.settings.translation.heat", "301 is greater than the maximum of 300"),
    ({"translation": {"cut": {"length": 0}}}, "$.settings.translation.cut.length", "0 is less than the minimum of 1"),
])  # fmt: skip
def test_a_wrong_value_inside_a_folded_group_is_refused_at_its_own_field(
    values: dict[str, Any], where: str, words: str
) -> None:
    errors = Draft202012Validator(SCHEMA).iter_errors({"settings": values})
    assert [(error.json_path, error.message) for error in errors] == [(where, words)]


@pytest.mark.parametrize("values", [
    {}, {"cut": {}}, {"cut": {"length": 9, "most": None}}, {"translation": {"cut": {"most": 3}}},
])  # fmt: skip
def test_the_form_accepts_what_the_settings_accept(values: dict[str, Any]) -> None:
    assert list(Draft202012Validator(SCHEMA).iter_errors({"settings": values})) == []
    Bread.model_validate(values)
