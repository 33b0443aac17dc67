"""Filters from outside: a class in a file, of an installed package, or of a program that calls the library.

The user names it (`core/outside.py`), or gives the class itself to `Filters(own=[...])`: for `bitext_pivot.judge`
only, for nothing says whether its code has changed since the shards of a build were made.
"""

import functools
import uuid
from collections.abc import Sequence
from inspect import getattr_static
from types import FunctionType
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ValidationError, create_model

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.outside import OutsideKind, explained, guarded, is_outside
from bitext_pivot.filters.base import ComparingFilter, Filter, RuleFilter

KIND = OutsideKind("filters", "--filters.own", "my_filters.py:NoMuseum")
_registered_classes: dict[str, type[Filter]] = {}
"""Classes that a call of the library gave, by name."""
_guarded_classes: set[type] = set()
"""Classes whose methods are guarded."""


def validate_filter(filter_: Any) -> Filter:
    """Return a filter that can judge a score. Raises what its code or a threshold that is no number raises."""
    if not isinstance(filter_, Filter):
        raise ValueError("expected a filter")
    filter_.accepts(0.0)
    return filter_


_FILTER = Annotated[Any, AfterValidator(validate_filter)]
"""What a method returns that makes a filter of a filter."""


def register_class(value: Any) -> Any:
    """Return the name of a class, which may be loaded from now on; other values as they are."""
    if not isinstance(value, type):
        return value
    name = f"{value.__module__}:{value.__qualname__}"
    if _registered_classes.get(name) is not value:
        _registered_classes[name] = _check_class(value, f"class {uuid.uuid4().hex}", name=name)
    return name


def refuse_classes(names: Sequence[str]) -> None:
    """Raise SettingsError for filters that were given as classes: stored results need code that is known again."""
    for name in names:
        if name in _registered_classes:
            raise SettingsError(
                f"filters.own has the class {name}, which only bitext_pivot.judge takes. "
                f"Write it in a file, and name that: {KIND.example}."
            )


def extend_settings(form: Any, names: Sequence[str]) -> type[Any]:
    """Return a form of filters with a field for each of these.

    Raises SettingsError for a name that loads no filter or that the user did not name, and for two of one name.
    """
    classes: dict[str, type[Filter]] = {}
    try:
        for name in names:
            loaded = _registered_classes.get(name) or _check_class(*KIND.load(name), name=name)
            field = loaded.filter_name()
            if field in classes or field in form.model_fields:
                raise ValueError(
                    f"{name} is named {field}, as another filter is. Rename its class."
                )
            classes[field] = loaded
    except ValueError as error:
        raise SettingsError(f"filters.own: {error}") from error
    return _make_settings_class(form, tuple(classes.items()))


@functools.cache
def _make_settings_class(form: Any, classes: tuple[tuple[str, type[Filter]], ...]) -> type[Any]:
    """Return a form with a field for each class: for equal classes the same, whose settings are equal."""
    fields: dict[str, Any] = {name: (loaded, loaded()) for name, loaded in classes}
    # its source is here, not in a file, which pydantic would look for in all modules
    options = {"use_attribute_docstrings": False}
    result: type[Any] = create_model(form.__name__, __base__=form, __cls_kwargs__=options, **fields)
    return result


def _check_class(found: Any, origin: str, *, name: str) -> type[Filter]:
    """Return a class that is a filter, with its origin. Raises ValueError."""
    if not isinstance(found, type) or not issubclass(found, RuleFilter | ComparingFilter):
        raise ValueError(
            f"{name} is no filter: expected a class derived from RuleFilter or ModelFilter."
        )
    if missing := sorted(found.__abstractmethods__):
        raise ValueError(f"{name} lacks {', '.join(missing)}: write it as in docs/filters.md.")
    found.ORIGIN = origin
    try:
        with explained(f"filter {name}", origin, ValidationError):
            field = found.filter_name()
            is_reserved = field.startswith(("_", "model_")) or hasattr(BaseModel, field)
            _guard_methods(found, f"filter {field}")
            found().model_dump_json()
            found.model_json_schema()
            validate_filter(found())
            [*getattr(found, "PARTS", ())]
    except ValidationError as error:
        problems = "; ".join(refused_values.problems(error))
        raise ValueError(f"{name} has a setting without a default ({problems}).") from error
    if is_reserved:
        raise ValueError(f"{name} is named {field}, as no setting can be. Rename its class.")
    return found


def _guard_methods(found: type[Filter], what: str) -> None:
    """Guard the methods of a class from outside that replace those of its bases here, each once."""
    ours = next(base for base in found.__mro__ if not is_outside(base.__module__))
    for owner in {*found.__mro__} - {*ours.__mro__} - _guarded_classes:
        _guarded_classes.add(owner)
        for name, theirs in [*vars(owner).items()]:
            replaced = getattr_static(ours, name, None)
            method, its = getattr(theirs, "fget", theirs), getattr(replaced, "fget", replaced)
            is_called = isinstance(its, FunctionType) and its.__module__.startswith("bitext_pivot.")
            if is_called and isinstance(method, FunctionType) and not name.startswith("_"):
                result = its.__annotations__["return"]
                if result in {Self, "Filter"}:
                    result = _FILTER
                guard: Any = guarded(method, result, what, found.ORIGIN)
                setattr(owner, name, guard if theirs is method else property(guard))
