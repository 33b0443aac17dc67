"""Load and check custom filters: classes in a file, an installed package or a program.

The user names a class (`core/outside.py`), or a program passes the class itself to `Filters(own=[...])`. Only
`bitext_pivot.judge` accepts classes themselves: a build could not tell whether their code has changed since its
shards were written.
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
"""Filter classes that a Python program passed, by name."""
_guarded_classes: set[type] = set()
"""Custom classes whose methods `_guard_methods` has already wrapped."""


def validate_filter(filter_: Any) -> Filter:
    """Return `filter_` unchanged if it is a filter whose `accepts` works.

    Raises ValueError if it is not a filter. Errors of its own code are passed on.
    """
    if not isinstance(filter_, Filter):
        raise ValueError("expected a filter")
    filter_.accepts(0.0)
    return filter_


_FILTER = Annotated[Any, AfterValidator(validate_filter)]
"""The type that `guarded` requires of the result of a custom method that returns a filter."""


def register_class(value: Any) -> Any:
    """Remember a class under its name and return the name; return any other value unchanged."""
    if not isinstance(value, type):
        return value
    name = f"{value.__module__}:{value.__qualname__}"
    if _registered_classes.get(name) is not value:
        _registered_classes[name] = _check_class(value, f"class {uuid.uuid4().hex}", name=name)
    return name


def refuse_classes(names: Sequence[str]) -> None:
    """Raise SettingsError if a filter was passed as a class, whose code could change unnoticed."""
    for name in names:
        if name in _registered_classes:
            raise SettingsError(
                f"filters.own has the class {name}, but only bitext_pivot.judge accepts a class. "
                f"Write it to a file and name the file: {KIND.example}."
            )


def extend_settings(form: Any, names: Sequence[str]) -> type[Any]:
    """Return a subclass of the settings class `form`, with one more field per custom filter.

    Raises SettingsError if a filter cannot be loaded, the user has not allowed its code, or a filter of its name
    already exists.
    """
    classes: dict[str, type[Filter]] = {}
    try:
        for name in names:
            loaded = _registered_classes.get(name) or _check_class(*KIND.load(name), name=name)
            field = loaded.filter_name()
            if field in classes or field in form.model_fields:
                raise ValueError(
                    f"{name} is named {field}, but another filter has this name. Rename the class."
                )
            classes[field] = loaded
    except ValueError as error:
        raise SettingsError(f"filters.own: {error}") from error
    return _make_settings_class(form, tuple(classes.items()))


@functools.cache
def _make_settings_class(form: Any, classes: tuple[tuple[str, type[Filter]], ...]) -> type[Any]:
    """Return a subclass of `form` with one more field for each filter class.

    The result is cached, because settings are equal only if they have the same class.
    """
    fields: dict[str, Any] = {name: (loaded, loaded()) for name, loaded in classes}
    # With attribute docstrings, pydantic would search all modules for the source of the class, which is in none.
    options = {"use_attribute_docstrings": False}
    result: type[Any] = create_model(form.__name__, __base__=form, __cls_kwargs__=options, **fields)
    return result


def _check_class(class_: Any, origin: str, *, name: str) -> type[Filter]:
    """Record the origin of a custom filter class, and return the class.

    Raises ValueError if the class cannot be used as a filter.
    """
    if not isinstance(class_, type) or not issubclass(class_, RuleFilter | ComparingFilter):
        raise ValueError(
            f"{name} is not a filter. Expected a class derived from RuleFilter or ModelFilter."
        )
    if missing := sorted(class_.__abstractmethods__):
        raise ValueError(f"{name} lacks {', '.join(missing)}. docs/filters.md has an example.")
    class_.ORIGIN = origin
    try:
        with explained(f"custom filter {name!r}", origin, ValidationError):
            field = class_.filter_name()
            is_reserved = field.startswith(("_", "model_")) or hasattr(BaseModel, field)
            _guard_methods(class_, f"custom filter {field!r}")
            class_().model_dump_json()
            class_.model_json_schema()
            validate_filter(class_())
            [*getattr(class_, "PARTS", ())]
    except ValidationError as error:
        problems = "; ".join(refused_values.problems(error))
        raise ValueError(
            f"{name} has a setting without a default ({problems}). Give every setting a default."
        ) from error
    if is_reserved:
        raise ValueError(
            f"{name} is named {field}, but a setting cannot have this name. Rename the class."
        )
    return class_


def _guard_methods(class_: type[Filter], what: str) -> None:
    """Wrap, once, each method by which a custom class overrides a method of a built-in class.

    A wrapped method reports an error in one line and checks the type of its result. `what` names the filter in the
    errors.
    """
    built_in = next(base for base in class_.__mro__ if not is_outside(base.__module__))
    for owner in {*class_.__mro__} - {*built_in.__mro__} - _guarded_classes:
        _guarded_classes.add(owner)
        for name, theirs in [*vars(owner).items()]:
            replaced = getattr_static(built_in, name, None)
            method, its = getattr(theirs, "fget", theirs), getattr(replaced, "fget", replaced)
            is_called = isinstance(its, FunctionType) and its.__module__.startswith("bitext_pivot.")
            if is_called and isinstance(method, FunctionType) and not name.startswith("_"):
                result = its.__annotations__["return"]
                if result in {Self, "Filter"}:
                    result = _FILTER
                guard: Any = guarded(method, result, what, class_.ORIGIN)
                setattr(owner, name, guard if theirs is method else property(guard))
