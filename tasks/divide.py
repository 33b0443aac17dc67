"""Divide: assign every record to training, validation or test, or reject it."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.progress import warn
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.corpus.assignment import SubsetAssigner, SubsetRules, find_documents
from bitext_pivot.corpus.division import Assignment, Division, DivisionItem, HeldOutText
from bitext_pivot.corpus.formats import json_line
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.tasks.run import finished, stage_definitions
from bitext_pivot.tasks.run.current_run import StageResult, current_run
from bitext_pivot.tasks.run.futures import wait_all
from bitext_pivot.tasks.run.stages import build_once, run_once
from bitext_pivot.tasks.run.targets import Target

_loading = threading.Lock()  # keeps two threads from reading the same held-out texts


class DividedShards(NamedTuple):
    """The shards of records to export, each with a shard that assigns the records to subsets."""

    records: Sequence[Path]
    assignments: Sequence[Path]

    @property
    def names(self) -> list[str]:
        """Paths of all shards, `folder/name`.

        The folders change with every input and setting of a shard.
        """
        return shards.names([*self.records, *self.assignments])

    def rows(self) -> list[int]:
        """Return the number of records in each shard."""
        return [shards.read_manifest(path)["rows"] for path in self.assignments]

    def read(
        self, recipe: Recipe[Any], advance: Callable[[int], object]
    ) -> Iterator[tuple[Any, Assignment]]:
        """Yield all records with their assignments to subsets, in order.

        After each shard, `advance` is called with the number of its rows.
        """
        for path, assignments, rows in zip(
            self.records, self.assignments, self.rows(), strict=True
        ):
            yield from zip(
                recipe.records.read(path), shards.read(assignments, Assignment), strict=True
            )
            advance(rows)

    def contamination(self) -> str:
        """Return the records that repeat a line of a contamination test set, as JSON lines."""
        matches = chain.from_iterable(
            shards.part(path, Assignment, "match") for path in self.assignments
        )
        return "".join(f"{json_line(asdict(match))}\n" for match in matches if match)


class DividedForm(Protocol):
    """The part of a recipe's settings that `divide_all` needs."""

    @property
    def title(self) -> str:
        """Title of the data set, which begins with the name of its folder."""

    @property
    def division(self) -> Division:
        """Rules that assign documents to train, validation or test."""


def divide_all(
    recipe: Recipe[Any], records: Sequence[Path], settings: DividedForm, site: Site
) -> DividedShards:
    """Assign the records of all shards to train, validation or test.

    Call this in the flow of a recipe. The assignments are written to the folder of the new data set, because the shards
    may belong to another build.

    Raises SourceError if there are no shards.
    """
    if not records:
        raise SourceError(
            f"{settings.title}: the sources contain nothing to build from. Check the corpora and the languages."
        )
    division = settings.division
    builds = site.build_folder(finished.folder_name(settings.title))
    run = current_run()
    held_out = run.run_task("hold out", hold_out, recipe, records, division, builds)
    assignments = [
        run.submit_task(f"divide {shard.stem}", divide, shard, recipe, division, held_out)
        for shard in records
    ]
    return DividedShards(records, wait_all("divide", assignments))


def hold_out(
    recipe: Recipe[Any], records: Sequence[Path], division: Division, builds: Path
) -> Path:
    """Write the texts of validation and test to a shard below `builds`, and return its path.

    The shard's manifest has the first position in each document of a small corpus (see `find_documents`).
    """
    stage = stage_definitions.hold_out(division, recipe.records.positions)
    target = stage.in_folder(builds, "texts.parquet", {"records": shards.names(records)})
    out = target.path
    run_once(lambda: shards.find(out), lambda: _hold_out(target, recipe, records, division), out)
    return out


def _hold_out(
    target: Target, recipe: Recipe[Any], records: Sequence[Path], division: Division
) -> None:
    def items() -> Iterator[tuple[DivisionItem, str | None]]:
        return chain.from_iterable(_items(recipe, path) for path in records)

    starts, names = find_documents(item for item, _ in items())
    sets = SubsetRules(division, starts)
    if unmatched := sorted(sets.documents.keys() - names):
        sample = ", ".join(unmatched[:3])
        warn(f"The division names {len(unmatched)} documents without pairs: {sample} ...")
    facts = {"starts": starts, **target.facts()}
    shards.write(target.path, HeldOutText, sets.held_out(items()), facts)


def divide(
    shard: Path, recipe: Recipe[Any], division: Division, held_out: Path
) -> StageResult[Path]:
    """Assign each record of a shard to a subset, and write the assignments to a new shard.

    A record is rejected if it repeats a text of another subset. `held_out` is the shard that `hold_out` wrote.
    """
    builds = held_out.parent.parent
    target = stage_definitions.DIVIDE.target(shard, builds, **{"held out": held_out.parent.name})

    def build() -> tuple[list[Assignment], Counter[str]]:
        assigner = _assigner(division, held_out)
        return [
            assigner.assign(item, rejected_by) for item, rejected_by in _items(recipe, shard)
        ], Counter()

    return build_once(target, Assignment, build, source=shard)


def _assigner(division: Division, held_out: Path) -> SubsetAssigner:
    with _loading:
        return _loaded(division.model_dump_json(), held_out)


@lru_cache(maxsize=1)
def _loaded(division: str, held_out: Path) -> SubsetAssigner:
    """Load the texts of validation and test, once per process."""
    settings = Division.model_validate_json(division)
    sets = SubsetRules(settings, shards.read_manifest(held_out)["starts"])
    return SubsetAssigner(settings, sets, shards.read(held_out, HeldOutText))


def _items(recipe: Recipe[Any], path: Path) -> Iterator[tuple[DivisionItem, str | None]]:
    """Yield each record's fields for the division, and the filter that rejected it or None."""
    for record in recipe.records.read(path):
        yield recipe.records.item(record), record.rejected_by
