"""Records of finished builds, so that repeating a finished build returns its data set at once.

A record is valid until the signature of the build (all settings and versions that can change rows), the local sources,
this program or the data set changes. Without a valid record, the build checks each shard.
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
    """The content of a record. It is validated, because other programs may have written or changed the file."""

    folder: str = Field(pattern=r"^\w[\w.+-]*$")
    """Name of the data set's folder."""
    manifest: str
    """SHA-256 of the manifest of the data set."""
    sources: dict[str, str]
    """Digest of the facts that identify each local source, by the name of the source."""


def folder_name(title: str) -> str:
    """Return the folder name that begins a title: `fr-en: Europarl/v8` -> `fr-en`."""
    return title.partition(":")[0]


def record_build(folder: Path, signature: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
    """Record that the data set in `folder` was built with this signature from these sources."""
    value = {
        "folder": folder.name,
        "manifest": atomic.sha256(folder / manifest.NAME),
        "sources": {name: key(identity) for name, identity in sources.items()},
    }
    atomic.write_sealed(_record_path(folder.parent, signature), value)


def has_records(builds: Path) -> bool:
    """Return True if the folder `builds` contains a record of a finished build.

    Otherwise the caller need not compute the signature of a build.
    """
    return next(iter(builds.glob("finished-*.json")), None) is not None


def point_latest(folder: Path) -> None:
    """Point `latest` to the folder of a model, or of a data set that has at least one row.

    Raises the same errors as `folders.point_latest`.
    """
    if not (folder / STATS).exists() or read_stats(folder).kept:
        folders.point_latest(folder)


def find_build(
    builds: Path, signature: Mapping[str, Any], sources: Mapping[str, Any]
) -> Path | None:
    """Return the folder of the complete data set that was built with this signature, or None.

    `sources` contains facts that identify the current content of each local source. If a source has changed, the data
    set is out of date.
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
    """Return the path of the record for a signature.

    Parts that depend on the sources do not change the path.
    """
    named = {name: part for name, part in signature.items() if name not in ("sources", "warnings")}
    return builds / f"finished-{key(program_digest(), named)}.json"
