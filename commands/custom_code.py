"""Custom filters and engines on a command line: allow their code to be loaded, and list their settings."""

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain

from bitext_pivot.core.data_files import parse_json


def allowed(arguments: Sequence[str]) -> list[str]:
    """Allow the custom filters and engines on the command line to be loaded.

    Returns the names of the filters.
    """
    words = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for option, name in {"--filters.own": "filters", "--translation.engine": "engines"}.items():
        words.add_argument(option, dest=name, action="append", nargs="?", default=[])
    given, _ = words.parse_known_args(arguments)
    engines = [*filter(None, given.engines)]
    if engines:
        from bitext_pivot.translation.models import OUTSIDE

        OUTSIDE.allow(engines)
    filters = [*chain.from_iterable(map(_listed, filter(None, given.filters)))]
    if filters:
        from bitext_pivot.filters import custom

        custom.KIND.allow(filters)
    return filters


def settings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the description of each setting of the custom filters `names`.

    Such a path is `filters.advanced.no_museum.max_words`. Raises SettingsError if a filter cannot be loaded.
    """
    from bitext_pivot.filters import custom
    from bitext_pivot.filters.chain import FilterSettings

    fields = custom.extend_settings(FilterSettings, names).model_fields
    for name in fields.keys() - FilterSettings.model_fields.keys():
        for setting, field in fields[name].annotation.model_fields.items():
            yield f"filters.advanced.{name}.{setting}", field.description or ""


def _listed(value: str) -> list[str]:
    """Return the names in an option's value: one name, a comma-separated or a JSON list."""
    if not value.startswith("["):
        return value.split(",")
    try:
        return [*map(str, parse_json(value))]
    except ValueError:
        return []
