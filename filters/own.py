"""Filters from outside: a class in a file, of an installed package, or of a program that calls the library.

The user names it (`core/outside.py`), or gives the class itself to `Filters(own=[...])`: for `bitext_pivot.judge`
only, for nothing says whether its code has changed since the shards of a build were made.
"""

import functools
import uuid
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError, create_model

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.outside import Kind
from bitext_pivot.filters.base import ComparingFilter, Filter, RuleFilter

KIND = Kind("filters", "--filters.own", "my_filters.py:NoMuseum")
_given: dict[str, type[Filter]] = {}
"""Classes that a call of the library gave, by name."""


def named(value: Any) -> Any:
    """Return the name of a class, which may be loaded from now on; other values as they are."""
    if not isinstance(value, type):
        return value
    name = f"{value.__module__}:{value.__qualname__}"
    if _given.get(name) is not value:
        _given[name] = _checked(value, f"class {uuid.uuid4().hex}", name=name)
    return name


def refuse_given(names: Sequence[str]) -> None:
    """Raise SettingsError for filters that were given as classes: stored results need code that is known again."""
    for name in names:
        if name in _given:
            raise SettingsError(
                f"filters.own has the class {name}, which only bitext_pivot.judge takes. "
                f"Write it in a file, and name that: {KIND.example}."
            )


def extended(form: Any, names: Sequence[str]) -> type[Any]:
    """Return a form of filters with a field for each of these.

    Raises ValueError for a name that loads no filter or that the user did not name, and for two of one name.
    """
    classes: dict[str, type[Filter]] = {}
    for name in names:
        loaded = _given.get(name) or _checked(*KIND.load(name), name=name)
        field = loaded.own_name()
        if field in classes or field in form.model_fields:
            raise ValueError(f"{name} is named {field}, as another filter is. Rename its class.")
        _check_default(loaded, name)
        classes[field] = loaded
    return _form(form, tuple(classes.items()))


@functools.cache
def _form(form: Any, classes: tuple[tuple[str, type[Filter]], ...]) -> type[Any]:
    """Return a form with a field for each class: for equal classes the same, whose settings are equal."""
    fields: dict[str, Any] = {name: (loaded, loaded()) for name, loaded in classes}
    result: type[Any] = create_model(form.__name__, __base__=form, **fields)
    return result


def _checked(found: Any, origin: str, *, name: str) -> type[Filter]:
    """Return a class that is a filter, with its origin. Raises ValueError."""
    if not isinstance(found, type) or not issubclass(found, RuleFilter | ComparingFilter):
        raise ValueError(
            f"{name} is no filter: expected a class derived from RuleFilter or ModelFilter."
        )
    if missing := sorted(found.__abstractmethods__):
        raise ValueError(f"{name} lacks {', '.join(missing)}: write it as in docs/filters.md.")
    found.ORIGIN = origin
    return found


def _check_default(loaded: type[Filter], name: str) -> None:
    """Raise ValueError for a filter that has a setting without a default."""
    try:
        loaded()
    except ValidationError as error:
        problems = "; ".join(refused_values.problems(error))
        raise ValueError(f"{name} has a setting without a default ({problems}).") from error
