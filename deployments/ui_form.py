"""The form that the Prefect UI shows for the settings of a flow. A few fields are open, the others are folded.

The UI shows an `anyOf` as tabs, one of which is open. A folded group has two tabs: `Default` without fields, and
`Customise` with all of them. The server validates keywords that the UI does not show: a group's `$ref` and a value's
bounds are next to the `anyOf`, because inside it a wrong value would be reported for the whole group, as "is not valid
under any of the given schemas".
"""

from typing import Any

from prefect.flows import Flow

Schema = dict[str, Any]
OPEN = frozenset({
    "builds", "presets", "pivot", "pivots", "language", "corpora", "translation", "filters", "fusion",
    "candidates", "selection", "explicitation", "task", "data", "loss", "tests",
})  # fmt: skip
"""The settings that come first in the form. Groups of settings among them are open."""
_DEFAULT = {"title": "Default", "type": "object", "properties": {}}
_PARAMETERS: dict[str, Schema] = {
    "trial": {
        "title": "Trial",
        "description": "Download models and bitext, and translate and judge this number of alignments. 0: none.",
        "minimum": 0,
    },
}
"""Titles and descriptions of the parameters other than the settings."""
_NULL = {"type": "null"}
_BOUNDS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "pattern"}
)


def form(flow: Flow[Any, Any]) -> Schema:
    """Return the JSON schema of a flow's parameters, arranged for the UI's form."""
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
    # An unknown parameter would end the process of the run.
    schema["additionalProperties"] = False
    return schema


def _draw_group(field: Schema, *, is_open: bool) -> None:
    """Fold a group. Its default is removed, so that an unopened group is not part of the parameters."""
    field.pop("default", None)
    if not is_open:
        field["anyOf"] = [_DEFAULT, {"$ref": field["$ref"], "title": "Customise"}]


def _draw_optional(field: Schema) -> None:
    """Show an optional value as one input field. The UI omits the parameter while the field is empty.

    If the default is not empty, the field has two tabs, of which the second makes it empty. Bounds are outside the
    tabs.
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
