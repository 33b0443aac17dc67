"""Translate every text once, with a row store in front of the engine."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.translation.engine import NOTHING, Engine, TranslatedText, is_sound

LAYOUT = "text+confidence"
"""What is stored of a translation, for the keys of rows and of pairs: earlier versions stored the text alone."""


def translate_once(
    engine: Engine,
    texts: Sequence[str],
    store: RowStore,
    *,
    group: int = 512,
    progress: Callable[[int], None] = lambda _: None,
) -> list[TranslatedText]:
    """Return one translation per text, in order; the engine translates only what is not in the store.

    The distinct sound texts, the longest first, are split into groups of `group`, which depend on the texts alone; with
    texts of similar length in a group an engine can fill its batches (`pieces.equal_lengths`). A group is stored in one
    transaction when it is translated, so a killed process loses one group at most. Results are read from the store, so
    that workers that translate the same text return the same. For an engine with `whole_groups` the group is part of
    the key (`_keys`), so that all its texts are stored or none. A text that is not sound (see `is_sound`) gets no
    translation.
    `progress` is called after each group with the number of texts done, duplicates included.
    Raises ShardError if the engine returns too few or too many texts; earlier groups stay stored.
    """
    counts = Counter(texts)
    unique = sorted(filter(is_sound, counts), key=len, reverse=True)
    translations: dict[str, TranslatedText] = {}
    progress(len(texts) - sum(counts[text] for text in unique))
    for start in range(0, len(unique), group):
        group_texts = unique[start : start + group]
        keys = _keys(group_texts) if engine.whole_groups else dict(zip(group_texts, group_texts, strict=True))
        stored = store.get(list(keys.values()))
        if missing := [text for text in group_texts if keys[text] not in stored]:
            batch = group_texts if engine.whole_groups else missing
            new = dict(zip([keys[text] for text in batch], _translate(engine, batch), strict=True))
            store.put(new)  # a stored text keeps its translation
            stored = new | stored | store.get(list(new))
        translations |= {text: _read(stored[keys[text]]) for text in group_texts}
        progress(sum(counts[text] for text in group_texts))
    return [translations.get(text, NOTHING) for text in texts]


def _translate(engine: Engine, texts: Sequence[str]) -> list[str]:
    """Return one row per text: translation, confidence, and tokens if there are any, in JSON."""
    outputs = engine.translate(texts)
    if len(outputs) != len(texts):
        raise ShardError(
            f"The engine {engine.signature!r} returned {len(outputs)} texts for {len(texts)}: outputs cannot be "
            "assigned to texts. Expected one output per text; repair the engine or choose another with "
            "translation.engine, then run again."
        )
    return [
        json.dumps([output.text, output.confidence, *filter(any, [output.tokens])], ensure_ascii=False)
        for output in outputs
    ]


def _read(row: str) -> TranslatedText:
    text, confidence, *tokens = json.loads(row)
    return TranslatedText(text=text, confidence=confidence, tokens=tuple(*tokens) or (0, 0))


def _keys(group: Sequence[str]) -> dict[str, str]:
    """Return the key under which the translation of each text in this group is stored.

    If translations depend on the group, a text of two shards has one in each. Otherwise the shard that is translated
    first would decide for both, and two builds with several workers could differ.
    """
    digest = hashlib.sha256("\0".join(group).encode()).hexdigest()
    return {text: f"{digest} {text}" for text in group}
