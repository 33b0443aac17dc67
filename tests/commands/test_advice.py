"""Advice that a message gives is accepted by the command."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.commands.run import command_line_source

MESSAGES = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "messages.toml").read_text("utf-8")
)
_OPTION = re.compile(r"(?<![\w.-])--[a-z][\w.-]*\w")
_COLUMNS = re.compile(r"--columns ('[^']+'|[^ ']+=[^ ']+)(?= \(in|\.$)")
OTHERS = {"--ntasks", "--host", "--from-card"}
"""Options of other programs and of earlier versions, which messages name."""


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts(part)]
    return [value]


@pytest.fixture(scope="module")
def options() -> set[str]:
    return {*command_line_source([]).root_parser.options} | OTHERS


def test_options_that_messages_advise_exist(options: set[str]) -> None:
    advice = [
        text for text in texts(MESSAGES) if "Did you mean" not in text and " is now " not in text
    ]
    named = {option: text for text in advice for option in _OPTION.findall(text)}
    groups = {option.rpartition(".")[0] for option in options}
    assert {option: named[option] for option in named.keys() - options - groups} == {}


@pytest.mark.parametrize("licence", ['a "b" c', "C:\\data", 'a \\" b', "[a] {b}, c", "café"])
def test_settings_in_json_are_read_whatever_their_texts(licence: str) -> None:
    value = json.dumps({"kind": "tmx", "file": "a.tmx", "licence": licence})
    words = ["plan", "--own", "C:\\a.tmx", "--own", value]
    path, own = command_line_source(words, ["plan"])(args=words)()["plan"]["own"]
    assert path == "C:\\a.tmx" and own["licence"] == licence
