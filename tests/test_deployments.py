"""The deployments: each names a flow that exists, with parameters that its form accepts."""

import importlib
from pathlib import Path
from typing import Any

import pytest
import yaml

from pairs import presets

FILE = yaml.safe_load((Path(__file__).parent.parent / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))
DEPLOYMENTS: list[dict[str, Any]] = FILE["deployments"]


def test_there_is_one_deployment_a_language_pair_and_two_to_begin_with() -> None:
    pivots, targets = ("fr", "es", "de", "ar", "nl", "it", "pt", "ru"), ("fr", "es", "de")
    pairs = [*(f"{pivot}-en" for pivot in pivots), *(f"en-{target}" for target in targets)]
    assert [deployment["name"] for deployment in DEPLOYMENTS] == ["demo-fr-en", "first-fr-en", *pairs]


def test_no_schedule_is_on() -> None:
    schedules = [schedule for deployment in DEPLOYMENTS for schedule in deployment.get("schedules", [])]
    assert [schedule["active"] for schedule in schedules] == [False]


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment["name"])
def test_a_deployment_names_a_flow_and_fills_its_form(deployment: dict[str, Any]) -> None:
    module, _, name = deployment["entrypoint"].rpartition(".")
    flow = getattr(importlib.import_module(module), name)
    settings = flow.validate_parameters(deployment["parameters"])["settings"]
    assert deployment["name"].endswith(f"{settings.pivot}-{settings.language}")


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment["name"])
def test_a_deployment_has_the_parameters_of_the_preset_of_its_name(deployment: dict[str, Any]) -> None:
    assert deployment["parameters"] == {"settings": presets.load(deployment["name"])}


def test_the_form_tells_what_each_field_is() -> None:
    flow = importlib.import_module("flows.pivot_bitext").pivot_bitext
    definitions = flow.parameters.model_dump()["definitions"]
    fields = {
        f"{model}.{name}": field for model, one in definitions.items() for name, field in one["properties"].items()
    }
    assert len(fields) > 30
    assert [name for name, field in fields.items() if not field.get("description")] == []
    assert definitions["PivotBitext"]["additionalProperties"] is False
    assert set(definitions["PivotBitext"]["properties"]["pivot"]["enum"]) > {"fr", "de", "es"}
