"""Records of finished builds, so that a build with nothing to do returns its data set at once.

A record is valid until something changes: the signature of the build, which contains the keys of all stages, the local
sources, this program, or the data set. Without a valid record, the build checks each shard.
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
    """The record of a finished build. It is validated, because anybody can write one."""

    folder: str = Field(pattern=r"^\w[\w.+-]*$")
    manifest: str
    """SHA-256 of the manifest of the data set."""
    sources: dict[str, str]


def folder_name(title: str) -> str:
    """Return the folder of data sets that a title names: `fr-en: Europarl/v8` -> `fr-en`."""
    return title.partition(":")[0]


def remember(folder: Path, signature: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
    """Record the data set that a build with this signature made from these sources."""
    value = {
        "folder": folder.name,
        "manifest": atomic.sha256(folder / manifest.NAME),
        "sources": {name: key(identity) for name, identity in sources.items()},
    }
    atomic.write_sealed(_record_path(folder.parent, signature), value)


def has_any(builds: Path) -> bool:
    """Return True if a folder of builds has a record. If not, the signature need not be computed."""
    return next(iter(builds.glob("finished-*.json")), None) is not None


def point_latest(folder: Path) -> None:
    """Point `latest` to a model, or to a data set that has at least one kept row.

    Raises as `folders.point_latest` does.
    """
    if not (folder / STATS).exists() or read_stats(folder).kept:
        folders.point_latest(folder)


def find(builds: Path, signature: Mapping[str, Any], sources: Mapping[str, Any]) -> Path | None:
    """Return the complete data set that was built with this signature, or None.

    `sources` are the identities of the local sources. If one has changed since the build, the data set is out of date.
    """
    try:
        record = _Finished.model_validate(atomic.find_sealed(_record_path(builds, signature)))
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


def _record_path(builds: Path, signature: Mapping[str, Any]) -> Path:
    """Return the path of the record. Its key leaves out the parts of the signature that depend on the sources."""
    named = {name: part for name, part in signature.items() if name not in ("sources", "warnings")}
    return builds / f"finished-{key(program_digest(), named)}.json"
