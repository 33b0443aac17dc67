"""Finished builds: where a data set lies, so that a build that has nothing to do need not begin.

A record says so as long as nothing may have changed: the signature of the build, in which are the keys of all
its stages, the sources that are here, this program, and the data set. Otherwise the build looks at each
shard.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic, folders, manifest
from bitext_pivot.corpus.facts import STATS, read_stats
from bitext_pivot.tasks.run.program_digest import program_digest


class _Finished(BaseModel):
    """The record of a finished build; anybody can write one."""

    folder: str = Field(pattern=r"^\w[\w.+-]*$")
    manifest: str
    """SHA-256 of the manifest of the data set."""
    sources: dict[str, str]


def folder_name(title: str) -> str:
    """Return the name of the folder of data sets with which a title begins: fr-en of `fr-en: Europarl/v8`."""
    return title.partition(":")[0]


def remember(folder: Path, signature: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
    """Write that a data set is what a signature gives with the sources that were read."""
    value = {
        "folder": folder.name,
        "manifest": atomic.sha256(folder / manifest.NAME),
        "sources": {name: key(identity) for name, identity in sources.items()},
    }
    atomic.write_sealed(_record(folder.parent, signature), value)


def has_any(builds: Path) -> bool:
    """Return True if a build is remembered in a folder of builds: a first one need not look for its own."""
    return next(iter(builds.glob("finished-*.json")), None) is not None


def point_latest(folder: Path) -> None:
    """Let `latest` point to a data set or a model, but not to a data set without a kept row.

    Raises as `folders.point_latest`.
    """
    if not (folder / STATS).exists() or read_stats(folder).kept:
        folders.point_latest(folder)


def find(builds: Path, signature: Mapping[str, Any], sources: Mapping[str, Any]) -> Path | None:
    """Return the complete data set of a signature, if there is one.

    `sources` are those on this machine: another one than was read gives another data set.
    """
    try:
        record = _Finished.model_validate(atomic.find_sealed(_record(builds, signature)))
    except ValidationError:
        return None
    folder = builds / record.folder
    has_changed = any(
        record.sources.get(name) != key(identity) for name, identity in sources.items()
    )
    is_same = atomic.is_intact(folder / manifest.NAME, record.manifest)
    if has_changed or not is_same or manifest.problems(folder):
        return None
    return folder


def _record(builds: Path, signature: Mapping[str, Any]) -> Path:
    """Return the path of the record, whose key has no part of the signature that is found in the sources."""
    named = {name: part for name, part in signature.items() if name not in ("sources", "warnings")}
    return builds / f"finished-{key(program_digest(), named)}.json"
