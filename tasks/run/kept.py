"""What a data folder keeps: its data sets, and what none of them needs, shards and downloads.

A data set needs the shards that it was written from, all that these were made of, by the keys beside them, and how they
were divided and joined. Translations (`store`) and models are kept.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import manifest
from bitext_pivot.corpus.facts import read_stats
from bitext_pivot.tasks.run.targets import NAME, recorded

_SHARDS = re.compile(r"[a-z][a-z-]*-[0-9a-f]{8}\b")
"""Name of a folder of shards."""
_EXPORT = "export-"


class DataSet(NamedTuple):
    """A complete data set."""

    folder: Path
    title: str
    rows: int
    bytes: int
    written: date
    shards: frozenset[str]
    """The folders of the shards that it was written from."""
    corpora: frozenset[str]
    """`name/release` of what it was built from."""


def data_sets(builds: Path) -> list[DataSet]:
    """Return the complete data sets below a folder of builds, in the order of their folders."""
    if not isinstance(builds, Path):
        raise SettingsError(
            f"{builds} is an object store. List and delete its folders with its tools."
        )
    return [*filter(None, map(_data_set, sorted(builds.glob(f"*/{_EXPORT}*"))))]


def _data_set(folder: Path) -> DataSet | None:
    files = manifest.files(folder)
    try:
        stats = read_stats(folder)
    except ShardError:
        return None
    if files is None:
        return None
    return DataSet(
        folder=folder,
        title=stats.title,
        rows=stats.kept,
        bytes=sum(entry.bytes for entry in files.values()),
        written=date.fromtimestamp((folder / manifest.NAME).stat().st_mtime),
        shards=frozenset(name.partition("/")[0] for name in stats.shards),
        corpora=frozenset(stats.corpora),
    )


def unneeded(kept: Sequence[DataSet], site: Site) -> list[Path]:
    """Return the folders of shards and of downloaded releases that no data set needs."""
    folders = [path for path in site.build_folder("").glob("*/*-*") if _is_shards(path)]
    inputs = {path.name: _inputs(path) for path in folders}
    last = frozenset[str]().union(*(data_set.shards for data_set in kept))
    needed = _closed(last, inputs)
    corpora = frozenset[str]().union(*(data_set.corpora for data_set in kept))
    downloads = [
        path
        for path in site.opus_folder.glob("*/*")
        if path.is_dir() and "/".join(path.parts[-2:]) not in corpora
    ]
    # what was divided or joined names the last shards
    shards = [path for path in folders if path.name not in needed and not inputs[path.name] & last]
    return sorted([*shards, *downloads])


def _is_shards(path: Path) -> bool:
    return bool(_SHARDS.fullmatch(path.name)) and (path / NAME).is_file()


def _inputs(folder: Path) -> frozenset[str]:
    """Return the folders of shards that the key of a folder names."""
    return frozenset(_SHARDS.findall(str(recorded(folder))))


def _closed(names: Iterable[str], inputs: dict[str, frozenset[str]]) -> set[str]:
    """Return folders of shards, and all those that they were made of."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(inputs.get(name, ()))
    return found


def delete(folders: Iterable[Path]) -> None:
    """Delete folders; those of a build that runs meanwhile are built again."""
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
