"""Translate: shards of alignments to shards of pairs in one language."""

import functools
import logging
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.alignments.pivot import foreign_texts, to_pairs
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import Alignment, Pair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.core.storage.locks import machine_lock
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.tasks.run.stages import STAGE, build_once, shard_path
from bitext_pivot.translation.cached import LAYOUT, translate_once
from bitext_pivot.translation.engine import Engine, TranslatedText
from bitext_pivot.translation.models import Translation, load

_log = logging.getLogger(__name__)


@task(task_run_name="translate {shard.stem}", **STAGE)
def translate(shard: Path, language: str, pivot: str, settings: Translation, site: Site) -> State[Path]:
    """Translate what is not in `language`, each of two sentences by itself."""
    engine = engine_for(settings, pivot, language, site)
    pairs = out(shard, language, engine)
    return build_once(pairs, Pair, lambda: _pairs(shard, language, engine, site.store_folder), source=shard)


def out(shard: Path, language: str, engine: Engine) -> Path:
    """Return the path of the pairs made of a shard of alignments."""
    return shard_path(shard, "pairs", language, engine.signature, LAYOUT)


@functools.cache
def engine_for(settings: Translation, pivot: str, language: str, site: Site) -> Engine:
    """Return the engine of a direction, loaded once per process."""
    return load(settings, pivot, language, models_folder=site.models_folder, threads=site.threads, device=site.device)


def _pairs(shard: Path, language: str, engine: Engine, stores: Path) -> tuple[list[Pair], Counter[str]]:
    alignments = list(shards.read(shard, Alignment))
    outputs = translate_texts(engine, foreign_texts(alignments, language), stores, f"translate {shard.stem}")
    return to_pairs(alignments, language, [(output.text, output.confidence) for output in outputs], engine.signature)


def translate_texts(engine: Engine, texts: Sequence[str], stores: Path, what: str) -> list[TranslatedText]:
    """Translate the texts that the row store does not have, one process of this machine at a time.

    One model uses all cores, those of its job in Slurm. `what` names the work in its progress.
    """
    store = RowStore(stores / "translations", f"{engine.signature} {LAYOUT}")
    job = os.environ.get("SLURM_JOB_ID", "")
    with machine_lock(stores / f"translation{job}", _log), tracked(what, len(texts)) as advance:
        return translate_once(engine, texts, store, progress=advance)
