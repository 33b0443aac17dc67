"""What others cite and archive the project by names the version and the licence of the package."""

import json
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("name", ["CITATION.cff", ".zenodo.json"])
def test_version_licence_and_title_are_those_of_the_package(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    facts = json.loads(text) if name.endswith(".json") else yaml.safe_load(text)
    assert (facts["version"], facts["license"], facts["title"]) == (
        PROJECT["version"],
        PROJECT["license"],
        PROJECT["name"],
    )
