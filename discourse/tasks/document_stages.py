"""Stages that do not turn one shard into another: they read documents, or select from all shards at once."""

from bitext_pivot.discourse.mining.selection import SelectionSettings
from bitext_pivot.tasks.run.targets import Stage


def sentences_stage(shard_rows: int) -> Stage:
    """Return the stage that reads documents and writes sentences."""
    return Stage("sentences", "sentences", {"shard_rows": shard_rows})


def select_stage(selection: SelectionSettings) -> Stage:
    """Return the stage that selects the pairs of a Discovery data set from all candidates."""
    return Stage("select", "selected", {"selection": selection})


def neighbours_stage(shard_rows: int) -> Stage:
    """Return the stage that reads several bitexts and writes neighbouring sentences."""
    return Stage("neighbours", "neighbours", {"shard_rows": shard_rows})
