"""The page docs/filters.md: what each filter is for and what can be set, in the filters' own words.

Written anew with: python -m filters.page docs/filters.md
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filters.base import Filter
from filters.sieve import Filters

_HEAD = """# The filters

In the order they run. A pair is rejected by the first filter that does not accept its score; every score is kept with
the pair. Filters of the preset `paper` are those of BiSECT (EMNLP 2021, section 3.2); `strict`, the default, runs all.
Filters that need a model are asked only about pairs that all others accept. How much each finds and what it costs on
published pairs: [quality/filters.md](quality/filters.md). Why they are what they are:
[decisions/0015](decisions/0015-strict-is-the-default.md).

This page is written by `python -m filters.page docs/filters.md` from the filters themselves.
"""


def page() -> str:
    """Return the page in markdown: for every filter what its file says of it, and a table of its settings."""
    filters = {name: one for name, one in Filters() if isinstance(one, Filter)}
    sections = (line for name, one in filters.items() for line in _section(name, one))
    return "\n".join([_HEAD, *sections])


def _section(name: str, one: Filter) -> Iterator[str]:
    yield f"## {name}\n"
    yield f"{_runs(one)} {(type(one).__doc__ or '').splitlines()[0]}\n"
    yield f"{(sys.modules[type(one).__module__].__doc__ or '').strip()}\n"
    yield "| setting | default | allowed | what it does |\n|---|---|---|---|"
    for field, schema in type(one).model_json_schema()["properties"].items():
        default = "empty" if schema.get("default") in {None, ""} else f"`{schema['default']}`"
        text = schema["description"].replace("|", "\\|")
        yield f"| `{field}` | {default} | {_allowed(schema)} | {text} |"
    yield ""


def _runs(one: Filter) -> str:
    which = "Of the paper." if one.preset == "paper" and one.is_on else "Preset `strict`."
    if not one.is_on:
        which = "Off by default."
    return f"*{which}{' Needs a model.' if one.is_model_based else ''}*"


def _allowed(schema: dict[str, Any]) -> str:
    """Tell the kind of a setting and its bounds: `whole number, 0 to 100`."""
    kinds = {"integer": "whole number", "number": "number", "boolean": "yes or no", "string": "text"}
    choice = schema | next((one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"), schema)
    if "enum" in choice:
        return " or ".join(f"`{value}`" for value in choice["enum"])
    bounds = f", {choice['minimum']:g} to {choice['maximum']:g}" if {"minimum", "maximum"} <= choice.keys() else ""
    return kinds.get(choice.get("type", ""), "file") + bounds


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
