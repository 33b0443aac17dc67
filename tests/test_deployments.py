"""The deployments: each names a flow that exists, with parameters that its form accepts."""

import contextlib
import importlib

import presets
import pytest
from form import form
from jsonschema import Draft202012Validator, SchemaError
from prefect.utilities.schema_tools.validation import validate
from presets import Deployment
from register import _version
from server import check_schemas_once

from flows.pivot_bitext import pivot_bitext
from pairs import presets as preset_files

DEPLOYMENTS = presets.deployments()
PAIRS = [*(f"{pivot}-en" for pivot in ("fr", "es", "de", "ar", "nl", "it", "pt", "ru")), "en-fr", "en-es", "en-de"]
BUILDS = ["demo-fr-en", "first-fr-en", *PAIRS, "any-pair"]
FIELDS = {
    "unfuse": {"language", "corpora", "fusion"},
    "mine": {"language", "corpora", "candidates", "selection"},
    "explicitate": {"language", "pivots", "corpora", "translation", "explicitation"},
}
"""The fields of a recipe that are first in its form."""
RECIPES = [*(f"{recipe}-{preset}" for recipe in ("unfuse", "mine") for preset in ("demo", "en")),
           "explicitate-demo", "explicitate-europarl"]  # fmt: skip
SCHEMA = form(pivot_bitext)
every = pytest.mark.parametrize(
    "deployment", [one for one in DEPLOYMENTS if one.name not in RECIPES], ids=lambda deployment: deployment.name
)


def test_every_language_pair_has_a_deployment_and_there_is_a_plan() -> None:
    assert {deployment.name for deployment in DEPLOYMENTS} == {*BUILDS, "plan", *RECIPES}
    (any_pair,) = [deployment.settings for deployment in DEPLOYMENTS if deployment.name == "any-pair"]
    assert any_pair["pivot"] not in {pair.partition("-")[0] for pair in PAIRS}


@every
def test_a_deployment_names_its_flow_and_fills_its_form(deployment: Deployment) -> None:
    module, _, name = deployment.entrypoint.rpartition(".")
    assert getattr(importlib.import_module(module), name) is deployment.flow
    parameters = {"settings": deployment.settings}
    settings = deployment.flow.validate_parameters(parameters)["settings"]
    if deployment.name not in {"any-pair", "plan"}:
        assert deployment.name.endswith(f"{settings.pivot}-{settings.language}")
        assert f"pair:{settings.pivot}-{settings.language}" in deployment.tags
        assert deployment.settings == preset_files.load(deployment.name)
    assert form(deployment.flow) == SCHEMA
    assert validate(parameters, SCHEMA) == []
    assert len(deployment.description) > 50 and "{" not in deployment.description


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_over_documents_has_a_form_of_its_own(name: str) -> None:
    (deployment,) = [one for one in DEPLOYMENTS if one.name == name]
    parameters = {"settings": deployment.settings}
    schema = form(deployment.flow)
    assert validate(parameters, schema) == []
    assert deployment.flow.validate_parameters(parameters)["settings"].language == "en"
    (recipe,) = [model for model in schema["definitions"].values() if "corpora" in model.get("properties", {})]
    first = {field for field, value in recipe["properties"].items() if not value["position"]}
    assert first == FIELDS[name.partition("-")[0]]
    assert [name for name, value in recipe["properties"].items() if not value.get("description")] == []
    assert deployment.tags == [f"recipe:{name.partition('-')[0]}"]


def test_a_changed_deployment_has_a_new_version() -> None:
    versions = {_version(one, pool) for one in DEPLOYMENTS for pool in ("local", "other")}
    assert len(versions) == 2 * len(DEPLOYMENTS)
    assert _version(DEPLOYMENTS[0], "local") == _version(presets.deployments()[0], "local")


def test_a_schema_is_checked_once_and_a_wrong_one_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, check = [], Draft202012Validator.check_schema
    monkeypatch.setattr(Draft202012Validator, "check_schema", lambda schema: (seen.append(schema), check(schema)))
    check_schemas_once()
    for schema in ({"type": "string"}, {"type": "string"}, {"type": "text"}, {"type": "text"}):
        with pytest.raises(SchemaError) if schema["type"] == "text" else contextlib.nullcontext():
            Draft202012Validator.check_schema(schema)
    assert [schema["type"] for schema in seen] == ["string", "text", "text"]
