"""Filters from outside: a class in a file, of an installed package, or of a program that calls the library.

A name loads no code: anybody can write a card or a preset. The user loads it: by naming it on the command
line or in BITEXT_PIVOT_FILTERS, or by giving the class itself to `Filters(own=[...])`. The digest of the
source of the class and of its bases is part of the signature, so that changed code never gives stored
verdicts; what else it imports is not.
"""

import functools
import hashlib
import json
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from pydantic import ValidationError, create_model

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.input_files import refuse_others
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import ComparingFilter, Filter, RuleFilter

GROUP = "bitext_pivot.filters"
"""Entry points of packages that have filters."""
_VARIABLE = "BITEXT_PIVOT_FILTERS"
_EXPECTED = "expected a class derived from RuleFilter or ModelFilter"
_given: dict[str, type[Filter]] = {}
"""Classes that a call of the library gave, by name."""


def allow(names: Sequence[str]) -> None:
    """Allow this process, and those that it starts, to load filters: the user named them."""
    os.environ[_VARIABLE] = json.dumps([*dict.fromkeys([*Site().filters, *names])])


def named(value: Any) -> Any:
    """Return the name of a class, which may be loaded from now on; other values as they are."""
    if not isinstance(value, type):
        return value
    name = f"{value.__module__}:{value.__qualname__}"
    _given[name] = _checked(value, name, "")
    return name


def extended(form: Any, names: Sequence[str]) -> type[Any]:
    """Return a form of filters with a field for each of these.

    Raises ValueError for a name that loads no filter or that the user did not name, and for two of one name.
    """
    classes: dict[str, type[Filter]] = {}
    for name in names:
        loaded = _load(name)
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


def _load(name: str) -> type[Filter]:
    """Return the class of a filter that the user named. Raises ValueError."""
    if name in _given:
        return _given[name]
    if name not in Site().filters:
        raise ValueError(
            f"{name!r} is code, which no card, preset or form loads. If you trust it, name it yourself: "
            f"--filters.own {name}, or {_VARIABLE}='{json.dumps([name])}'."
        )
    path, is_file, class_name = name.rpartition(".py:")
    if is_file:
        return _of_file(Path(f"{path}.py"), class_name, name)
    points = [*entry_points(group=GROUP, name=name)]
    if not points:
        raise ValueError(
            f"no installed package has a filter {name!r} (entry points {GROUP}). Expected such a name, or a "
            "class in a file: my_filters.py:NoMuseum."
        )
    return _of_package(points[0], name)


def _of_file(path: Path, class_name: str, name: str) -> type[Filter]:
    """Return a class of a file. Raises ValueError."""
    try:
        refuse_others(path, "Name a file of Python.")
        source = path.read_bytes()
    except (OSError, SettingsError) as error:
        raise ValueError(f"{name} cannot be read ({error}).") from error
    module_name = f"bitext_pivot_own_{_digest(os.fsencode(path.resolve()) + source)}"
    if module_name not in sys.modules:
        module = ModuleType(module_name)
        module.__file__ = str(path.resolve())
        sys.modules[module_name] = module  # pydantic looks for annotations there
        try:
            exec(compile(source, str(path), "exec"), module.__dict__)  # noqa: S102 -- the user named it
        except (Exception, SystemExit) as error:
            del sys.modules[module_name]
            raise ValueError(f"{name} raises {_short(error)}. Correct the file.") from error
    found = getattr(sys.modules[module_name], class_name, None)
    if found is None:
        raise ValueError(f"{path} has no class {class_name!r}: {_EXPECTED}.")
    return _checked(found, name, path.name)


def _of_package(point: EntryPoint, name: str) -> type[Filter]:
    """Return the class of an entry point. Raises ValueError."""
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise ValueError(f"{name} raises {_short(error)}. Install its package again.") from error
    package = ""
    if point.dist is not None:
        package = f"{point.dist.name} {point.dist.version}"
    return _checked(found, name, package)


def _checked(found: Any, name: str, origin: str) -> type[Filter]:
    """Return a class that is a filter, with its origin and the digest of its source. Raises ValueError."""
    if not isinstance(found, type) or not issubclass(found, RuleFilter | ComparingFilter):
        raise ValueError(f"{name} is no filter: {_EXPECTED}.")
    if missing := sorted(found.__abstractmethods__):
        raise ValueError(f"{name} lacks {', '.join(missing)}: write it as in docs/filters.md.")
    functions = tuple(chain.from_iterable(map(_functions, _outside(found))))
    found.ORIGIN = f"{origin or name} {_digest(_source(found, functions, name))}"
    return found


def _outside(found: type) -> list[type]:
    """Return a class and those that it is derived from, without those of this package and of libraries."""
    inside = {"bitext_pivot", "pydantic", *sys.stdlib_module_names}
    return [base for base in found.__mro__ if base.__module__.partition(".")[0] not in inside]


def _functions(base: type) -> list[CodeType]:
    return [value.__code__ for value in vars(base).values() if isinstance(value, FunctionType)]


@functools.cache
def _source(found: type, functions: tuple[CodeType, ...], name: str) -> bytes:
    """Return the source of a class and of its bases from outside: their files, in a notebook the cells.

    It is read once for the same functions: a file may have changed since it was imported. Raises ValueError
    without a source.
    """
    files: dict[str, None] = {}
    for base in _outside(found):
        file = getattr(sys.modules.get(base.__module__), "__file__", None)
        cells = [function.co_filename for function in _functions(base)]
        if file:
            cells = [file]
        files |= dict.fromkeys(cells or [""])
    try:
        sources = [_text(file) for file in files]
    except OSError:
        sources = [b""]
    if not all(sources):
        raise ValueError(
            f"the source of {name} cannot be read, so that changed code would give stored verdicts. "
            "Write the class in a file."
        )
    return b"".join(sources)


def _text(file: str) -> bytes:
    """Return the text of a file of code or of a cell of a notebook; empty if there is none."""
    path = Path(file)
    if path.is_file():
        return path.read_bytes()
    return "".join(linecache.getlines(file)).encode()


def _check_default(loaded: type[Filter], name: str) -> None:
    """Raise ValueError for a filter that has a setting without a default."""
    try:
        loaded()
    except ValidationError as error:
        problems = "; ".join(refused_values.problems(error))
        raise ValueError(f"{name} has a setting without a default ({problems}).") from error


@contextmanager
def explained(name: str, filter_: Filter) -> Iterator[None]:
    """Raise SettingsError in place of what the code of a filter from outside raises."""
    try:
        yield
    except BuildError:
        raise
    except Exception as error:
        if not filter_.ORIGIN:
            raise
        raise SettingsError(
            f"The filter {name} ({filter_.ORIGIN}) raises {_short(error)}. Correct its code."
        ) from error


def _short(error: BaseException) -> str:
    """Return an exception in one line."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
