"""Join: find kept pairs of several builds that are equal or have a sentence in common."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import JudgedPair, PairRelation
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.corpus.division import Assignment
from bitext_pivot.corpus.pair_relations import PairRelations
from bitext_pivot.tasks.divide import DividedShards
from bitext_pivot.tasks.run import stage_definitions
from bitext_pivot.tasks.run.current_run import as_task
from bitext_pivot.tasks.run.stages import build_once, run_once
from bitext_pivot.tasks.run.targets import Target

_PAIR = "scored.parsed.pair"


@as_task("join pairs")
def join(divided: DividedShards, site: Site) -> list[Path]:
    """Write how each judged pair relates to all others; return the paths of the new shards.

    Each shard of judged pairs gets a shard of relations. Texts are not copied: the recipe reads both shards
    (`corpus/recipes/joined.py`). This is one task, because any two pairs may be equal. If a run is killed, the next run
    writes only the missing shards.
    """
    builds, stage = divided.assignments[0].parents[1], stage_definitions.join()
    targets = [stage.target(shard, builds, shards=divided.names) for shard in divided.records]
    outs = [target.path for target in targets]
    run_once(
        lambda: all(map(shards.find, outs)),
        lambda: _write(targets, divided, site),
        outs[0].with_name("all"),
    )
    return outs


def _write(targets: list[Target], divided: DividedShards, site: Site) -> None:
    site.home.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryFile(dir=site.home) as file,
        tracked("join shards", 2 * len(targets), "shards") as advance,
    ):
        pair_relations = PairRelations(file)
        for shard, assignments in zip(*divided, strict=True):
            pairs = shards.part(shard, JudgedPair, _PAIR)
            for pair, is_kept in zip(pairs, _kept(shard, assignments), strict=True):
                if is_kept:
                    pair_relations.add(pair)
            advance(1)
        relations = pair_relations.relate()
        for target, shard, assignments in zip(targets, *divided, strict=True):
            rows = [
                next(relations) if is_kept else PairRelation()
                for is_kept in _kept(shard, assignments)
            ]
            build_once(target, PairRelation, partial(_without_skips, rows), source=shard)
            advance(1)


def _kept(shard: Path, assignments: Path) -> Iterator[bool]:
    """Yield for each pair of a shard whether both the filters and the division accepted it."""
    reasons = zip(
        shards.part(shard, JudgedPair, "rejected_by"),
        shards.part(assignments, Assignment, "rejected_by"),
        strict=True,
    )
    for judged, divided in reasons:
        yield judged is None and divided is None


def _without_skips(rows: list[PairRelation]) -> tuple[list[PairRelation], Counter[str]]:
    return rows, Counter()
