"""Divide: the set of every record, and which ones the division rejects."""

import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache, reduce
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from prefect import get_run_logger, task, unmapped
from prefect.client.schemas.objects import State

from corpus.divide import Division, HeldOutText, Item, Place
from corpus.divider import RULES, Divider, Sets, documents
from corpus.draw import Draw, digests
from corpus.export import Placed
from corpus.json_lines import json_line
from corpus.recipe import AnyRecord, Recipe
from corpus.statistics import added
from pairs.settings import key
from pairs.storage import arrow, atomic, shards
from tasks.stages import STAGE, build_once, once, shard_path, wait_all

_AT_ONCE = 1_000  # records in memory
_loading = threading.Lock()  # so that two threads do not read the same texts


class Divided(NamedTuple):
    """The shards of a recipe's last stage, each with the shard of its places in the sets."""

    records: Sequence[Path]
    places: Sequence[Path]

    @property
    def names(self) -> list[str]:
        """Names of all shards with their folders, which change with everything that made them."""
        return [f"{path.parent.name}/{path.name}" for path in (*self.records, *self.places)]

    def read(self, recipe: Recipe[Any], columns: Any = None) -> Iterator[Placed]:
        """Yield all records, some at once, as the recipe reads them, with their places; `columns` is for `read`."""
        for path, place in zip(self.records, self.places, strict=True):
            division_reasons = shards.part(place, Place, "rejected_by")
            record_reasons = shards.part(path, recipe.record, "rejected_by")
            reasons = [a or b for a, b in zip(division_reasons, record_reasons, strict=True)]
            subsets = [*shards.part(place, Place, "subset")]
            end = 0
            for records in _records(recipe, path, columns):
                start, end = end, end + len(records)
                yield Placed(records, reasons[start:end], subsets[start:end])

    def draw(self, recipe: Recipe[Any], limit: int, *, label: str = "", each: int = 0) -> dict[str, Draw]:
        """Draw records by their ids: `limit` of `rejected` and of `kept`, `each` of each value of the field `label`."""
        draws: dict[str, Draw] = defaultdict(lambda: Draw(each), {"kept": Draw(limit), "rejected": Draw(limit)})
        start = 0
        for path, place in zip(self.records, self.places, strict=True):
            ids, record_reasons = (
                list(shards.part(path, recipe.record, name)) for name in (recipe.view.id, "rejected_by")
            )
            division_reasons = shards.part(place, Place, "rejected_by")
            numbers, positions = digests(ids), np.arange(start, start + len(ids))
            reasons = zip(record_reasons, division_reasons, strict=True)
            is_kept = np.array([a is None and b is None for a, b in reasons], bool)
            groups = [("kept", is_kept), ("rejected", ~is_kept)]
            if label:
                labels = np.array(list(shards.part(path, recipe.record, label)), dtype=object)
                groups += [(name, is_kept & (labels == name)) for name in {*labels}]
            for name, is_in in groups:
                draws[name].add(numbers[is_in], positions[is_in])
            start += len(ids)
        return draws

    def pick(
        self, record: type[AnyRecord], positions: Collection[int], without: Collection[str]
    ) -> dict[int, AnyRecord]:
        """Return the records at some positions, counted from 0 over all shards; `without` as for `shards.read`."""
        picked: dict[int, AnyRecord] = {}
        start = 0
        for path in self.records:
            end = start + atomic.read_manifest(path)["rows"]
            shard_positions = sorted(position for position in positions if start <= position < end)
            rows = [position - start for position in shard_positions]
            records = shards.pick(path, record, rows, without) if rows else ()
            picked |= dict(zip(shard_positions, records, strict=True))
            start = end
        return picked

    def counts(self) -> dict[str, Any]:
        """Return the counts of all shards by the recipe's `count`, added up."""
        counts: dict[str, Any] = reduce(added, (atomic.read_manifest(path)["counts"] for path in self.places))
        return counts

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
    out = folder / "texts.parquet"
    once(lambda: shards.find(out), lambda: _hold_out(out, recipe, records, division), out)
    return out


def _hold_out(out: Path, recipe: Recipe[Any], records: Sequence[Path], division: Division) -> None:
    without_texts = (_read_items(recipe, path, recipe.text_fields) for path in records)
    with_documents, names = documents(chain.from_iterable(without_texts))
    sets = Sets(division, with_documents)
    if unmatched := sorted(sets.documents.keys() - names):
        sample = ", ".join(unmatched[:3])
        get_run_logger().warning("The division names %d documents without pairs: %s ...", len(unmatched), sample)
    items = chain.from_iterable(_items(recipe, path) for path in records)
    shards.write(out, HeldOutText, sets.held_out(items), {"with_documents": with_documents})


@task(task_run_name="divide {shard.stem}", **STAGE)
def divide(shard: Path, recipe: Recipe[Any], division: Division, held_out: Path) -> State[Path]:
    """Write the place of each record of a shard: its set, and whether one of its texts is in another one."""
    out = shard_path(shard, "divided", held_out.parent.name)
    facts: dict[str, Any] = {}

    def build() -> tuple[list[Place], Counter[str]]:
        divider = _divider(division, held_out)
        places = [divider.place(item, rejected_by) for item, rejected_by in _items(recipe, shard)]
        facts["counts"] = _counts(shard, recipe, places)
        return places, Counter()

    return build_once(out, Place, build, source=shard, facts=facts)


def _counts(shard: Path, recipe: Recipe[Any], places: Iterable[Place]) -> dict[str, Any]:
    """Return the counts of a shard by the recipe's `count`."""
    division_reasons = (place.rejected_by for place in places)
    counts = recipe.count(arrow.batch(recipe.record, []), [])
    for batch in shards.batches(shard, recipe.record, ("rejected_by", *recipe.count_fields)):
        reasons = zip(arrow.plain(arrow.leaf(batch, "rejected_by")), division_reasons, strict=False)
        counts = added(counts, recipe.count(batch, [a is None and b is None for a, b in reasons]))
    return counts


def _records(recipe: Recipe[Any], path: Path, columns: Any) -> Iterator[Any]:
    """Yield the records of a shard as the recipe reads them, some at once."""
    if recipe.read is not None:
        for batch in shards.batches(path, recipe.record, recipe.row_fields):
            yield recipe.read(batch, columns)
        return
    records = shards.read(path, recipe.record)
    while batch := list(islice(records, _AT_ONCE)):
        yield batch


def _divider(division: Division, held_out: Path) -> Divider:
    with _loading:
        return _loaded(division.model_dump_json(), held_out)


@lru_cache(maxsize=1)
def _loaded(division: str, held_out: Path) -> Divider:
    """Return the division of a build, loaded once per process."""
    settings = Division.model_validate_json(division)
    sets = Sets(settings, atomic.read_manifest(held_out)["with_documents"])
    return Divider(settings, sets, shards.read(held_out, HeldOutText))


def _items(recipe: Recipe[Any], path: Path) -> Iterator[tuple[Item, str | None]]:
    """Yield what the division needs of each record of a shard, and what rejected it, without reading the rest."""
    yield from zip(_read_items(recipe, path), shards.part(path, recipe.record, "rejected_by"), strict=True)


def _read_items(recipe: Recipe[Any], path: Path, without: Collection[str] = ()) -> Iterator[Item]:
    """Yield the items of a shard; the fields `without` are not read."""
    if not recipe.item_fields:
        yield from map(recipe.item, shards.read(path, recipe.record))
        return

    def column(batch: Any, name: str) -> Iterable[Any]:
        if name in without:
            return repeat("", len(batch))
        return (arrow.texts if name in recipe.text_fields else arrow.plain)(arrow.leaf(batch, name))

    for batch in shards.batches(path, recipe.record, [name for name in recipe.item_fields if name not in without]):
        columns = (column(batch, name) for name in recipe.item_fields)
        yield from map(recipe.item, zip(*columns, strict=True))
