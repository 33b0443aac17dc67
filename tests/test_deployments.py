"""The deployments: each names a flow that exists, with parameters that its form accepts."""

import importlib
from functools import cache
from typing import Any

import pytest

from bitext_pivot.flows import presets as preset_files

INTO_ENGLISH = [f"{pivot}-en" for pivot in ("fr", "es", "de", "ar", "nl", "it", "pt", "ru")]
PAIRS = [*INTO_ENGLISH, "en-fr", "en-es", "en-de", "en-nl", "en-pt"]
BUILDS = ["demo-fr-en", "first-fr-en", *PAIRS, "any-pair"]
FIELDS = {
    "unfuse": {"language", "corpora", "fusion"},
    "mine": {"language", "corpora", "candidates", "selection"},
    "explicitate": {"language", "pivots", "corpora", "translation", "explicitation"},
}
"""The fields of a recipe that are first in its form."""
RECIPES = [*(f"{recipe}-{preset}" for recipe in ("unfuse", "mine") for preset in ("demo", "en")),
           "explicitate-demo", "explicitate-europarl"]  # fmt: skip

JOINS = ["join-demo", *(f"join-paper-{language}" for language in ("en", "de", "es", "fr"))]
TRAINING = ["train-demo", "train-split"]


@cache
def deployments() -> dict[str, Any]:
    """All deployments by name."""
    from bitext_pivot.deployments import definitions

    return {deployment.name: deployment for deployment in definitions.deployments()}


def problems(deployment: Any) -> list[Any]:
    """What Prefect's server finds wrong in the deployment's parameters."""
    from prefect.utilities.schema_tools.validation import validate

    from bitext_pivot.deployments.ui_form import form

    return validate({"settings": deployment.settings}, form(deployment.flow))


def test_every_language_pair_has_a_deployment() -> None:
    assert set(deployments()) == {*BUILDS, "plan", *RECIPES, *JOINS, *TRAINING}
    assert deployments()["any-pair"].settings["pivot"] not in {
        pair.partition("-")[0] for pair in PAIRS
    }


@pytest.mark.parametrize("name", [*BUILDS, "plan"])
def test_a_deployment_names_its_flow_and_fills_its_form(name: str) -> None:
    from bitext_pivot.deployments.ui_form import form
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    deployment = deployments()[name]
    module, _, function = deployment.entrypoint.rpartition(".")
    assert getattr(importlib.import_module(module), function) is deployment.flow
    settings = deployment.flow.validate_parameters({"settings": deployment.settings})["settings"]
    if deployment.name not in {"any-pair", "plan"}:
        assert deployment.name.endswith(f"{settings.pivot}-{settings.language}")
        assert f"pair:{settings.pivot}-{settings.language}" in deployment.tags
        assert deployment.settings == preset_files.load(deployment.name)
    assert form(deployment.flow)["definitions"] == form(pivot_bitext)["definitions"]
    assert problems(deployment) == []
    assert len(deployment.description) > 50 and "{" not in deployment.description


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_over_documents_has_a_form_of_its_own(name: str) -> None:
    from bitext_pivot.deployments.ui_form import form

    deployment = deployments()[name]
    assert problems(deployment) == []
    assert (
        deployment.flow.validate_parameters({"settings": deployment.settings})["settings"].language
        == "en"
    )
    (recipe,) = [
        model
        for model in form(deployment.flow)["definitions"].values()
        if "corpora" in model.get("properties", {})
    ]
    first = {field for field, value in recipe["properties"].items() if not value["position"]}
    assert first == FIELDS[name.partition("-")[0]]
    assert [
        name for name, value in recipe["properties"].items() if not value.get("description")
    ] == []
    assert f"recipe:{name.partition('-')[0]}" in deployment.tags


def test_a_changed_deployment_has_a_new_version() -> None:
    from bitext_pivot.deployments import definitions
    from bitext_pivot.deployments.register import _version

    versions = {
        _version(one, pool) for one in deployments().values() for pool in ("local", "other")
    }
    assert len(versions) == 2 * len(deployments())
    assert _version(deployments()["plan"], "local") in {
        _version(one, "local") for one in definitions.deployments()
    }
