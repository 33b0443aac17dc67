"""The section `Rebuild` of a card (README.md), from which a data set can be built again in the same way."""

import json
import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.input_files import refuse_others
from bitext_pivot.core.settings import key

VERSION = 1
"""Version of the section's format. Cards with another version are refused. Raise it when older programs would misread a
section."""
PACKAGES = (
    "bitext-pivot",
    "ctranslate2",
    "huggingface-hub",
    "pyarrow",
    "spacy",
    "torch",
    "transformers",
)
"""Packages whose versions a card states, because they write the files or run the models."""
_TITLE = "## Rebuild"
_SECTION = re.compile(rf"^{_TITLE}$.*?^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that rows and files depend on."""
    return {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}


def rebuild_section(signature: Mapping[str, Any], text: str = "") -> str:
    """Return the section `Rebuild` of a card, with the signature of the build as JSON.

    `text` is the explanation above the JSON.
    """
    block = {"format": VERSION, "key": key(signature), "signature": signature}
    return f"{_TITLE}\n\n{text}\n\n```json\n{json.dumps(block, indent=1, sort_keys=True, ensure_ascii=False)}\n```"


class BuildSignature(BaseModel, extra="allow"):
    """The signature of a build: all settings and versions that can change its rows.

    Only the parts that the program reads are declared. They are validated, because a card may come from a stranger.
    """

    settings: dict[str, Any]
    engine: str = ""
    parser: str = ""
    filters: dict[str, str] = {}
    models: dict[str, dict[str, str]] = {}
    thresholds: dict[str, dict[str, float]] = {}
    sources: dict[str, dict[str, Any] | list[Any]] = {}
    """What identifies the content of each source: a mapping for bitext, a list for running text."""
    versions: dict[str, str] = {}
    files: dict[str, str] = {}


def _text(address: str) -> str:
    """Return the text of a card. Raises SettingsError if it cannot be read."""
    try:
        refuse_others(Path(address), "Name the README.md of a data set.")
        return Path(address).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"{address} cannot be read ({error}). Expected the README.md of a data set: correct the path, or "
            "download the file."
        ) from error


def read_signature(address: str) -> BuildSignature:
    """Return the signature of the build from its card, the README.md at `address`.

    Raises SettingsError if the card cannot be read, or if its section `Rebuild` is missing, damaged or newer.
    """
    text = _text(address)
    sections = _SECTION.findall(text)
    if len(sections) != 1:
        problem = f"has {len(sections)} sections {_TITLE!r}, but a card has one"
        if not sections:
            problem = (
                f"is not the card of a build, because it has no section {_TITLE!r} with settings"
            )
        raise SettingsError(
            f"{address} {problem}. Name the README.md of a data set that bitext-pivot built."
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
        return BuildSignature.model_validate(signature)
    except ValidationError as error:
        raise SettingsError(_damaged(address, "; ".join(refused_values.problems(error)))) from error


def _damaged(address: str, problem: str) -> str:
    return f"The section {_TITLE!r} of {address} is damaged ({problem}). Use the card as the build wrote it."
