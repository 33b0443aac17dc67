"""Targets: where a stage writes a shard, by which key, and what of the key differs from that of shards there.

The parts of a key are written beside the shards, in `key.json`. This file enters no key.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import BaseModel

from bitext_pivot.core.differences import ABSENT, differing
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic

NAME = "key.json"
INPUT = "input"
"""Part of a key: the folder of the shard that a stage reads."""
_FOLDER = re.compile(r"(?P<stage>[a-z-]+)-[0-9a-f]{8}")
_SHOWN = 5
"""Changes of one key that are listed."""
_LONGEST = 60
"""Characters of a value that are shown."""


Facts = dict[str, Any]
"""What a stage adds to the manifest of its shard, such as `counts`."""
Run = Callable[[Iterable[Any], str, Facts], tuple[Iterable[Any], Counter[str]]]
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

    def record(self) -> None:
        """Write the parts of the key beside the shards, unless they are there."""
        path = self.path.with_name(NAME)
        if atomic.find_sealed(path) is None:
            atomic.write_sealed(path, {"parts": _plain(self.parts)})


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


class Change(NamedTuple):
    """Why the shards of a stage are built, though others of this stage are there."""

    against: str
    """Folder of the shards to which the key was compared: those there with the most similar key."""
    changes: list[str]
    """The parts of the key that differ, such as `filters.advanced.names.max_changed: 1 -> 0`."""

    def __str__(self) -> str:
        lines = self.changes[:_SHOWN]
        more = len(self.changes) - _SHOWN
        if more > 0:
            lines.append(f"and {more} more")
        return "\n".join(lines)


def recorded(folder: Path) -> dict[str, Any] | None:
    """Return the parts of the key of a folder; None if they are not there: an earlier version wrote none."""
    content = atomic.find_sealed(folder / NAME) or {}
    parts = content.get("parts")
    if isinstance(parts, dict):
        return parts
    return None  # anybody can write a record


def change(target: Target, stem: str) -> Change | None:
    """Return what of a key is another one than that of shards there; None if none of the stage are there.

    `stem` begins the names of the shards of the target's source.
    """
    folder = target.path.parent
    stage = folder.name.rpartition("-")[0]
    new = _plain(target.parts)
    known: list[Change] = []
    unknown: list[Change] = []
    for other in sorted(folder.parent.glob(f"{stage}-????????")):
        if other.name == folder.name or not any(other.glob(f"{stem}*.parquet")):
            continue
        old = recorded(other)
        if old is None:
            unknown.append(Change(other.name, ["unknown: an earlier version built these shards"]))
        else:
            known.append(Change(other.name, list(differences(old, new, folder.parent))))
    return min(known or unknown, key=lambda one: len(one.changes), default=None)


def differences(
    old: Mapping[str, Any], new: Mapping[str, Any], builds: Path, name: str = ""
) -> Iterator[str]:
    """Yield what differs between the parts of two keys, by their names: `engine: beam=4 -> beam=5`.

    Of a value that is the name of a folder in `builds` the parts of the folder's key are compared, except for
    the input of a stage, which has reasons of its own.
    """
    for path, (before, after) in differing(old, new):
        yield from _described(".".join([name, *path]).removeprefix("."), before, after, builds)


def _described(name: str, old: Any, new: Any, builds: Path) -> Iterator[str]:
    stage = _common_stage(old, new)
    if old is ABSENT:
        yield f"{name}: not there before"
    elif new is ABSENT:
        yield f"{name}: there before"
    elif _are_shards(old) and _are_shards(new):
        yield f"{name}: other shards"
    elif stage and name == INPUT:
        yield f"input: other shards of {stage}"
    elif stage and (keys := _keys(builds, old, new)):
        yield from differences(*keys, builds, name)
    else:
        yield f"{name}: {_changed(old, new)}"


def _keys(builds: Path, old: str, new: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the parts of the keys of two folders; None if those of one are not there."""
    before, after = recorded(builds / old), recorded(builds / new)
    if before is None or after is None:
        return None
    return before, after


def _are_shards(value: Any) -> bool:
    """Return True for a list of names of shards, with their folders."""
    return isinstance(value, list) and all(str(name).endswith(".parquet") for name in value)


def _common_stage(old: Any, new: Any) -> str:
    """Return the stage of two names of folders, "" if they are none of one stage."""
    folders = [_FOLDER.fullmatch(value) for value in (old, new) if isinstance(value, str)]
    stages = {folder["stage"] for folder in folders if folder}
    if len(stages) != 1 or len(folders) != 2 or None in folders:
        return ""
    return stages.pop()


def _changed(old: Any, new: Any) -> str:
    """Return `old -> new`; of two texts of several words, such as signatures, the words that only one has."""
    if isinstance(old, str) and isinstance(new, str):
        before, after = old.split(), new.split()
        gone = [word for word in before if word not in after]
        come = [word for word in after if word not in before]
        if len(gone) < len(before) and (gone or come):
            return f"{_shortened(' '.join(gone) or 'nothing')} -> {_shortened(' '.join(come) or 'nothing')}"
    return f"{_shortened(_text(old))} -> {_shortened(_text(new))}"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 3]}..."


def _plain(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts as JSON has them, as they enter the key."""
    values = dict(parts)
    for name, part in parts.items():
        if isinstance(part, BaseModel):
            values[name] = part.model_dump(mode="json")
    return dict(json.loads(json.dumps(values, default=str)))
