"""Stages and their targets: the path of the shard that a stage writes, with the key in the name of its folder."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from bitext_pivot.core.progress import inform
from bitext_pivot.core.settings import key
from bitext_pivot.corpus.differences import find_differences

INPUT = "input"
"""Part of a key: the name of the folder that the stage reads its shard from."""
FIRST_SHARD = "-00000.parquet"
"""End of the name of the first shard of a source."""
KEY = "key"
"""Entry of a shard's manifest: the parts of its key."""
_PARTS = TypeAdapter(dict[str, Any])


StageFacts = dict[str, Any]
"""Entries that a stage adds to the manifest of its shard, such as `counts`."""
Run = Callable[[Iterable[Any], str, StageFacts], tuple[Iterable[Any], Counter[str]]]
"""A function that processes a shard. Its arguments are the records, the name of the shard for the progress bar, and a
dictionary that it may add facts to. It returns the new records, and the number of skips by reason."""


class Target(NamedTuple):
    """The path of a shard, and the parts of the key in the name of its folder."""

    path: Path
    parts: Mapping[str, Any]

    def facts(self) -> dict[str, Any]:
        """Return the parts of the key, as an entry for the manifest of the shard."""
        return {KEY: _plain(self.parts)}

    def log_change(self) -> None:
        """Log why the folder is built again: the part of the key that has changed. Call it after writing the shard.

        The key is compared with the keys of the stage's other folders that contain a shard of this name; the folder
        with the fewest differences is used. Only the oldest shard of a folder is logged, so there is one line per
        folder.
        """
        folder, parts = self.path.parent, _plain(self.parts)
        oldest = min(folder.glob("*.parquet"), key=lambda shard: shard.stat().st_mtime_ns)
        if oldest != self.path:
            return
        stage = folder.name.rpartition("-")[0]
        others = {*folder.parent.glob(f"{stage}-????????")} - {folder}
        keys = filter(None, [read_key(other / self.path.name) for other in sorted(others)])
        changes = [[".".join(path) for path, _ in find_differences(key, parts)] for key in keys]
        if changes:
            names = [name for name in min(changes, key=len) if name != INPUT]
            inform(f"{folder.name}: built again after a change of {[*names, INPUT][0]}")


class Stage(NamedTuple):
    """A stage of a recipe, with its key: everything that decides its shards, except its input."""

    name: str
    """Name of the stage on a run's page and in a plan."""
    writes: str
    """Prefix of the names of its folders."""
    parts: Mapping[str, Any]
    """The parts of its key, except its input."""
    reads: Any = None
    """The record type of its input, if the stage turns each shard into another."""
    makes: Any = None
    """The record type of its output."""
    run: Run | None = None
    """The function that processes a shard."""
    without: Sequence[str] = ()
    """Fields of the input records that are not read."""

    def target(self, shard: Path, builds: Path | None = None, **inputs: Any) -> Target:
        """Return the target for a shard that this stage reads.

        The new folder is created in `builds`, by default in the parent of the shard's folder. The key contains the name
        of the shard's folder and `inputs`, everything else that the stage reads.
        """
        read = {INPUT: shard.parent.name, **inputs}
        return self.in_folder(builds or shard.parent.parent, shard.name, read)

    def in_folder(self, builds: Path, name: str, inputs: Mapping[str, Any]) -> Target:
        """Return the target `<writes>-<8 hex>/<name>`. The digits change with the value of every part of the key.

        `inputs` are the parts that identify the input.
        """
        parts = {**inputs, **self.parts}
        return Target(builds / f"{self.writes}-{key(*parts.values())}" / name, parts)

    def facts(self) -> dict[str, Any]:
        """Return the key without the input, and the versions and signatures in it, for the signature of a build."""
        texts = {name: part for name, part in self.parts.items() if isinstance(part, str)}
        return {"key": key(*self.parts.values()), **texts}


def read_key(shard: Path) -> dict[str, Any]:
    """Return the parts of the key of a shard; an empty dictionary if the shard is missing or damaged."""
    from bitext_pivot.core.storage import (
        shards,  # slow: it imports pyarrow, which `--help` does not need
    )

    parts = (shards.find(shard) or {}).get(KEY)
    return parts if isinstance(parts, dict) else {}


def input_folders(parts: Mapping[str, Any]) -> set[str]:
    """Return the names of the input folders in a key, and possibly other strings that occur in its parts."""
    folders: set[str] = set()
    for part in parts.values():
        names = part if isinstance(part, list) else [part]
        folders |= {name.partition("/")[0] for name in names if isinstance(name, str)}
    return folders


def _plain(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a key as values of JSON."""
    return dict(_PARTS.dump_python({**parts}, mode="json", fallback=str))
