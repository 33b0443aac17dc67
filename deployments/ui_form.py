"""The form that the Prefect UI draws for the settings of a flow: few fields open, the others folded.

The UI draws an `anyOf` as tabs with one of them open. A folded group has two: `Default` without fields, `Customise`
with all of them. The server validates what the UI does not draw: a group's `$ref` and a value's bounds are beside the
`anyOf`, because inside of it a wrong value would be reported for the whole group, as "is not valid under any of the
given schemas".
"""

from typing import Any

from prefect.flows import Flow

Schema = dict[str, Any]
OPEN = frozenset({
    "builds", "presets", "pivot", "pivots", "language", "corpora", "translation", "filters", "fusion",
    "candidates", "selection", "explicitation", "task", "data", "loss", "tests",
})  # fmt: skip
"""The fields of a recipe that are first in the form; open if they are groups."""
_DEFAULT = {"title": "Default", "type": "object", "properties": {}}
_PARAMETERS: dict[str, Schema] = {
    "trial": {
        "title": "Trial",
        "description": "Download models and bitext, and translate and judge this number of alignments. 0: none.",
        "minimum": 0,
    },
}
"""What the form says of parameters besides the settings."""
_NULL = {"type": "null"}
_BOUNDS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "pattern"}
)


def form(flow: Flow[Any, Any]) -> Schema:
    """Return the JSON schema of a flow's parameters, drawn as a form."""
    schema: Schema = flow.parameters.model_dump(exclude_unset=True)
    models = schema["definitions"]
    for model in models.values():
        for name, field in model.get("properties", {}).items():
            if models.get(field.get("$ref", "").rpartition("/")[2], {}).get("type") == "object":
                _draw_group(field, is_open=name in OPEN)
            _draw_optional(field)
    for name in _PARAMETERS.keys() & schema["properties"].keys():
        schema["properties"][name] |= _PARAMETERS[name]
    recipe = models[schema["properties"]["settings"]["$ref"].rpartition("/")[2]]
    for name, field in recipe["properties"].items():
        field["position"] = 0 if name in OPEN else 1
    schema["additionalProperties"] = False  # a parameter that the flow lacks would end its process
    return schema


def _draw_group(field: Schema, *, is_open: bool) -> None:
    """Fold a group. Without a default in the schema a folded group that is not opened stays out of the parameters."""
    field.pop("default", None)
    if not is_open:
        field["anyOf"] = [_DEFAULT, {"$ref": field["$ref"], "title": "Customise"}]


def _draw_optional(field: Schema) -> None:
    """Draw a value that may be empty as one input, which the UI leaves out while it is empty.

    With another default there are two tabs, of which the second one empties it; bounds are validated outside of them.
    """
    options = field.get("anyOf", [])
    if _NULL not in options:
        return
    value = next(option for option in options if option != _NULL)
    if field.get("default") is None and value.get("type") in {"string", "integer", "number"}:
        del field["anyOf"], field["default"]
        field.update(value)
        return
    field.update({key: value.pop(key) for key in _BOUNDS & value.keys()})
    field["anyOf"] = [{"title": "Given", **value}, {"title": "Empty", **_NULL}]
