"""Divide: the set of every record, and which ones the division rejects."""

import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from prefect import get_run_logger, task, unmapped
from prefect.client.schemas.objects import State

from corpus.divide import Division, HeldOutText, Item, Place
from corpus.divider import RULES, Divider, Sets, documents
from corpus.export import divided
from corpus.formats import json_line
from corpus.recipe import AnyRecord, Recipe
from pairs.settings import key
from pairs.storage import atomic, shards
from pairs.storage.locks import locked
from tasks.stages import STAGE, build_once, shard_path, wait_all

_loading = threading.Lock()  # so that two threads do not read the same texts


class Divided(NamedTuple):
    """The shards of a recipe's last stage, each with the shard of its places in the sets."""

    records: Sequence[Path]
    places: Sequence[Path]

    @property
    def names(self) -> list[str]:
        """Names of all shards with their folders, which change with everything that made them."""
        return [f"{path.parent.name}/{path.name}" for path in (*self.records, *self.places)]

    def read(self, record: type[AnyRecord], without: Collection[str] = ()) -> Iterator[tuple[AnyRecord, str]]:
        """Yield each record with its set; `without` as for `shards.read`."""
        for one, place in zip(self.records, self.places, strict=True):
            yield from divided(shards.read(one, record, without), shards.read(place, Place))

    def contamination(self) -> str:
        """Return the lines of foreign test sets that records repeat, as JSON lines."""
        matches = chain.from_iterable(shards.part(path, Place, "match") for path in self.places)
        return "".join(f"{json_line(asdict(match))}\n" for match in matches if match)


def divide_all(recipe: Recipe[Any], records: Sequence[Path], division: Division) -> Divided:
    """Return all shards of a recipe's last stage, of which there are some, with their places; call it in a flow."""
    held_out = hold_out(recipe, records, division)
    places = divide.map(records, unmapped(recipe), unmapped(division), unmapped(held_out))
    return Divided(records, wait_all(divide=places))


@task(task_run_name="hold out", **STAGE)
def hold_out(recipe: Recipe[Any], records: Sequence[Path], division: Division) -> Path:
    """Write the texts of validation and test of all shards to one shard; its manifest names corpora with documents."""
    names = [f"{path.parent.name}/{path.name}" for path in records]
    folder = records[0].parent.parent / f"held-out-{key(names, division, division.files(), RULES)}"
    with locked(folder, get_run_logger()):
        if shards.find(folder / "texts.parquet") is None:
            _hold_out(folder / "texts.parquet", recipe, records, division)
    return folder / "texts.parquet"


def _hold_out(out: Path, recipe: Recipe[Any], records: Sequence[Path], division: Division) -> None:
    def items() -> Iterator[tuple[Item, str | None]]:
        return chain.from_iterable(_items(recipe, path) for path in records)

    with_documents, names = documents(item for item, _ in items())
    sets = Sets(division, with_documents)
    if unmatched := sorted(sets.documents.keys() - names):
        some = ", ".join(unmatched[:3])
        get_run_logger().warning("The division names %d documents without pairs: %s ...", len(unmatched), some)
    shards.write(out, HeldOutText, sets.held_out(items()), {"with_documents": with_documents})


@task(task_run_name="divide {shard.stem}", **STAGE)
def divide(shard: Path, recipe: Recipe[Any], division: Division, held_out: Path) -> State[Path]:
    """Write the place of each record of a shard: its set, and whether one of its texts is in another one."""
    out = shard_path(shard, "divided", held_out.parent.name)
    return build_once(out, Place, lambda: _places(shard, recipe, _divider(division, held_out)), source=shard)


def _places(shard: Path, recipe: Recipe[Any], divider: Divider) -> tuple[list[Place], Counter[str]]:
    return [divider.place(item, rejected_by) for item, rejected_by in _items(recipe, shard)], Counter()


def _divider(division: Division, held_out: Path) -> Divider:
    with _loading:
        return _loaded(division.model_dump_json(), held_out)


@lru_cache(maxsize=1)
def _loaded(division: str, held_out: Path) -> Divider:
    """Return the division of a build, loaded once a process."""
    settings = Division.model_validate_json(division)
    sets = Sets(settings, atomic.read_manifest(held_out)["with_documents"])
    return Divider(settings, sets, shards.read(held_out, HeldOutText))


def _items(recipe: Recipe[Any], path: Path) -> Iterator[tuple[Item, str | None]]:
    """Yield what the division needs of each record of a shard, and what rejected it, without reading the rest."""
    read = partial(shards.leaves, names=recipe.item_fields) if recipe.item_fields else shards.read
    rejected = shards.part(path, recipe.record, "rejected_by")
    yield from zip(map(recipe.item, read(path, recipe.record)), rejected, strict=True)
