"""Code from outside: a class in a file, or of an installed package that offers it by an entry point.

A name loads no code: anybody can write a card or a preset. The user loads it: by naming it on the command
line or in an environment variable. The digest of its file, or the version of its package, is part of what is told
of its origin, so that changed code never gives stored results; what else it imports is not.
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
"""Packages whose code is not from outside."""
_FINITE = ConfigDict(allow_inf_nan=False)


class Loaded(NamedTuple):
    """What a name stands for."""

    found: Any
    origin: str
    """File with its digest, or package with its version."""


@dataclass(frozen=True)
class OutsideKind:
    """A kind of code from outside, such as filters."""

    plural: str
    """Name of the entry points below `bitext_pivot.`, of the environment variable, and of it in `Site`."""
    option: str
    """The option by which the user names one."""
    example: str
    """A class in a file."""

    @property
    def group(self) -> str:
        """Group of the entry points of packages."""
        return f"bitext_pivot.{self.plural}"

    @property
    def variable(self) -> str:
        """Environment variable by which the user names some."""
        return f"{PREFIX}{self.plural.upper()}"

    def allowed(self) -> Sequence[str]:
        """Return the names that the user gave."""
        names: Sequence[str] = getattr(Site(), self.plural)
        return names

    def allow(self, names: Sequence[str]) -> None:
        """Allow this process, and those that it starts, to load code: the user named it."""
        os.environ[self.variable] = json.dumps([*dict.fromkeys([*self.allowed(), *names])])

    def load(self, name: str) -> Loaded:
        """Return what a name stands for. Raises ValueError, also for a name that the user did not give."""
        if name not in self.allowed():
            names = json.dumps([*self.allowed(), name])
            raise ValueError(
                f"{name!r} is code, which no card, preset or form loads. If you trust it, name it yourself: "
                f"{self.option} {name} where a command has it, or {self.variable}='{names}'."
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
    """Return a class of a file. Raises ValueError."""
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
        sys.modules[module_name] = module  # pydantic looks for annotations there
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
    """Return what an entry point names. Raises ValueError."""
    with _named(name, "Install its package again.", ValueError):
        found = point.load()
    origin = name
    if point.dist is not None:
        origin = f"{point.dist.name} {point.dist.version}"
    return Loaded(found, origin)


@contextmanager
def explained(what: str, origin: str, *own: type[Exception]) -> Iterator[None]:
    """Raise CodeError in place of what code from outside raises, `exit()` too, but for errors of our `own`.

    Without an `origin` the code is from here, and raises what it raises.
    """
    ours = (BuildError, MemoryError, *own) if origin else BaseException
    with _named(f"The {what} ({origin})", "Correct its code.", CodeError, ours):
        yield


@contextmanager
def _named(what: str, advice: str, kind: type[Exception], ours: Any = ()) -> Iterator[None]:
    """Raise an error in a line in place of what code from outside raises, of whatever kind, but for `ours`."""
    try:
        yield
    except (KeyboardInterrupt, CancelledError):
        raise
    except BaseException as error:
        is_stop = type(error).__module__.startswith("prefect.")  # its signals are no faults
        if is_stop or (isinstance(error, ours) and not _is_theirs(error)):
            raise
        raise kind(f"{what} raises {_short(error)}. {advice}") from error


def _is_theirs(error: BaseException) -> bool:
    """Return True if code from outside raised an error of this package itself: it may mean anything there."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return isinstance(error, BuildError) and is_outside(frames[-1].f_globals.get("__name__", ""))


def guarded(method: Callable[..., Any], expected: Any, what: str, origin: str) -> Any:
    """Return a method from outside that raises what `explained` does, also for a result of another type."""
    results: TypeAdapter[Any] = TypeAdapter(expected, config=_FINITE)

    @functools.wraps(method)
    def called(*args: Any, **options: Any) -> Any:
        with explained(what, origin):
            found = method(*args, **options)
            return checked(results.validate_python, found, method.__name__)

    return called


def checked(validate: Callable[[Any], _Result], found: Any, what: str) -> _Result:
    """Return what code from outside gave, as the type that pydantic validates. Raises TypeError for another one."""
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
    """Return True if pydantic took a text or a truth value for a number, or a text for a truth value."""
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
    """Return True for the name of a module from outside."""
    return name.partition(".")[0] not in _INSIDE


def _short(error: BaseException) -> str:
    """Return an exception in one line, with the last line of the code from outside that raised it."""
    try:
        reason = (
            next(refused_values.problems(error)) if isinstance(error, ValidationError) else error
        )
        text = shown(f"{type(error).__name__}: {reason}".partition("\n")[0])
    except BaseException:  # noqa: BLE001 -- its own code raises, too
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
