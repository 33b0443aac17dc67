"""The section of a card from which a data set is built again, and what has changed since it was built."""

import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.input_files import refuse_others
from bitext_pivot.core.settings import key
from bitext_pivot.corpus.differences import ABSENT, differing

VERSION = 1
"""Of the section; cards with another number are refused. Raise it when older programs would misread a section."""
_PROGRAM = "bitext-pivot"
PACKAGES = (_PROGRAM, "pyarrow", "huggingface-hub")
"""Packages that write the files; the signatures of the models name theirs."""
_TITLE = "## Rebuild"
_SECTION = re.compile(rf"^{_TITLE}$.*?^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_AnyForm = TypeVar("_AnyForm", bound=BaseModel)


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that write the files of a data set."""
    return {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}


def section(signature: Mapping[str, Any], text: str = "") -> str:
    """Return the section of a card from which `Card.at` reads the signature of a build; `text` says how to use it."""
    block = {"format": VERSION, "key": key(signature), "signature": signature}
    return f"{_TITLE}\n\n{text}\n\n```json\n{json.dumps(block, indent=1, sort_keys=True, ensure_ascii=False)}\n```"


class Signature(BaseModel, extra="allow"):
    """The parts of a signature that are looked into; anybody can write one."""

    settings: dict[str, Any]
    engine: str = ""
    parser: str = ""
    filters: dict[str, str] = {}
    models: dict[str, dict[str, str]] = {}
    thresholds: dict[str, dict[str, float]] = {}
    sources: dict[str, dict[str, Any] | list[Any]] = {}
    """A group of values of each bitext; of running text a list."""
    versions: dict[str, str] = {}
    files: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Card:
    """The signature in the card of a data set; empty for a build that repeats none."""

    address: str
    signature: Mapping[str, Any]

    @classmethod
    def at(cls, address: str) -> "Card":
        """Return the card at a path, an empty one for an empty path.

        Raises SettingsError if it cannot be read, has no section `Rebuild`, or one that is damaged or
        newer.
        """
        return cls(address, _read(address) if address else {})

    def settings(self, form: _AnyForm) -> _AnyForm:
        """Return the settings of the card, or `form` if the card is empty.

        Raises SettingsError if they cannot be used here: a file is missing, or this version has no such setting.
        """
        if not self.address:
            return form
        try:
            return type(form).model_validate(self.signature["settings"])
        except ValidationError as error:
            lines = [f"The settings of {self.address} cannot be used here:"]
            here = version(_PROGRAM)
            if self._version and self._version != here:
                lines = [
                    f"{self.address} was written by {_PROGRAM} {self._version}, and this is {here}. "
                    "Install that version:"
                ]
            raise SettingsError("\n".join([*lines, *refused_values.problems(error)])) from error

    @property
    def _version(self) -> str:
        """Version of the program that wrote the card, "" if it does not say so."""
        return str(self.signature.get("versions", {}).get(_PROGRAM, ""))

    def compare(self, signature: Mapping[str, Any]) -> None:
        """Raise SettingsError if parts of a signature differ from those of the card; an empty card refuses nothing."""
        if self.address:
            compare(self.signature, signature)


def merged(recorded: Mapping[str, Any], current: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recorded part of a signature with what is known of it here: parts of parts are merged, too."""
    inner: dict[str, Any] = {}
    for name, value in current.items():
        before = recorded.get(name, {})
        inner[name] = value
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            inner[name] = merged(before, value)
    return {**recorded, **inner}


def compare(recorded: Mapping[str, Any], signature: Mapping[str, Any]) -> None:
    """Raise SettingsError, one line per difference, if parts of a signature differ from what a card recorded."""
    compared = {name: recorded.get(name) for name in signature}
    changes = [_line(path, *values) for path, values in sorted(differing(compared, signature))]
    if changes:
        raise SettingsError(
            "The data set of this card cannot be built again with the same bytes. Restore what has changed, or build "
            "something else from its settings with --preset in place of --from-card:\n"
            + "\n".join(changes)
        )


def _text(address: str) -> str:
    """Return the text of a card."""
    try:
        refuse_others(Path(address), "Name the README.md of a data set.")
        return Path(address).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"{address} cannot be read ({error}). Expected a file, the README.md of a data set: correct the path, or "
            "download the file."
        ) from error


def _read(address: str) -> dict[str, Any]:
    text = _text(address)
    sections = _SECTION.findall(text)
    if len(sections) != 1:
        problem = f"has {len(sections)} sections {_TITLE!r} with settings, where a card has one"
        if not sections:
            problem = f"is no card of a build: it has no section {_TITLE!r} with the settings"
        raise SettingsError(
            f"{address} {problem}. Name the README.md in the folder of a data set that bitext-pivot built."
        )
    try:
        block = parse_json(sections[0])
        number, digest, signature = block["format"], block["key"], block["signature"]
    except (ValueError, KeyError, TypeError) as error:
        raise SettingsError(_damaged(address, f"{type(error).__name__}: {error}")) from error
    if number != VERSION:
        raise SettingsError(
            f"{address} has a section {_TITLE!r} of format {number}, expected {VERSION}. Install the version of "
            "bitext-pivot that wrote it."
        )
    if key(signature) != digest:
        raise SettingsError(_damaged(address, "its content does not match its key"))
    try:
        Signature.model_validate(signature)
    except ValidationError as error:
        raise SettingsError(_damaged(address, "; ".join(refused_values.problems(error)))) from error
    return dict(signature)


def _damaged(address: str, problem: str) -> str:
    return f"The section {_TITLE!r} of {address} is damaged ({problem}). Take the card as the build wrote it."


def _line(path: Sequence[str], recorded: Any, current: Any) -> str:
    """Return a line about a value that differs; of texts, the words that do, and the others in brackets."""
    name = ": ".join(path)
    old, new = (
        str(value if value not in (None, ABSENT) else "nothing").split()
        for value in (recorded, current)
    )
    gone = [word for word in old if word not in new]
    added = [word for word in new if word not in old]
    same = " ".join(word for word in old if word in new)
    what = f"{name} ({same})" if same else name
    return f"{what}: the card has {' '.join(gone or old)}, here is {' '.join(added or new)}"
