"""Translate each distinct text once, and keep the translations in a store (a row per text)."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.translation.engine import NO_TRANSLATION, Engine, TranslatedText, is_translatable

VERSION = "squeezed text+confidence"
"""Part of the keys of stored translations and of the shards with pairs. Change it when the content of a stored row
changes."""
_NO_TURN = nullcontext()
_GROUP = 512  # texts
_GPU_GROUP = 4096  # texts: for Europarl, a few batches of 65,536 pieces


def translate_once(  # noqa: PLR0913 -- by keyword
    engine: Engine,
    texts: Sequence[str],
    store: RowStore,
    *,
    group: int | None = None,
    turn: AbstractContextManager[object] = _NO_TURN,
    progress: Callable[[int], None] = lambda _: None,
) -> list[TranslatedText]:
    """Return the translation of each text, in order, translating only texts that are not stored.

    Distinct texts are sorted by length, the longest first, and split into groups of `group` texts. The groups
    depend on the texts alone, and texts of similar length let an engine fill its batches
    (`pieces.batch_equal_lengths`).

    Each group is stored in one transaction as soon as it is translated, so a killed process loses at most the
    groups in progress: one, or a few on GPUs. Results are read back from the store, so workers that translate the
    same text return the same translation. A text that no engine can translate (see `is_translatable`) gets an empty
    translation.

    On GPUs, the key of a stored translation contains the whole group (`_group_keys`), so a group is stored
    completely or not at all. One more group than there are GPUs is in progress: while the GPUs compute, the next
    group is encoded and the previous one is decoded and stored. `turn` is a lock shared by all callers. It is
    released as soon as the last groups have started, so the next caller's groups queue up after them. (Without the
    lock, all callers would start together, finish together, and leave the GPUs idle in between.)

    `progress` is called after each group with the number of texts it contained, duplicates included. Raises
    ShardError if the engine returns too few or too many texts; the groups that were translated before remain
    stored.
    """
    counts = Counter(texts)
    unique = sorted(filter(is_translatable, counts), key=len, reverse=True)
    size = group or (_GPU_GROUP if engine.gpus else _GROUP)
    groups = [_Group(engine, unique[start : start + size]) for start in range(0, len(unique), size)]
    progress(len(texts) - sum(counts[text] for text in unique))

    def translate_group(group_of_texts: _Group) -> dict[str, TranslatedText]:
        translations = group_of_texts.translate(store)
        progress(sum(counts[text] for text in translations))
        return translations

    translations: dict[str, TranslatedText] = {}
    running = set[Future[dict[str, TranslatedText]]]()
    with ThreadPoolExecutor(engine.gpus + 1) as threads:
        with turn:
            for group_of_texts in groups:
                running.add(threads.submit(copy_context().run, translate_group, group_of_texts))
                if len(running) > engine.gpus:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        translations |= future.result()
        for future in running:
            translations |= future.result()
    return [translations.get(text, NO_TRANSLATION) for text in texts]


class _Group:
    """Texts that are translated and stored together, with their keys in the store."""

    def __init__(self, engine: Engine, texts: Sequence[str]) -> None:
        self._engine = engine
        self._texts = texts
        self._keys = _group_keys(texts) if engine.gpus else {text: text for text in texts}

    def translate(self, store: RowStore) -> dict[str, TranslatedText]:
        """Translate and store the texts that are not stored yet, and return all translations."""
        stored = store.get([*self._keys.values()])
        if missing := self._missing(stored):
            rows = _translate_to_rows(self._engine, missing)
            new = {self._keys[text]: row for text, row in zip(missing, rows, strict=True)}
            store.put(new)  # does not overwrite what another worker stored
            stored = new | stored | store.get([*new])
        return {text: _parse_row(stored[key]) for text, key in self._keys.items()}

    def _missing(self, stored: Mapping[str, str]) -> Sequence[str]:
        """Return the texts to translate: the missing texts or, on GPUs, all texts if one is missing."""
        missing = [text for text in self._texts if self._keys[text] not in stored]
        return self._texts if missing and self._engine.gpus else missing


def _translate_to_rows(engine: Engine, texts: Sequence[str]) -> list[str]:
    """Translate texts and return a JSON row for each, with the translation and its confidence.

    Whitespace and invisible characters are normalised as in texts read from files, because filters rely on this.
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


def _parse_row(row: str) -> TranslatedText:
    text, confidence = json.loads(row)[:2]  # older rows continue with token counts
    return TranslatedText(text=text, confidence=confidence)


def _group_keys(group: Sequence[str]) -> dict[str, str]:
    """Return a key for each text of a group, for translations that depend on the whole group.

    The key contains the whole group, so a text that occurs in two shards is stored twice. If the key were the text
    alone, both shards would use the translation of the shard that came first, and two builds with several workers
    could differ.
    """
    digest = hashlib.sha256("\0".join(group).encode()).hexdigest()
    return {text: f"{digest} {text}" for text in group}
