"""Translate: shards of alignments to shards of pairs in one language."""

import functools
import logging
import os
from collections import Counter
from collections.abc import Sequence
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
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.adequacy import Adequacy
from bitext_pivot.tasks.run.models import Processing
from bitext_pivot.tasks.run.stages import STAGE, build_once, shard_path
from bitext_pivot.translation.cached import LAYOUT, translate_once
from bitext_pivot.translation.endpoint import Server
from bitext_pivot.translation.engine import Engine, TranslatedText
from bitext_pivot.translation.models import Translation, load

_log = logging.getLogger(__name__)


@task(task_run_name="translate {shard.stem}", **STAGE)
def translate(shard: Path, processing: Processing, site: Site) -> State[Path]:
    """Translate what is not in the language of the build, each of two sentences by itself."""
    facts: dict[str, Any] = {}

    def build() -> tuple[list[Pair], Counter[str]]:
        pairs, skips, tokens = to_translated_pairs(list(shards.read(shard, Alignment)), processing, site, shard.stem)
        if tokens:
            facts["counts"] = {"tokens": tokens}
        return pairs, skips

    return build_once(out(shard, processing, site), Pair, build, source=shard, facts=facts)


def out(shard: Path, processing: Processing, site: Site) -> Path:
    """Return the path of the pairs made of a shard of alignments."""
    adequacy, engine = _adequacy(processing), _engine(processing, site)
    screening = [adequacy.screening(Runtime.of(site))] if adequacy else []
    return shard_path(shard, "pairs", processing.language, engine.signature, LAYOUT, *screening)


@functools.cache
def engine_for(settings: Translation, pivot: str, language: str, site: Site) -> Engine:
    """Return the engine of a direction, loaded once per process."""
    server = Server(
        address=site.endpoint, key=site.endpoint_key.get_secret_value() if site.endpoint_key else "",
        requests=site.endpoint_requests, timeout=site.timeout,
    ) if site.endpoint else None  # fmt: skip
    return load(
        settings, pivot, language, models_folder=site.models_folder, threads=site.threads, device=site.device,
        server=server,
    )  # fmt: skip


def to_translated_pairs(
    alignments: Sequence[Alignment], processing: Processing, site: Site, name: str
) -> tuple[list[Pair], Counter[str], dict[str, int]]:
    """Return the pairs made of alignments that `adequacy` accepts, the skips by reason, and tokens read and written.

    An endpoint counts tokens; those of stored translations count again. `name` is for progress.
    """
    adequacy, engine = _adequacy(processing), _engine(processing, site)
    faults = adequacy.fault(alignments, Runtime.of(site)) if adequacy else [None] * len(alignments)
    wanted = [alignment for alignment, fault in zip(alignments, faults, strict=True) if fault is None]
    texts = foreign_texts(wanted, processing.language)
    outputs = translate_texts(engine, texts, site.store_folder, f"translate {name}")
    translations = [(output.text, output.confidence) for output in outputs]
    pairs, skips = to_pairs(wanted, processing.language, translations, engine.signature)
    tokens = Counter({name: sum(one.tokens[n] for one in outputs) for n, name in enumerate(("read", "written"))})
    return pairs, skips + Counter(fault for fault in faults if fault is not None), dict(+tokens)


def _adequacy(processing: Processing) -> Adequacy | None:
    return processing.filters.advanced.adequacy if "adequacy" in processing.filters.active() else None


def _engine(processing: Processing, site: Site) -> Engine:
    return engine_for(processing.translation, processing.pivot, processing.language, site)


def translate_texts(engine: Engine, texts: Sequence[str], stores: Path, what: str) -> list[TranslatedText]:
    """Translate the texts that the row store does not have, one process of this machine at a time.

    One model uses all cores, those of its job in Slurm. `what` names the work in its progress.
    """
    store = RowStore(stores / "translations", f"{engine.signature} {LAYOUT}")
    job = os.environ.get("SLURM_JOB_ID", "")
    with machine_lock(stores / f"translation{job}", _log), tracked(what, len(texts)) as advance:
        return translate_once(engine, texts, store, progress=advance)
