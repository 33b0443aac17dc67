"""Refused values are explained in one line each."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.refused_values import problems
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site


class Group(Settings):
    """A group of settings."""

    size: int = Field(default=1, ge=0, le=2_000_000)


class Form(Settings):
    """All kinds of settings."""

    name: str = Field(min_length=2, max_length=5)
    share: float = Field(default=0, gt=0.25, lt=1)
    size: int = Field(default=1, ge=1)
    is_on: bool = False
    words: list[str] = Field(default=["a"], min_length=1, max_length=2)
    both: tuple[str, str] = ("a", "b")
    path: Path = Path()
    group: Group = Group()
    language: LanguageCode = "en"


@pytest.mark.parametrize(("values", "line"), [
    ({}, "name: Field required"),
    ({"name": "x"}, "name: String should have at least 2 characters (given: 'x')"),
    ({"name": 7}, "name: expected a valid string (given: 7)"),
    ({"name": object()}, "name: expected a valid string (given: <object object>)"),
    ({"share": 0.25}, "share: expected greater than 0.25 (given: 0.25)"),
    ({"size": 0}, "size: expected greater than or equal to 1 (given: 0)"),
    ({"size": "1.5"}, "size: expected a valid integer (given: '1.5')"),
    ({"words": [1]}, "words.0: expected a valid string (given: 1)"),
    ({"group": "7"}, "group: expected a valid dictionary or instance of Group (given: '7')"),
    ({"group": {"size": -1}}, "group.size: expected greater than or equal to 0 (given: -1)"),
    ({"name": "x" * 300}, f"name: String should have at most 5 characters (given: '{'x' * 199} ...)"),
    ({"language": "frr"}, "language: this value is not known. Did you mean 'fr'? (given: 'frr')"),
    ({"language": "French"}, "language: this value is not known. Did you mean 'fr'? (given: 'French')"),
])  # fmt: skip
def test_a_line_has_the_place_what_was_expected_and_what_was_given(
    values: dict[str, Any], line: str
) -> None:
    given = values if "name" in values or not values else {"name": "xy", **values}
    with pytest.raises(ValidationError) as error:
        Form.model_validate(given)
    assert [*problems(error.value)] == [line]


@pytest.mark.parametrize(("variable", "value", "words"), [
    ("WORKERS", "0", "BITEXT_PIVOT_WORKERS: expected greater than or equal to 1 (given: '0'). Correct the environment "
     "variable."),
    ("WORKERS", "many", "expected a valid integer, unable to parse string as an integer (given: 'many')"),
    ("TIMEOUT", "0", "expected greater than 0 (given: '0')"),
    ("KERNELS", "natve", "Did you mean 'native'?"),
    ("RUNNER", "processes", "expected 'threads', 'dask' or 'slurm' (given: 'processes')"),
])  # fmt: skip
def test_environment_variables(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(f"BITEXT_PIVOT_{variable}", value)
    with pytest.raises(SettingsError, match=re.escape(words)):
        Site()
