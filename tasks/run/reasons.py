"""Why stages are built again: what changed against the shards that are there, in one table."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from bitext_pivot.core.tables import Table
from bitext_pivot.tasks.run.targets import Target, change

_NUMBER = re.compile(r"-\d{5}$")


class Reason(NamedTuple):
    """Why a stage is built again for one corpus."""

    stage: str
    corpus: str
    against: str
    """Folder of the shards to which the key was compared."""
    changed: str
    """What of the key changed, a line each; "" if no shards of the stage are there."""

    @classmethod
    def of(cls, stage: str, corpus: str, target: Target, there: int = 0) -> Self:
        """Return why a target is built; `there` are other shards of the corpus in its folder."""
        if there:
            finished = f"nothing changed; shards finished before: {there:,}"
            return cls(stage, corpus, target.path.parent.name, finished)
        found = change(target, corpus)
        if found is None:
            return cls(stage, corpus, "", "")
        return cls(stage, corpus, found.against, str(found))


def corpus_of(shard: Path) -> str:
    """Return the first part of a shard's name, without its number: `Europarl-v7`."""
    return _NUMBER.sub("", shard.stem)


def reasons_table(title: str, reasons: Iterable[Reason]) -> list[Table]:
    """Return a table of all reasons, those that corpora share in one row; none if nothing was there."""
    corpora: dict[tuple[str, str, str], list[str]] = {}
    for reason in reasons:
        if reason.changed:
            row = (reason.stage, reason.against, reason.changed)
            corpora.setdefault(row, []).append(reason.corpus)
    if not corpora:
        return []
    rows = [
        (stage, ", ".join(names), against, changed)
        for (stage, against, changed), names in corpora.items()
    ]
    return [
        Table(title=title, head=("stage", "corpora", "compared with", "what changed"), rows=rows)
    ]
