"""Load custom code: a class in a file, or a class that an installed package offers as an entry point.

Settings from the card of a data set, from a preset or from a form never load code, because anybody may have written
them. Code is loaded only if the user names it on the command line or in an environment variable. The origin of a class
contains the digest of the file or the version of the package, so that results of earlier code are not reused. Other
modules that the code imports are not included in the digest.
"""

import functools
import hashlib
import json
import os
import sys
import traceback
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import BuildError, CodeError, SettingsError
from bitext_pivot.core.reading.input_files import refuse_others
from bitext_pivot.core.site import PREFIX, Site
from bitext_pivot.core.untrusted import shown

_Result = TypeVar("_Result")
_INSIDE = {"bitext_pivot", "pydantic", *sys.stdlib_module_names}
"""Packages that do not count as custom code."""
_FINITE = ConfigDict(allow_inf_nan=False)


class Loaded(NamedTuple):
    """A loaded class and its origin."""

    found: Any
    origin: str
    """The file with its digest, or the package with its version."""


@dataclass(frozen=True)
class OutsideKind:
    """A kind of custom code, such as filters."""

    plural: str
    """Plural name, such as `filters`: in the entry points, in the environment variable, and as field of `Site`."""
    option: str
    """The command-line option in which the user names the code."""
    example: str
    """An example of a class in a file, for messages."""

    @property
    def group(self) -> str:
        """Group of the entry points in packages, such as `bitext_pivot.filters`."""
        return f"bitext_pivot.{self.plural}"

    @property
    def variable(self) -> str:
        """Environment variable in which the user names the code."""
        return f"{PREFIX}{self.plural.upper()}"

    def allowed(self) -> Sequence[str]:
        """Return the names that the user has allowed."""
        names: Sequence[str] = getattr(Site(), self.plural)
        return names

    def allow(self, names: Sequence[str]) -> None:
        """Allow this process and its children to load code, because the user has named it."""
        os.environ[self.variable] = json.dumps([*dict.fromkeys([*self.allowed(), *names])])

    def load(self, name: str) -> Loaded:
        """Load the class with this name. Raises ValueError if that fails, or if the user has not allowed the name."""
        if name not in self.allowed():
            names = json.dumps([*self.allowed(), name])
            raise ValueError(
                f"{name!r} is code. Cards, presets and forms may not load code. If you trust it, name it yourself, "
                f"with the option {self.option} {name} or with {self.variable}='{names}'."
            )
        path, is_file, class_name = name.rpartition(".py:")
        if is_file:
            return _of_file(Path(f"{path}.py"), class_name, name)
        points = [*entry_points(group=self.group, name=name)]
        if not points:
            raise ValueError(
                f"no installed package offers {name!r} (entry points {self.group}). "
                f"Expected such a name, or a class in a file: {self.example}."
            )
        return _of_package(points[0], name)


def _of_file(path: Path, class_name: str, name: str) -> Loaded:
    """Load a class from a file. Raises ValueError if that fails."""
    try:
        refuse_others(path, "Name a file of Python.")
        source = path.read_bytes()
    except (OSError, SettingsError) as error:
        raise ValueError(f"{name} cannot be read ({error}). Correct its path.") from error
    place = os.fsencode(path.resolve())
    module_name = f"bitext_pivot_own_{_digest(place + source)}"
    if module_name not in sys.modules:
        module = ModuleType(module_name)
        module.__file__ = str(path.resolve())
        sys.modules[module_name] = module  # pydantic resolves annotations there
        try:
            with _named(name, "Correct the file.", ValueError):
                exec(compile(source, str(path), "exec"), module.__dict__)  # noqa: S102 -- the user named it
        except ValueError:
            del sys.modules[module_name]
            raise
    found = getattr(sys.modules[module_name], class_name, None)
    if not isinstance(found, type):
        raise ValueError(f"{path} has no class {class_name!r}.")
    return Loaded(found, f"{path.name} {_digest(source)}")


def _of_package(point: EntryPoint, name: str) -> Loaded:
    """Load the class that an entry point names. Raises ValueError if that fails."""
    with _named(name, "Install its package again.", ValueError):
        found = point.load()
    origin = name
    if point.dist is not None:
        origin = f"{point.dist.name} {point.dist.version}"
    return Loaded(found, origin)


@contextmanager
def explained(what: str, origin: str, *own: type[Exception]) -> Iterator[None]:
    """Turn exceptions of custom code, including `exit()`, into CodeError. Use as a context manager.

    BuildError, MemoryError and the classes in `own` are not changed. If `origin` is empty, the code belongs to this
    package, and no exception is changed.
    """
    ours = (BuildError, MemoryError, *own) if origin else BaseException
    with _named(f"The {what} ({origin})", "Correct its code.", CodeError, ours):
        yield


@contextmanager
def _named(what: str, advice: str, kind: type[Exception], ours: Any = ()) -> Iterator[None]:
    """Raise `kind` in place of an exception from the user's code in the `with` block.

    The message is: `what`, the exception, then `advice`. Exceptions of the classes `ours` are not changed, unless the
    user's code itself raised an error class of this package. KeyboardInterrupt, cancellations and Prefect's signals are
    never changed.
    """
    try:
        yield
    except (KeyboardInterrupt, CancelledError):
        raise
    except BaseException as error:
        is_stop = type(error).__module__.startswith("prefect.")  # Prefect's signals are not errors
        if is_stop or (isinstance(error, ours) and not _is_theirs(error)):
            raise
        raise kind(f"{what} raised {_short(error)}. {advice}") from error


def _is_theirs(error: BaseException) -> bool:
    """Return True if custom code itself raised one of this package's errors."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return isinstance(error, BuildError) and is_outside(frames[-1].f_globals.get("__name__", ""))


def guarded(method: Callable[..., Any], expected: Any, what: str, origin: str) -> Any:
    """Wrap a method of custom code: exceptions and results of the wrong type raise CodeError."""
    results: TypeAdapter[Any] = TypeAdapter(expected, config=_FINITE)

    @functools.wraps(method)
    def called(*args: Any, **options: Any) -> Any:
        with explained(what, origin):
            found = method(*args, **options)
            return checked(results.validate_python, found, method.__name__)

    return called


def checked(validate: Callable[[Any], _Result], found: Any, what: str) -> _Result:
    """Return a value from custom code after validation by pydantic. Raises TypeError if its type is wrong."""
    try:
        result = validate(found)
    except ValidationError as error:
        raise TypeError(f"{what}: {next(refused_values.problems(error))}") from error
    if _is_coerced(found, result):
        raise TypeError(
            f"{what}: a text or a truth value is not converted (given: {shown(repr(found))})"
        )
    return result


def _is_coerced(found: Any, result: Any) -> bool:
    """Return True if pydantic converted a string or a Boolean to a number, or a string to a Boolean."""
    if isinstance(result, BaseModel):
        return any(_is_coerced(getattr(found, name, value), value) for name, value in result)
    if isinstance(result, Mapping):
        return any(map(_is_coerced, found.values(), result.values()))
    if isinstance(result, list | tuple):
        return any(map(_is_coerced, found, result))
    if type(result) is bool:
        return isinstance(found, str | bytes)
    return isinstance(result, int | float) and isinstance(found, bool | str | bytes)


def is_outside(name: str) -> bool:
    """Return True if a module with this name contains custom code."""
    return name.partition(".")[0] not in _INSIDE


def _short(error: BaseException) -> str:
    """Return an exception as one line, with the file and line of the custom code that raised it."""
    try:
        reason = (
            next(refused_values.problems(error)) if isinstance(error, ValidationError) else error
        )
        text = shown(f"{type(error).__name__}: {reason}".partition("\n")[0])
    except BaseException:  # noqa: BLE001 -- the `__str__` of a custom exception may fail, too
        text = type(error).__name__
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if is_outside(frame.f_globals.get("__name__", ""))
    ]
    if not places:
        return text
    file, _ = places[0]
    _, line = [place for place in places if place[0] == file][-1]
    return f"{text} ({file}, line {line})"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
