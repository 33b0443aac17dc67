"""Translate: turn alignments into pairs in one language."""

import logging
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from bitext_pivot.alignments.pivot import build_pairs, texts_to_translate
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import Alignment, Pair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.locks import machine_lock
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.tasks.run.loaded_models import Processing
from bitext_pivot.tasks.run.targets import Stage, StageFacts
from bitext_pivot.translation import cached
from bitext_pivot.translation.engine import Engine, TranslatedText

_log = logging.getLogger(__name__)


def translate(processing: Processing, site: Site) -> Stage:
    """Return the stage of a build that translates the pivot sides of alignments.

    Its results are pairs: a long sentence and its split in one language. If the pivot side has two sentences, they are
    translated separately.
    """
    parts: dict[str, Any] = {
        "language": processing.language,
        "engine": processing.engine(site).signature,
        "version of stored translations": cached.VERSION,
    }

    def run(
        rows: Iterable[Alignment], name: str, facts: StageFacts
    ) -> tuple[list[Pair], Counter[str]]:
        return _translated(list(rows), processing, site, name)

    return Stage("translate", "pairs", parts, Alignment, Pair, run)


def _translated(
    alignments: Sequence[Alignment], processing: Processing, site: Site, name: str
) -> tuple[list[Pair], Counter[str]]:
    """Turn alignments into pairs, and count skips by reason. The progress bar shows `name`."""
    engine = processing.engine(site)
    texts = texts_to_translate(alignments, processing.language)
    outputs = translate_texts(engine, texts, site.store_folder, f"translate {name}")
    translations = [(output.text, output.confidence) for output in outputs]
    return build_pairs(alignments, processing.language, translations, engine.signature)


def translate_texts(
    engine: Engine, texts: Sequence[str], stores: Path, what: str
) -> list[TranslatedText]:
    """Return translations of texts, reusing earlier translations in the folder `stores`.

    The progress bar shows `what`.
    """
    store = RowStore(stores / "translations", f"{engine.signature} {cached.VERSION}")
    with tracked(what, len(texts), "texts") as advance:
        return cached.translate_once(
            engine, texts, store, turn=_turn(engine, stores), progress=advance
        )


def _turn(engine: Engine, stores: Path) -> AbstractContextManager[None]:
    """Return a lock that lets only one model at a time use the visible GPUs, or all cores.

    Each Slurm job has its own lock.
    """
    gpus = f"-gpu{os.environ.get('CUDA_VISIBLE_DEVICES', '')}" if engine.gpus else ""
    path = stores / f"translation{os.environ.get('SLURM_JOB_ID', '')}{gpus}"
    return machine_lock(path, _log)
