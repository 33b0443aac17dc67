"""Translate every text once, with a row store in front of the engine."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.translation.engine import NOTHING, Engine, TranslatedText, is_sound

VERSION = "squeezed text+confidence"
"""Part of the keys of stored translations and of pairs. Change it when something else is stored of a translation."""
_NO_TURN = nullcontext()
_GROUP = 512  # texts
_GPU_GROUP = 4096  # of Europarl's sentences, a few batches of 65,536 pieces


def translate_once(  # noqa: PLR0913 -- by keyword
    engine: Engine,
    texts: Sequence[str],
    store: RowStore,
    *,
    group: int | None = None,
    turn: AbstractContextManager[object] = _NO_TURN,
    progress: Callable[[int], None] = lambda _: None,
) -> list[TranslatedText]:
    """Return one translation per text, in order; the engine translates only what is not in the store.

    The distinct sound texts, the longest first, are split into groups of `group`, which depend on the texts alone; with
    texts of similar length in a group an engine can fill its batches (`pieces.equal_lengths`). A group is stored in one
    transaction when it is translated, so a killed process loses one group at most, on GPUs those under way. Results are
    read from the store, so that workers that translate the same text return the same. A text that is not sound (see
    `is_sound`) gets no translation.

    On GPUs the group is part of the key (`_keys`), so that all its texts are stored or none. As many groups as GPUs,
    and one more, are under way: while the GPUs work, the next one is encoded, and the one before decoded and stored.
    `turn`, which callers take in turn, is left when the last groups are under way: those of the next caller queue
    behind them. (Without turns all would queue at once, end at once, and leave the GPUs idle together.)

    `progress` is called after each group with the number of texts done, duplicates included.
    Raises ShardError if the engine returns too few or too many texts; earlier groups stay stored.
    """
    counts = Counter(texts)
    unique = sorted(filter(is_sound, counts), key=len, reverse=True)
    size = group or (_GPU_GROUP if engine.gpus else _GROUP)
    groups = [unique[start : start + size] for start in range(0, len(unique), size)]
    progress(len(texts) - sum(counts[text] for text in unique))

    def translated(group_texts: Sequence[str]) -> dict[str, TranslatedText]:
        keys = (
            _keys(group_texts) if engine.gpus else dict(zip(group_texts, group_texts, strict=True))
        )
        stored = store.get(list(keys.values()))
        if missing := [text for text in group_texts if keys[text] not in stored]:
            batch = group_texts if engine.gpus else missing
            new = dict(zip([keys[text] for text in batch], _translate(engine, batch), strict=True))
            store.put(new)  # a stored text keeps its translation
            stored = new | stored | store.get(list(new))
        progress(sum(counts[text] for text in group_texts))
        return {text: _read(stored[keys[text]]) for text in group_texts}

    translations: dict[str, TranslatedText] = {}
    running = set[Future[dict[str, TranslatedText]]]()
    with ThreadPoolExecutor(engine.gpus + 1) as threads:
        with turn:
            for group_texts in groups:
                running.add(threads.submit(copy_context().run, translated, group_texts))
                if len(running) > engine.gpus:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        translations |= future.result()
        for future in running:
            translations |= future.result()
    return [translations.get(text, NOTHING) for text in texts]


def _translate(engine: Engine, texts: Sequence[str]) -> list[str]:
    """Return one row per text: translation and confidence, in JSON.

    What an engine writes is squeezed as texts of files are: filters expect no invisible characters.
    """
    outputs = engine.translate(texts)
    if len(outputs) != len(texts):
        raise ShardError(
            f"The engine {engine.signature!r} returned {len(outputs)} texts for {len(texts)}: outputs cannot be "
            "assigned to texts. Expected one output per text; repair the engine or choose another with "
            "translation.engine, then run again."
        )
    return [
        json.dumps([squeezed(output.text), output.confidence], ensure_ascii=False)
        for output in outputs
    ]


def _read(row: str) -> TranslatedText:
    text, confidence = json.loads(row)[:2]  # older ones have tokens of a server behind them
    return TranslatedText(text=text, confidence=confidence)


def _keys(group: Sequence[str]) -> dict[str, str]:
    """Return the key under which the translation of each text in this group is stored.

    If translations depend on the group, a text of two shards has one in each. Otherwise the shard that is translated
    first would decide for both, and two builds with several workers could differ.
    """
    digest = hashlib.sha256("\0".join(group).encode()).hexdigest()
    return {text: f"{digest} {text}" for text in group}
