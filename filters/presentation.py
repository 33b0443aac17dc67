"""Describe the filters that ran for the README of a data set, its inspector and `judge`.

`active` is the result of `Filters.active`.
"""

from collections.abc import Mapping
from typing import Any

from bitext_pivot.core.settings import Settings
from bitext_pivot.filters.base import ComparingFilter, Filter


def score_names(active: Mapping[str, Filter]) -> list[str]:
    """Return the names of all scores a pair can have, as `bertscore` and `bertscore.recall`."""
    parts = [
        f"{name}.{part}"
        for name, model in active.items()
        if isinstance(model, ComparingFilter)
        for part in model.PARTS
    ]
    return [*active, *parts]


def example_score_names(active: Mapping[str, Filter]) -> list[str]:
    """Return the names of the scores that a data set's README shows with its example pairs."""
    return [name for name, filter_ in active.items() if filter_.IN_EXAMPLES]


def meaning_roles(active: Mapping[str, Filter]) -> dict[str, str]:
    """Return for each filter how its model checks meaning: "compared", "checked" or "judged"."""
    return {name: filter_.MEANING_ROLE for name, filter_ in active.items() if filter_.MEANING_ROLE}


def describe_meaning_checks(active: Mapping[str, Filter]) -> str:
    """Return a sentence with the names of the models that compared, checked or judged the pairs."""
    models_by_role: dict[str, list[str]] = {}
    for name, model in active.items():
        if isinstance(model, ComparingFilter) and model.MEANING_ROLE:
            model_name = model.hub_model.name if model.hub_model else model.served_model
            models_by_role.setdefault(model.MEANING_ROLE, []).append(f"{name} ({model_name})")
    if not models_by_role:
        return "No model checked that both sides say the same."
    parts = [f"{role} by {', '.join(names)}" for role, names in models_by_role.items()]
    if [*models_by_role] == ["compared"]:
        parts.append("not checked by an entailment model (the preset checked has one)")
    return f"Meaning was {'; '.join(parts)}."


def slider_data(active: Mapping[str, Filter], build: Settings) -> dict[str, Any]:
    """Return the data with which the inspector (an HTML page) lets a reader move the thresholds.

    `bounds` has the `minimum`, `maximum` and `type` of each threshold, by filter and setting. `models` lists the
    model-based filters, `last` the filters that score only pairs accepted by all others. `overruled` has the minimum
    scores that overrule a filter, by filter. `settings` are the settings of the build.
    """
    overruled = {name: filter_.overruled_by() for name, filter_ in active.items()}
    return {
        "bounds": {name: _bounds(filter_) for name, filter_ in active.items()},
        "models": [
            name for name, filter_ in active.items() if isinstance(filter_, ComparingFilter)
        ],
        "last": [name for name, filter_ in active.items() if filter_.IS_LAST],
        "overruled": {name: scores for name, scores in overruled.items() if scores},
        "settings": build.model_dump(mode="json", exclude_defaults=True),
    }


def _bounds(filter_: Filter) -> dict[str, dict[str, Any]]:
    """Return the lowest and highest allowed value and the type of each threshold of a filter.

    They are read from the JSON schema of the filter's settings.
    """
    bounds = {}
    for name, schema in filter_.model_json_schema()["properties"].items():
        if name.startswith(("min_", "max_")):
            limits = schema.get("anyOf", [schema])[0]
            bounds[name] = {
                key: limits[key] for key in ("minimum", "maximum", "type") if key in limits
            }
    return bounds
