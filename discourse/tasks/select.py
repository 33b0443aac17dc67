"""The stage that selects the pairs of each variant of a Discovery data set.

It runs after all candidates are counted and their markers predicted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import MarkedPair, SelectedPair
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.mining.pair_selector import PairSelector
from bitext_pivot.discourse.mining.selection import SelectionSettings
from bitext_pivot.discourse.tasks import document_stages
from bitext_pivot.tasks.run.current_run import as_task
from bitext_pivot.tasks.run.stages import build_once, run_once
from bitext_pivot.tasks.run.targets import Target

_REPORT = "report on markers"
"""Name of an entry in the manifest of a shard: the number of pairs of each marker, and how well it is predicted."""


@as_task("select pairs")
def select_pairs(candidates: Sequence[Path], selection: SelectionSettings) -> list[Path]:
    """Write a shard of selected pairs for each shard of candidates, and return the new shards.

    Raises SettingsError if no variant of the data set has a pair, and SourceError if there is no shard.
    """
    if not candidates:
        raise SourceError("There are no documents to read. Check the corpora and the language.")
    names = shards.names(candidates)
    stage = document_stages.select_stage(selection)
    targets = [stage.target(shard, candidates=names) for shard in candidates]
    outs = [target.path for target in targets]
    run_once(
        lambda: all(map(shards.find, outs)),
        lambda: _write_shards(candidates, targets, selection),
        outs[0].with_name("all"),
    )
    return outs


def read_marker_report(selected: Sequence[Path]) -> dict[str, Any]:
    """Return the report that `PairSelector.report` made, from the manifest of a selected shard."""
    return dict(shards.read_manifest(selected[0])[_REPORT])


def _write_shards(
    candidates: Sequence[Path],
    targets: Sequence[Target],
    selection: SelectionSettings,
) -> None:
    def read() -> Iterator[MarkedPair]:
        return (pair for shard in candidates for pair in shards.read(shard, MarkedPair))

    with tracked("predict markers", selection.control.folds, "parts") as advance:
        choice = PairSelector(read, selection, advance)
    facts = {_REPORT: choice.report()}
    for shard, target in zip(candidates, targets, strict=True):
        select = partial(_select_from_shard, shard, choice)
        build_once(target, SelectedPair, select, source=shard, facts=facts)


def _select_from_shard(
    shard: Path, choice: PairSelector
) -> tuple[Iterator[SelectedPair], Counter[str]]:
    return map(choice.decide, shards.read(shard, MarkedPair)), Counter()
