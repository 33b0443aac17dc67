"""How settings look in a form, which Prefect makes of their JSON schema: few fields at first, the others folded.

Prefect's page draws an `anyOf` as tabs, of which only one is open. A folded group has two, `Default` without any field
and `Customise` with all of them. What is validated stands beside it, in keywords that the page does not draw, so that a
wrong value is refused at its own field: inside an `anyOf` the reason would be "is not valid under any of the given
schemas".
"""

from collections.abc import Collection
from typing import Any

Schema = dict[str, Any]
ADVANCED = "advanced"
"""The name of the folded group of a model in a form; `unfolded` takes its fields out again."""
_DEFAULT = {"title": "Default", "type": "object", "properties": {}}

_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "pattern"}


def group(schema: Schema, default: dict[str, Any], *, folded: bool) -> None:
    """Make the schema of a field that is a model that of a group, which stands behind all others when it is folded.

    `default` is what the group has that differs from the defaults of its own fields. The form fills those in by itself;
    told here they would fill in folded fields too. A folded group without a value is closed.
    """
    schema.pop("default", None)
    if default:
        schema["default"] = default
    if folded:
        schema["anyOf"] = [_DEFAULT, {"$ref": schema["$ref"], "title": "Customise"}]
        schema["position"] = 1


def value_or_empty(schema: Schema) -> None:
    """Name the tabs of a field that may be empty, and move its bounds out of them, so that refusals tell the bound."""
    options = schema.get("anyOf", [])
    if {"type": "null"} not in options:
        return
    schema["anyOf"] = [
        {"title": "Empty" if option == {"type": "null"} else "Given"}
        | {name: value for name, value in option.items() if name not in _BOUNDS}
        for option in options
    ]
    for option in options:
        schema.update({name: value for name, value in option.items() if name in _BOUNDS})


def fold(schema: Schema, at_first: Collection[str]) -> None:
    """Gather all fields of a model's schema but those `at_first` in a folded group at its end.

    Outside of the page they may stand where they were as well: `{"beam_size": 1}` for `{"advanced": {"beam_size": 1}}`.
    """
    fields: dict[str, Schema] = schema["properties"]
    others = {name: field for name, field in fields.items() if name not in at_first}
    schema["properties"] = {name: field for name, field in fields.items() if name in at_first} | {
        ADVANCED: {
            "title": "Advanced",
            "description": f"Values that suit most builds: {_titles(others)}.",
            "properties": others,
            "additionalProperties": False,
            "anyOf": [_DEFAULT, {"title": "Customise", "type": "object", "properties": others}],
        }
    }
    schema["patternProperties"] = {f"^{name}$": field for name, field in others.items()}


def unfolded(values: dict[str, Any]) -> dict[str, Any]:
    """Return settings with the fields of the folded group where they belong.

    Raises ValueError when the group is no object, or has a field that is given outside of it too.
    """
    others = values.get(ADVANCED) or {}
    if not isinstance(others, dict):
        raise ValueError(  # noqa: TRY004 -- pydantic makes a message of a ValueError only
            f"{ADVANCED} is {others!r}; expected an object with settings by their names"
        )
    twice = sorted(set(others) & set(values))
    if twice:
        raise ValueError(f"{', '.join(twice)} is given twice, once inside {ADVANCED} and once outside: leave one out")
    return {name: value for name, value in values.items() if name != ADVANCED} | others


def refolded(values: dict[str, Any], at_first: Collection[str]) -> dict[str, Any]:
    """Return settings with the fields that are not shown at first in the folded group, if there are any."""
    others = {name: value for name, value in values.items() if name not in at_first}
    shown = {name: value for name, value in values.items() if name in at_first}
    return shown | ({ADVANCED: others} if others else {})


def refused_unless(rule: Schema, expected: str) -> Schema:
    """Return a JSON schema that refuses what does not meet `rule` and says `... is not one of ['<expected>']`.

    A validator's own words for a rule (a regular expression, a nested schema) help nobody who fills in a form.
    """
    return {"if": {"not": rule}, "then": {"enum": [expected]}}


def _titles(fields: Schema) -> str:
    return ", ".join(field.get("title", name.capitalize()) for name, field in fields.items())
