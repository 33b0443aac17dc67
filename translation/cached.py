"""Translate every text once: a row store between the shards and the engine."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

from pairs.store import RowStore
from translation.engine import Engine, is_sound, same_number


def translate_once(
    engine: Engine,
    texts: Sequence[str],
    store: RowStore,
    *,
    group: int = 512,
    progress: Callable[[int], None] = lambda _: None,
) -> list[str]:
    """Return one translation a text, in order, asking the engine only for what the store has not got.

    The different sound texts, the longest first, are cut into groups of `group`, at borders that depend on the texts
    alone; with texts of like length in a group an engine can fill its batches (`pieces.equal_lengths`). A group is
    stored in one transaction as soon as it is translated, so a kill costs one group at most. What the store holds is
    what is returned, so two workers that meet on a text agree. For an engine with `whole_groups` the group is part of
    the key (`_keys`), so all its texts are stored or none. A text that is not sound (see `is_sound`) gets "".
    `progress` is told after each group how many more of the texts are done, repeated ones counted.
    Raises ShardError when the engine returns too few or too many texts; the groups before stay stored.
    """
    times = Counter(texts)
    unique = sorted(filter(is_sound, times), key=len, reverse=True)
    known: dict[str, str] = {}
    progress(len(texts) - sum(times[text] for text in unique))
    for start in range(0, len(unique), group):
        some = unique[start : start + group]
        keys = _keys(some) if engine.whole_groups else dict(zip(some, some, strict=True))
        stored = store.get(list(keys.values()))
        if missing := [text for text in some if keys[text] not in stored]:
            outputs = same_number(missing, engine.translate(missing), engine.signature)
            rows = zip((keys[text] for text in missing), outputs, strict=True)
            store.put(rows)  # a text that is there keeps its first translation
            stored |= store.get([keys[text] for text in missing])
        known |= {text: stored[keys[text]] for text in some}
        progress(sum(times[text] for text in some))
    return [known.get(text, "") for text in texts]


def _keys(group: Sequence[str]) -> dict[str, str]:
    """Return the key of each text, under which its translation in this group is stored.

    Where a translation may depend on the group, a text of two shards has one in each. Otherwise the shard that was
    translated first would decide for both, and a fresh build with two workers could differ from the last one.
    """
    digest = hashlib.sha256("\0".join(group).encode()).hexdigest()
    return {text: f"{digest} {text}" for text in group}
