"""The deployments: each names a flow that exists, with parameters that its form accepts."""

import importlib

import presets
import pytest
from form import form
from prefect.utilities.schema_tools.validation import validate
from presets import Deployment
from register import _version

from flows.pivot_bitext import pivot_bitext
from pairs import presets as preset_files

DEPLOYMENTS = presets.deployments()
PAIRS = [*(f"{pivot}-en" for pivot in ("fr", "es", "de", "ar", "nl", "it", "pt", "ru")), "en-fr", "en-es", "en-de"]
BUILDS = ["demo-fr-en", "first-fr-en", *PAIRS, "any-pair"]
SCHEMA = form(pivot_bitext)
every = pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment.name)


def test_every_language_pair_has_a_deployment_and_there_is_a_plan() -> None:
    assert {deployment.name for deployment in DEPLOYMENTS} == {*BUILDS, "plan"}
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
    fields = {"settings": SCHEMA["properties"]["settings"]} if deployment.name == "plan" else SCHEMA["properties"]
    assert form(deployment.flow) == {**SCHEMA, "properties": fields}  # a plan takes no card
    assert validate(parameters, SCHEMA) == []
    assert len(deployment.description) > 50 and "{" not in deployment.description


def test_a_changed_deployment_has_a_new_version() -> None:
    versions = {_version(one, pool) for one in DEPLOYMENTS for pool in ("local", "other")}
    assert len(versions) == 2 * len(DEPLOYMENTS)
    assert _version(DEPLOYMENTS[0], "local") == _version(presets.deployments()[0], "local")
