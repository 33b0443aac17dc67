"""Stages over documents that make no shard of a shard, as in `tasks/run/table.py`."""

from bitext_pivot.discourse.mining.selection import SelectionSettings
from bitext_pivot.tasks.run.targets import Stage


def sentences_stage(shard_rows: int) -> Stage:
    """Return the stage from documents to sentences."""
    return Stage("sentences", "sentences", {"shard_rows": shard_rows})


def select_stage(selection: SelectionSettings) -> Stage:
    """Return the stage that draws pairs of all candidates."""
    return Stage("select", "selected", {"selection": selection})


def neighbours_stage(shard_rows: int) -> Stage:
    """Return the stage from several bitexts to neighbours."""
    return Stage("neighbours", "neighbours", {"shard_rows": shard_rows})
