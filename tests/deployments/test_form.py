"""The form of a build: few fields open, the others folded; what it refuses, and where."""

from functools import cache
from typing import Any

import pytest

from bitext_pivot.alignments.bitext import LISTED_CORPORA
from bitext_pivot.flows import presets
from bitext_pivot.flows.pivot_settings import PivotBitext


@cache
def schema() -> dict[str, Any]:
    """The schema from which the UI draws the form."""
    from bitext_pivot.deployments.ui_form import form
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    return form(pivot_bitext)


def fields(model: str = "PivotBitext") -> dict[str, Any]:
    """The fields of one of its models."""
    properties: dict[str, Any] = schema()["definitions"][model].get("properties", {})
    return properties


def problems(form: dict[str, Any]) -> list[Any]:
    """What Prefect's server finds wrong in a form."""
    from prefect.utilities.schema_tools.validation import validate

    return validate({"settings": form}, schema())


def test_main_fields_come_first_and_other_groups_are_folded() -> None:
    position = {name: field["position"] for name, field in fields().items()}
    assert [name for name in fields() if not position[name]] == [
        "pivot",
        "language",
        "corpora",
        "translation",
        "filters",
    ]
    folded = {name for name, field in fields().items() if "anyOf" in field}
    assert folded == {"extraction", "screening", "parser", "division", "export"}
    assert list(fields("Translation")) == ["engine", "model", "revision", "advanced"]
    assert list(fields("Filters")) == ["preset", "own", "advanced"]
    for group in (fields()["extraction"], fields("Translation")["advanced"]):
        default, customise = group["anyOf"]
        assert (default["title"], default["properties"]) == ("Default", {})
        assert (customise["title"], customise["$ref"]) == ("Customise", group["$ref"])
        assert "default" not in group


def test_an_optional_value_is_one_input_or_two_tabs_with_outer_bounds() -> None:
    model, ratio = fields("Translation")["model"], fields("LengthScreen")["max_ratio"]
    assert (model["type"], model["minLength"]) == ("string", 1) and not {
        "anyOf",
        "default",
    } & model.keys()
    assert ratio["anyOf"] == [
        {"title": "Given", "type": "number"},
        {"title": "Empty", "type": "null"},
    ]
    assert ratio["minimum"] == 1


def test_the_form_offers_the_corpora_of_the_presets() -> None:
    corpora = {corpus for name in presets.names() for corpus in presets.load(name)["corpora"]}
    assert set(LISTED_CORPORA) == corpora - {"Everyday/v1"}
    assert fields()["corpora"]["items"]["anyOf"][0]["enum"] == list(LISTED_CORPORA)


def filled(field: dict[str, Any], *, opened: bool) -> Any:
    """What the page sends for a field that nobody touches, or whose folds are opened and closed with no change."""
    if "default" in field:
        return field["default"]
    if "anyOf" in field and not opened:
        return None
    chosen = field["anyOf"][-1] if "anyOf" in field else field
    group = (
        schema()["definitions"][chosen["$ref"].rpartition("/")[2]] if "$ref" in chosen else chosen
    )
    if group.get("type") != "object":
        return None  # an input without a text
    values = {name: filled(one, opened=opened) for name, one in group["properties"].items()}
    return {
        name: value
        for name, value in values.items()
        if value is not None or "default" in group["properties"][name]
    }


@pytest.mark.parametrize("opened", [False, True])
def test_an_untouched_form_is_the_default_settings(opened: bool) -> None:
    form = filled({"$ref": "#/definitions/PivotBitext"}, opened=opened)
    assert ("advanced" in form["filters"]) == opened == ("extraction" in form)
    assert problems(form) == []
    assert PivotBitext.model_validate(form) == PivotBitext()
    # The parameters have the form of a stored run.
    assert problems({"translation": {"model": None}, "extraction": {"max_links": None}}) == []


@pytest.mark.parametrize(("form", "where", "words"), [
    ({"pivot": "xx"}, "pivot", "'xx' is not one of ['ar', "),
    ({"corpora": ["Europarl v8"]}, "corpora[0]",
     "'Europarl v8' is not one of ['a corpus and its release, such as Europarl/v8']"),
    ({"corpora": ["Europarl/v8:txt"]}, "corpora[0]",
     "'Europarl/v8:txt' is not one of ['a corpus and its release, such as Europarl/v8']"),
    ({"shard_rows": 0}, "shard_rows", "0 is less than the minimum of 1"),
    ({"shard_rows": "many"}, "shard_rows", "'many' is not of type 'integer'"),
    ({"extraction": {"max_links": 0}}, "extraction.max_links", "0 is less than the minimum of 1"),
    ({"extraction": {"max_link": 9}}, "extraction",
     "Additional properties are not allowed ('max_link' was unexpected)"),
    ({"translation": {"engine": "google"}}, "translation.engine",
     "'google' is not one of ['marian', 'endpoint', 'echo']"),
    ({"translation": {"model": ""}}, "translation.model", "'' should be non-empty"),
    ({"translation": {"advanced": {"beam_size": 99}}}, "translation.advanced.beam_size",
     "99 is greater than the maximum of 16"),
    ({"filters": {"preset": "strickt"}}, "filters.preset",
     "'strickt' is not one of ['rules', 'paper', 'strict', 'checked']"),
    ({"filters": {"advanced": {"overlap": {"min_overlap": 1.5}}}}, "filters.advanced.overlap.min_overlap",
     "1.5 is greater than the maximum of 1"),
    ({"filters": {"advanced": {"overlapp": {}}}}, "filters.advanced",
     "Additional properties are not allowed ('overlapp' was unexpected)"),
    ({"parser": {"longest": 0}}, "parser.longest", "0 is less than the minimum of 1"),
    ({"screening": {"lengths": {"max_ratio": 0}}}, "screening.lengths.max_ratio", "0 is less than the minimum of 1"),
    ({"filter_chains": {}}, "", "Additional properties are not allowed ('filter_chains' was unexpected)"),
])  # fmt: skip
def test_a_wrong_form_is_refused_once_at_its_field(
    form: dict[str, Any], where: str, words: str
) -> None:
    (problem,) = problems({"pivot": "de", "language": "en", "corpora": ["Europarl/v8"], **form})
    assert problem.json_path == f"$.settings.{where}".rstrip(".")
    assert problem.message.startswith(words)


@pytest.mark.parametrize("form", [
    {"corpora": [], "own": [{"kind": "tmx", "name": "Mine", "file": "mine.tmx"}]},
    {"corpora": [], "own": [{"kind": "table", "file": "named.csv"}, "club.tmx"]},
    {"corpora": ["Europarl/latest", "TED2020/v1:moses", "Everyday/v1"]},
    {"pivot": "en", "language": "fr"}, {"pivot": "fi", "translation": {"engine": "echo"}},
    {"pivot": "fi", "translation": {"model": "Helsinki-NLP/opus-mt-fi-en"}},
    {"pivot": "pl", "corpora": ["TED2020/v1"], "translation": {"model": "/models/pl-en"}},
    {"pivot": "en", "language": "hu", "parser": {"pipeline": "hu_core"}, "translation": {"engine": "echo"}},
    {"translation": {"model": None, "advanced": {"beam_size": 1}}},
    {"screening": {"lengths": {"max_ratio": None}}},
])  # fmt: skip
def test_a_form_that_can_work_is_let_through(form: dict[str, Any]) -> None:
    values = {"pivot": "de", "language": "en", "corpora": ["Europarl/v8"], **form}
    assert problems(values) == []
    PivotBitext.model_validate(values)


@pytest.mark.parametrize(("form", "words"), [
    ({"pivot": "en"}, "Both languages are 'en': name two different languages."),
    ({"corpora": []}, "corpora and own are both empty; expected at least one corpus: name one"),
    ({"language": "hu", "translation": {"engine": "echo"}}, "There is no default spaCy pipeline for 'hu'"),
])  # fmt: skip
def test_fields_that_do_not_fit_fail_the_run_early(form: dict[str, Any], words: str) -> None:
    from prefect.exceptions import ParameterTypeError

    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    with pytest.raises(ParameterTypeError) as refused:
        pivot_bitext.validate_parameters(
            {"settings": {"pivot": "de", "corpora": ["Europarl/v8"], **form}}
        )
    assert f"settings: Value error, {words}" in str(refused.value)


@pytest.mark.parametrize("name", ["pivot", "setting", "Settings"])
def test_a_parameter_that_a_flow_lacks_is_refused_when_it_is_submitted(name: str) -> None:
    from prefect.utilities.schema_tools.validation import validate

    form = presets.load("demo-fr-en")
    assert not validate({"settings": form}, schema())
    assert validate({"settings": form, name: "fr"}, schema())
