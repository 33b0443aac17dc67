"""Targets: where a stage writes a shard, by which key. The parts of a key are written beside the shards, in `key.json`.

This file enters no key.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import BaseModel

from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus.differences import find_differences

NAME = "key.json"
INPUT = "input"
"""Part of a key: the folder of the shard that a stage reads."""


StageFacts = dict[str, Any]
"""What a stage adds to the manifest of its shard, such as `counts`."""
Run = Callable[[Iterable[Any], str, StageFacts], tuple[Iterable[Any], Counter[str]]]
"""Takes the records of a shard, the shard's name for progress, and a dictionary for facts; returns records, and the
number of skips by reason."""


class Target(NamedTuple):
    """The path that a stage writes, and the parts of the key in the name of its folder."""

    path: Path
    parts: Mapping[str, Any]

    @classmethod
    def in_folder(cls, builds: Path, stage: str, name: str, parts: Mapping[str, Any]) -> Self:
        """Return the target `<stage>-<8 hex>/<name>`; the digits change with the value of every part."""
        return cls(builds / f"{stage}-{key(*parts.values())}" / name, parts)

    def record(self) -> bool:
        """Write the parts of the key beside the shards, and return True unless they are there."""
        path = self.path.with_name(NAME)
        if atomic.find_sealed(path) is not None:
            return False
        atomic.write_sealed(path, {"parts": _plain(self.parts)})
        return True

    def other(self) -> str:
        """Return a part of the key that is another one for a file of this name that is there; "" without such a file.

        The key of the folder that differs least is compared.
        """
        folder = self.path.parent
        stage = folder.name.rpartition("-")[0]
        changes: list[list[str]] = []
        for other in sorted(folder.parent.glob(f"{stage}-????????")):
            parts = recorded(other)
            if parts and other.name != folder.name and (other / self.path.name).exists():
                found = find_differences(parts, _plain(self.parts))
                changes.append([".".join(path) for path, _ in found])
        names = min(changes, key=len, default=[""])
        return next((name for name in names if name != INPUT), INPUT)


class Stage(NamedTuple):
    """A stage of a recipe, with its key: all that decides what its shards have, besides what it reads."""

    name: str
    """Its row on a run's page and in a plan."""
    writes: str
    """The beginning of the names of its folders."""
    parts: Mapping[str, Any]
    """The parts of its key but its input."""
    reads: Any = None
    """The record of the shards it reads, if it makes a shard of each."""
    makes: Any = None
    """The record of the shards it makes."""
    run: Run | None = None
    """What makes the records of a shard."""
    without: Sequence[str] = ()
    """Fields of what it reads that it does not need."""

    def target(self, shard: Path, builds: Path | None = None, **inputs: Any) -> Target:
        """Return the target for a shard in the folder `builds`, else in that of the shard.

        The name of the shard's folder is part of the key, and so is what else is read, `inputs`.
        """
        read = {INPUT: shard.parent.name, **inputs}
        return self.in_folder(builds or shard.parent.parent, shard.name, read)

    def in_folder(self, builds: Path, name: str, inputs: Mapping[str, Any]) -> Target:
        """Return the target of a file of this name; `inputs`: the parts of the key that say what is read."""
        return Target.in_folder(builds, self.writes, name, {**inputs, **self.parts})

    def facts(self) -> dict[str, Any]:
        """Return the digits of its key without its input, and its versions and signatures."""
        texts = {name: part for name, part in self.parts.items() if isinstance(part, str)}
        return {"key": key(*self.parts.values()), **texts}


def recorded(folder: Path) -> dict[str, Any]:
    """Return the parts of the key of a folder; none if an earlier version wrote none."""
    content = atomic.find_sealed(folder / NAME) or {}
    parts = content.get("parts")
    return parts if isinstance(parts, dict) else {}  # anybody can write a record


def _plain(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts as JSON has them, as they enter the key."""
    values = dict(parts)
    for name, part in parts.items():
        if isinstance(part, BaseModel):
            values[name] = part.model_dump(mode="json")
    return dict(json.loads(json.dumps(values, default=str)))
