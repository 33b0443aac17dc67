"""What is shown of the filters that run (`Filters.active`): in the card, its examples, the inspector, by `judge`."""

from collections.abc import Mapping
from typing import Any

from bitext_pivot.core.settings import Settings
from bitext_pivot.filters.base import ComparingFilter, Filter


def score_names(active: Mapping[str, Filter]) -> list[str]:
    """Return the names of all scores that a pair can get."""
    parts = [
        f"{name}.{part}"
        for name, model in active.items()
        if isinstance(model, ComparingFilter)
        for part in model.PARTS
    ]
    return [*active, *parts]


def example_score_names(active: Mapping[str, Filter]) -> list[str]:
    """Return the names of the scores that are shown with examples."""
    return [name for name, filter_ in active.items() if filter_.IN_EXAMPLES]


def meaning_roles(active: Mapping[str, Filter]) -> dict[str, str]:
    """Return what filters do with meaning, by their names: `compared`, `checked`, `judged`."""
    return {name: filter_.MEANING_ROLE for name, filter_ in active.items() if filter_.MEANING_ROLE}


def describe_meaning_checks(active: Mapping[str, Filter]) -> str:
    """Say in a sentence which models compared the meaning of both sides, checked it or judged the pairs."""
    deeds: dict[str, list[str]] = {}
    for name, model in active.items():
        if isinstance(model, ComparingFilter) and model.MEANING_ROLE:
            of_model = model.hub_model.name if model.hub_model else model.served_model
            deeds.setdefault(model.MEANING_ROLE, []).append(f"{name} ({of_model})")
    if not deeds:
        return "No model checked that both sides say the same."
    done = [f"{deed} by {', '.join(names)}" for deed, names in deeds.items()]
    if [*deeds] == ["compared"]:
        done.append("by no entailment model (preset checked has one)")
    return f"Meaning was {'; '.join(done)}."


def slider_data(active: Mapping[str, Filter], build: Settings) -> dict[str, Any]:
    """Return what moving the thresholds of a build needs besides them.

    `bounds`: `minimum`, `maximum` and `type` of each threshold, by filter and setting; `models`: the model-based
    filters; `last`: those that score only what all others accept; `overruled`: the scores that overrule
    a filter, by filter; `settings`: those of the build.
    """
    overruled = {name: filter_.overruled_by() for name, filter_ in active.items()}
    return {
        "bounds": {name: _bounds(filter_) for name, filter_ in active.items()},
        "models": [name for name, each in active.items() if isinstance(each, ComparingFilter)],
        "last": [name for name, filter_ in active.items() if filter_.IS_LAST],
        "overruled": {name: scores for name, scores in overruled.items() if scores},
        "settings": build.model_dump(mode="json", exclude_defaults=True),
    }


def _bounds(filter_: Filter) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of the thresholds of a filter, without what a form needs."""
    bounds = {}
    for name, schema in filter_.model_json_schema()["properties"].items():
        if name.startswith(("min_", "max_")):
            limits = schema.get("anyOf", [schema])[0]
            bounds[name] = {
                key: limits[key] for key in ("minimum", "maximum", "type") if key in limits
            }
    return bounds
