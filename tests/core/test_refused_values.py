"""Refused values are explained in our words, whatever pydantic finds wrong with them."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import Language
from bitext_pivot.core.refused_values import problems
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.flows.unfuse_settings import UnfuseText


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
    language: Language = "en"


@pytest.mark.parametrize(("values", "line"), [
    ({}, "name: must be given"),
    ({"name": "x"}, "name: expected at least 2 characters (given: 'x')"),
    ({"name": "xxxxxx"}, "name: expected at most 5 characters (given: 'xxxxxx')"),
    ({"name": 7}, "name: expected a text (given: 7)"),
    ({"share": 0.25}, "share: expected more than 0.25 (given: 0.25)"),
    ({"share": 1}, "share: expected less than 1 (given: 1)"),
    ({"share": "much"}, "share: expected a number (given: 'much')"),
    ({"share": float("nan")}, "share: expected a finite number (given: nan)"),
    ({"share": None}, "share: expected a number (given: None)"),
    ({"size": 0}, "size: expected at least 1 (given: 0)"),
    ({"size": "1.5"}, "size: expected a whole number (given: '1.5')"),
    ({"size": 1.5}, "size: expected a whole number (given: 1.5)"),
    ({"size": [1]}, "size: expected a whole number (given: [1])"),
    ({"is_on": "maybe"}, "is_on: expected true or false (given: 'maybe')"),
    ({"words": "a"}, "words: expected a list (given: 'a')"),
    ({"words": []}, "words: expected at least 1 entry (given: [])"),
    ({"words": ["a"] * 3}, "words: expected at most 2 entries (given: ['a', 'a', 'a'])"),
    ({"words": [1]}, "words.0: expected a text (given: 1)"),
    ({"both": "ab"}, "both: expected a list (given: 'ab')"),
    ({"both": ["a"]}, "both.1: must be given"),
    ({"path": 7}, "path: expected the path of a file or folder (given: 7)"),
    ({"group": "7"}, "group: expected a group of settings (given: '7')"),
    ({"group": {"size": 3_000_000}}, "group.size: expected at most 2,000,000 (given: 3000000)"),
    ({"group": {"size": -1}}, "group.size: expected at least 0 (given: -1)"),
    ({"language": "frr"}, "language: this value is not known. Did you mean 'fr'? (given: 'frr')"),
    ({"language": "French"}, "language: this value is not known. Did you mean 'fr'? (given: 'French')"),
    ({"language": "qqq"},
     "language: this value is not known; expected one of 44, such as ar, bg, ca, cs (given: 'qqq')"),
])  # fmt: skip
def test_what_was_expected(values: dict[str, Any], line: str) -> None:
    given = values if "name" in values or not values else {"name": "xy", **values}
    with pytest.raises(ValidationError) as error:
        Form.model_validate(given)
    assert [*problems(error.value)] == [line]


OF_PYDANTIC = re.compile(
    r"[Ii]nput should|[Ff]ield required|valid (?:integer|number|string|boolean|list|dict)|parse string"
)
WRONG: list[Any] = [
    None,
    "qqq",
    "",
    -1,
    1e9,
    float("nan"),
    float("inf"),
    True,
    [],
    ["qqq"],
    [[1]],
    {},
    {"qqq": 1},
    object(),
]


@pytest.mark.parametrize(
    "form", [PivotBitext, JoinBuilds, UnfuseText, MineMarkers, ExplicitateBitext, TrainModel]
)
def test_no_setting_of_a_form_is_refused_in_the_words_of_the_library(form: type[Settings]) -> None:
    for name in form.model_fields:
        for value in WRONG:
            try:
                form.model_validate({name: value})
            except ValidationError as error:
                lines = "\n".join(problems(error))
                assert not OF_PYDANTIC.search(lines), lines


@pytest.mark.parametrize(("variable", "value", "words"), [
    ("WORKERS", "0", "BITEXT_PIVOT_WORKERS: expected at least 1 (given: '0'). Correct the environment variable."),
    ("WORKERS", "many", "expected a whole number (given: 'many')"),
    ("TIMEOUT", "0", "expected more than 0 (given: '0')"),
    ("KERNELS", "natve", "Did you mean 'native'?"),
    ("RUNNER", "qqq", "expected threads, processes, dask or slurm (given: 'qqq')"),
])  # fmt: skip
def test_environment_variables(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(f"BITEXT_PIVOT_{variable}", value)
    with pytest.raises(SettingsError, match=re.escape(words)):
        Site()
