"""Stages and their targets: the paths of the shards that a stage writes.

The folder name of a shard contains a key, the digest of everything that decides the content of the shard.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from bitext_pivot.core.progress import inform
from bitext_pivot.core.settings import key
from bitext_pivot.corpus.differences import find_differences

INPUT = "input"
"""Name of the entry in `Target.parts` that contains the name of the folder from which the stage reads."""
FIRST_SHARD = "-00000.parquet"
"""End of the file name of a source's first shard."""
KEY = "key"
"""Name of the entry in a shard's manifest that contains `Target.parts`."""
_PARTS = TypeAdapter(dict[str, Any])


StageFacts = dict[str, Any]
"""Entries that a stage adds to the manifest of its shard, such as `counts`."""
Run = Callable[[Iterable[Any], str, StageFacts], tuple[Iterable[Any], Counter[str]]]
"""A function that processes a shard. Its arguments are the records, the name of the shard for the progress bar, and a
dictionary of facts for the manifest, which it may extend. It returns the new records, and the number of skips by
reason."""


class Target(NamedTuple):
    """The path of a shard, and `parts`: the settings, versions and inputs that decide its content."""

    path: Path
    parts: Mapping[str, Any]

    def facts(self) -> dict[str, Any]:
        """Return the entry for the shard's manifest that contains `parts`."""
        return {KEY: _plain(self.parts)}

    def log_change(self) -> None:
        """Log which setting or version has changed, so that the folder is built again.

        Call this after writing the shard. `parts` is compared with the parts in other folders of the stage that contain
        a shard of this name; the folder with the fewest differences is used. There is one line per folder, for the
        oldest shard.
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
    """A stage of a build, with the settings and versions that decide its output for a given input."""

    name: str
    """Name of the stage on a run's page and in a plan."""
    writes: str
    """Prefix of the names of the folders that the stage writes."""
    parts: Mapping[str, Any]
    """The settings and versions that decide the output of the stage for a given input, by name."""
    reads: Any = None
    """The class of the input records, if the stage turns each shard into another."""
    makes: Any = None
    """The class of the output records, if the stage turns each shard into another."""
    run: Run | None = None
    """The function that processes a shard, if the stage turns each shard into another."""
    without: Sequence[str] = ()
    """Fields of the input records that are not read."""

    def target(self, shard: Path, builds: Path | None = None, **inputs: Any) -> Target:
        """Return the target that this stage writes when it reads `shard`.

        The new folder is in `builds`, by default next to the folder of `shard`. The key in its name depends on the name
        of the folder of `shard`, and on `inputs`, everything else that the stage reads.
        """
        read = {INPUT: shard.parent.name, **inputs}
        return self.in_folder(builds or shard.parent.parent, shard.name, read)

    def in_folder(self, builds: Path, name: str, inputs: Mapping[str, Any]) -> Target:
        """Return the target `<writes>-<8 hex>/<name>` in the folder `builds`.

        The digits are a digest of `inputs`, which identify the input, and of the settings and versions of the stage.
        """
        parts = {**inputs, **self.parts}
        return Target(builds / f"{self.writes}-{key(*parts.values())}" / name, parts)

    def facts(self) -> dict[str, Any]:
        """Return the entry of this stage in the signature of a build.

        It contains a digest of all settings and versions of the stage, and those that are strings.
        """
        texts = {name: part for name, part in self.parts.items() if isinstance(part, str)}
        return {"key": key(*self.parts.values()), **texts}


def read_key(shard: Path) -> dict[str, Any]:
    """Return `Target.parts` of a shard, from the manifest of the shard.

    The dictionary is empty if the shard is missing or damaged.
    """
    # This imports pyarrow, which is slow, and `--help` does not need it.
    from bitext_pivot.core.storage import shards

    parts = (shards.find(shard) or {}).get(KEY)
    return parts if isinstance(parts, dict) else {}


def input_folders(parts: Mapping[str, Any]) -> set[str]:
    """Return the names of input folders in `Target.parts`, and possibly other strings."""
    folders: set[str] = set()
    for part in parts.values():
        names = part if isinstance(part, list) else [part]
        folders |= {name.partition("/")[0] for name in names if isinstance(name, str)}
    return folders


def _plain(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return `Target.parts` as values that JSON can represent."""
    return dict(_PARTS.dump_python({**parts}, mode="json", fallback=str))
