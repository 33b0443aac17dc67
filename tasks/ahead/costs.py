"""What the shards of a build that are there took, and what the missing ones may take in proportion."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import Table
from bitext_pivot.core.tokens import Price
from bitext_pivot.tasks.ahead.inventory import CorpusShards
from bitext_pivot.tasks.run.costs import StageCost, costs, costs_table
from bitext_pivot.tasks.run.targets import Target, change

_FIRST = "alignments"
"""Folders of the first stage."""
_READ = 20
"""Shards of a folder whose manifests are read; they are alike."""


def costs_so_far(corpora: Sequence[CorpusShards], price: Price | None) -> list[Table]:
    """Return a table of what the shards of each stage took that are there; none if there are none."""
    taken: dict[str, StageCost] = {}
    for corpus in corpora:
        for stage, shard in _there(corpus):
            manifest = atomic.find_sealed(atomic.manifest_path(shard))
            if manifest is not None:
                taken.setdefault(stage, StageCost()).join(StageCost.of_shard(manifest, 0))
    if not taken:
        return []
    return [costs_table("The shards that are there took", [*taken.items()], price)]


def _there(corpus: CorpusShards) -> Iterator[tuple[str, Path]]:
    """Yield the shards that are there, with their stages."""
    for shard in corpus.alignments or ():
        yield "extract", shard
    for stage, targets in corpus.later.items():
        missing = {target.path for target in corpus.missing[stage]}
        for target in targets:
            if target.path not in missing:
                yield stage, target.path


def costs_to_come(
    corpora: Sequence[CorpusShards], alignments: Mapping[str, int], price: Price | None
) -> list[Table]:
    """Return a table of what the missing shards of each stage may take; none if no stage was measured here.

    `alignments` are the numbers that are expected of corpora that are not extracted.
    """
    expected: dict[str, StageCost] = {}
    measured: dict[str, dict[str, None]] = {}
    for corpus in corpora:
        total = _alignments(corpus, alignments)
        for stage, target, share in _missing(corpus):
            folder = _measured_folder(target)
            if folder is None:
                continue
            cost = _measured(folder).expected(round(total * share))
            expected.setdefault(stage, StageCost()).join(cost)
            measured.setdefault(stage, {})[folder.name] = None
    if not expected:
        return []
    folders = "; ".join(f"{stage} on {', '.join(names)}" for stage, names in measured.items())
    note = (
        f"In proportion to alignments, as measured here: {folders}. What was stored before, such as"
        " translations of a trial, took no time there."
    )
    return [costs_table("The missing shards may take", [*expected.items()], price, note)]


def _alignments(corpus: CorpusShards, expected: Mapping[str, int]) -> int:
    if corpus.alignments is None:
        return expected.get(corpus.name, 0)
    return sum(atomic.read_manifest(path)["rows"] for path in corpus.alignments)


def _missing(corpus: CorpusShards) -> list[tuple[str, Target, float]]:
    """Return each stage with missing shards, one target of them, and their share of its shards."""
    found: list[tuple[str, Target, float]] = []
    if corpus.index is not None and corpus.alignments is None:
        found.append(("extract", corpus.index, 1.0))
    for stage, targets in corpus.later.items():
        if missing := corpus.missing[stage]:
            found.append((stage, missing[0], len(missing) / len(targets)))
    return found


def _measured_folder(target: Target) -> Path | None:
    """Return the folder of finished shards that are most like a target; None if there are none."""
    folder = target.path.parent
    if any(folder.glob("*.parquet")):
        return folder
    found = change(target, "")
    if found is None:
        return None
    return folder.parent / found.against


def _measured(folder: Path) -> StageCost:
    """Return what some shards of a folder took."""
    total = StageCost()
    for shard in islice(sorted(folder.glob("*.parquet")), _READ):
        if atomic.find_sealed(atomic.manifest_path(shard)) is not None:
            total.join(costs([shard], _FIRST)[folder.name.rpartition("-")[0]])
    return total
