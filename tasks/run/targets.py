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
"""Part of a key: the folder of the shard that a stage reads."""
KEY = "key"
"""Entry of a shard's manifest: the parts of its key."""
_PARTS = TypeAdapter(dict[str, Any])


StageFacts = dict[str, Any]
"""Entries that a stage adds to the manifest of its shard, such as `counts`."""
Run = Callable[[Iterable[Any], str, StageFacts], tuple[Iterable[Any], Counter[str]]]
"""Takes the records of a shard, the name of the shard for progress, and a dictionary to which it may add facts. Returns
records, and the number of skips by reason."""


class Target(NamedTuple):
    """The path of a shard, and the parts of the key in the name of its folder."""

    path: Path
    parts: Mapping[str, Any]

    def facts(self) -> dict[str, Any]:
        """Return what the manifest of the shard says about its key."""
        return {KEY: _plain(self.parts)}

    def log_change(self) -> None:
        """Log which part of the key has changed, once per folder, that is, if this is the oldest shard of its folder.

        The key is compared with those of other folders of the stage that have a shard of this name; the one with the
        fewest differences counts.
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
            inform(f"{folder.name}: built again: other {[*names, INPUT][0]}")


class Stage(NamedTuple):
    """A stage of a recipe, with its key: everything that decides its shards, except its input."""

    name: str
    """Its row on a run's page and in a plan."""
    writes: str
    """The beginning of the names of its folders."""
    parts: Mapping[str, Any]
    """The parts of its key, except its input."""
    reads: Any = None
    """The record type of its input, if it makes one shard of each shard."""
    makes: Any = None
    """The record type of its output."""
    run: Run | None = None
    """The function that makes the records of a shard."""
    without: Sequence[str] = ()
    """Fields of its input that it does not need."""

    def target(self, shard: Path, builds: Path | None = None, **inputs: Any) -> Target:
        """Return the target for a shard, in the folder `builds` or by default beside the folder of the shard.

        The key contains the name of the shard's folder, and `inputs`, everything else that the stage reads.
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
        """Return the digits of its key without the input, and its versions and signatures."""
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
    """Return the names of the folders of shards that a key names as input, among the other values of its parts."""
    folders: set[str] = set()
    for part in parts.values():
        names = part if isinstance(part, list) else [part]
        folders |= {name.partition("/")[0] for name in names if isinstance(name, str)}
    return folders


def _plain(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a key as values of JSON."""
    return dict(_PARTS.dump_python({**parts}, mode="json", fallback=str))
