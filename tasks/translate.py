"""Translate: shards of alignments to shards of pairs in one language."""

import logging
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.alignments.pivot import foreign_texts, to_pairs
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import Alignment, Pair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.core.storage.locks import machine_lock
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.core.usage import paused
from bitext_pivot.filters.base import Runtime
from bitext_pivot.tasks.run import table
from bitext_pivot.tasks.run.models import Processing, engine_of
from bitext_pivot.tasks.run.stages import STAGE, build_once
from bitext_pivot.translation import cached
from bitext_pivot.translation.engine import Engine, TranslatedText

_log = logging.getLogger(__name__)


@task(task_run_name="translate {shard.stem}", **STAGE)
def translate(shard: Path, processing: Processing, site: Site) -> State[Path]:
    """Translate what is not in the language of the build, each of two sentences by itself."""
    facts: dict[str, Any] = {}
    target = table.translate(processing, site).target(shard)

    def build() -> tuple[list[Pair], Counter[str]]:
        alignments = list(shards.read(shard, Alignment))
        return to_translated_pairs(alignments, processing, site, shard.stem, facts=facts)

    return build_once(target, Pair, build, source=shard, facts=facts)


def to_translated_pairs(
    alignments: Sequence[Alignment],
    processing: Processing,
    site: Site,
    name: str,
    *,
    facts: dict[str, Any],
) -> tuple[list[Pair], Counter[str]]:
    """Return the pairs made of alignments that no filter leaves out, and the skips by reason.

    `facts` gets as `counts` the tokens that an endpoint read and wrote, those of stored translations again. `name` is
    for progress.
    """
    engine = engine_of(processing, site)
    reasons = processing.filters.skip_reasons(alignments, Runtime.of(site))
    wanted = [
        alignment for alignment, reason in zip(alignments, reasons, strict=True) if reason is None
    ]
    texts = foreign_texts(wanted, processing.language)
    outputs = translate_texts(engine, texts, site.store_folder, f"translate {name}")
    translations = [(output.text, output.confidence) for output in outputs]
    pairs, skips = to_pairs(wanted, processing.language, translations, engine.signature)
    tokens = Counter(
        {name: sum(one.tokens[n] for one in outputs) for n, name in enumerate(("read", "written"))}
    )
    if +tokens:
        facts["counts"] = {"tokens": dict(+tokens)}
    return pairs, skips + Counter(reason for reason in reasons if reason is not None)


def translate_texts(
    engine: Engine, texts: Sequence[str], stores: Path, what: str
) -> list[TranslatedText]:
    """Translate the texts that the row store does not have. `what` names the work in its progress."""
    store = RowStore(stores / "translations", f"{engine.signature} {cached.VERSION}")
    with tracked(what, len(texts), "texts") as advance:
        return cached.translate_once(
            engine, texts, store, turn=_turn(engine, stores), progress=advance
        )


@contextmanager
def _turn(engine: Engine, stores: Path) -> Iterator[None]:
    """Hold the lock of the visible GPUs, or of all cores, which one model uses; those of a job in Slurm."""
    gpus = f"-gpu{os.environ.get('CUDA_VISIBLE_DEVICES', '')}" if engine.gpus else ""
    path = stores / f"translation{os.environ.get('SLURM_JOB_ID', '')}{gpus}"
    with ExitStack() as stack:
        with paused():
            stack.enter_context(machine_lock(path, _log))
        yield
