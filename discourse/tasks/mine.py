"""Mine: the candidates of Discovery in parsed documents."""

from collections import Counter
from functools import partial
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.alignments.screening.identify import LanguageCheck
from bitext_pivot.core.records import MarkedPair, ParsedSentence
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.mining.candidates import Candidates, candidates
from bitext_pivot.discourse.tasks import table
from bitext_pivot.tasks.run.stages import STAGE, build_once


@task(task_run_name="mine {shard.stem}", **STAGE)
def mine(shard: Path, language: str, settings: Candidates) -> State[Path]:
    """Write the adjacent sentences of a shard whose second one opens with a marker; unfit ones have the reason."""
    target = table.mine(settings, language).target(shard)
    return build_once(target, MarkedPair, lambda: _mine(shard, language, settings), source=shard)


def _mine(
    shard: Path, language: str, settings: Candidates
) -> tuple[list[MarkedPair], Counter[str]]:
    skips, is_foreign = Counter[str](), partial(LanguageCheck().is_foreign, language=language)
    sentences = shards.read(shard, ParsedSentence, without=("lemmas",))
    return list(candidates(sentences, settings, is_foreign, skips)), skips
