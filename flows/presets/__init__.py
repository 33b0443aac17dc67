"""Presets: files with the settings of a flow.

A preset is JSON in the form that `prefect deployment run --params -` accepts and `bitext-pivot plan --save` writes. A
TOML file contains the settings alone, in the form that the inspector copies. The built-in presets are in this folder.
"""

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bitext_pivot.alignments.texts.document_files import digest_files
from bitext_pivot.core import text_files
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.progress import warn
from bitext_pivot.core.reading.input_files import utf8_lines
from bitext_pivot.core.settings import misspelt
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import Table
from bitext_pivot.corpus import rebuild

FOLDER = Path(__file__).parent
QUICKSTART = "quickstart/opus"
"""Folder with the bitext of the demos, relative to the root of a clone of the project."""


def _parse_toml(text: str) -> dict[str, Any]:
    return {"settings": tomllib.loads(text)}


_CARD = ".md"
_READERS: dict[str, Callable[[str], Any]] = {".toml": _parse_toml, ".json": parse_json}


def names(folder: Path = FOLDER) -> list[str]:
    """Return the names of the built-in presets, such as `fr-en` and `paper-fr-en`."""
    return sorted(path.stem for path in folder.glob("*.json"))


def use_quickstart(name: str) -> None:
    """Set BITEXT_PIVOT_OPUS to the bitext of the demos if `name` is the preset of a demo.

    A value that the user has set is kept.

    Raises SettingsError if the demo needs this bitext and the working folder is not a clone of the project.
    """
    is_of_bitext = name.startswith("demo-") and name in names()
    if (is_of_bitext or name == "demo") and Path(QUICKSTART).is_dir():
        os.environ.setdefault("BITEXT_PIVOT_OPUS", QUICKSTART)
    elif is_of_bitext and "BITEXT_PIVOT_OPUS" not in os.environ:
        raise SettingsError(
            f"The preset {name!r} needs {QUICKSTART}, which is only in a clone of the project. Run the command in the "
            "root of a clone, or use the preset first-fr-en."
        )


def load(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the settings of a preset, given its name or the path of a file.

    The file extension decides whether a file is TOML, JSON or the card of a data set (`README.md`); a file without an
    extension is JSON. Raises SettingsError if the preset does not exist, with the most similar name, or if the file has
    no settings.
    """
    is_path = "/" in name
    path = folder / f"{name}.json" if name in names(folder) else Path(name)
    ending = text_files.extension(path)
    if not is_path and ending not in {*_READERS, _CARD} and not path.is_file():
        raise SettingsError(misspelt(name, names(folder), what="preset"))
    if ending == _CARD:
        return _load_card(name)
    if ending not in {*_READERS, ""}:
        raise SettingsError(
            f"{path} has the file extension {ending}. Expected a preset in TOML (.toml) or JSON (.json), or the "
            "README.md of a data set."
        )
    text = "\n".join(utf8_lines(path, "Name a preset, or a file of settings."))
    try:
        parameters = _READERS.get(ending, parse_json)(text)
    except ValueError as error:
        raise SettingsError(
            f'{path} cannot be read as a preset ({error}). Expected JSON, {{"settings": {{...}}}}, or TOML: correct '
            "the file."
        ) from error
    if (
        not isinstance(parameters, dict)
        or not isinstance(parameters.get("settings"), dict)
        or len(parameters) > 1
    ):
        raise SettingsError(
            f'{path} is not a preset. Expected {{"settings": {{...}}}} and nothing else: correct the file.'
        )
    settings: dict[str, Any] = parameters["settings"]
    return settings


def _load_card(path: str) -> dict[str, Any]:
    """Return the settings in a data set's card (README.md), with its releases and commits.

    One warning lists the libraries whose version has changed since, and the files whose contents have changed.
    """
    signature, versions = rebuild.read_signature(path), rebuild.package_versions()
    changes = [
        f"{name} {version} (now {versions[name]})"
        for name, version in signature.versions.items()
        if versions.get(name, version) != version
    ]
    changes += [
        f"contents of {file}"
        for file, digest in signature.files.items()
        if Path(file).exists() and digest_files(Path(file)) != digest
    ]
    if changes:
        warn(f"Changed since {path} was written: {', '.join(changes)}. The rows may differ.")
    return signature.settings


def save(settings: BaseModel, path: Path) -> None:
    """Write the settings that differ from the defaults to a JSON file that `load` can read.

    Raises ShardError if the file cannot be written.
    """
    atomic.write_json(path, {"settings": settings.model_dump(mode="json", exclude_defaults=True)})


def merge(preset: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset, overridden by options. Groups of settings are merged."""
    overrides = {
        name: merge(preset[name], value)
        if isinstance(value, dict) and isinstance(preset.get(name), dict)
        else value
        for name, value in options.items()
    }
    return {**preset, **overrides}


def table(settings_by_name: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return a table of presets: name, languages, corpora and other settings of each."""
    rows = []
    for name, settings in settings_by_name.items():
        others = {
            key: value
            for key, value in settings.items()
            if key not in {"pivot", "language", "corpora"}
        }
        cells = (
            settings.get("pivot", ""),
            settings.get("language", ""),
            ", ".join(settings.get("corpora", [])),
        )
        rows.append((name, *cells, json.dumps(others) if others else ""))
    return Table(head=("preset", "pivot", "language", "corpora", "other settings"), rows=rows)
