"""Translate every text once: a row store between the shards and the engine."""

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
    what is returned, so two workers that meet on a text agree. A text that is not sound (see `is_sound`) gets "".
    `progress` is told after each group how many more of the texts are done, repeated ones counted.
    Raises ShardError when the engine returns too few or too many texts; the groups before stay stored.
    """
    times = Counter(texts)
    unique = sorted(filter(is_sound, times), key=len, reverse=True)
    known = store.get(unique)
    progress(len(texts) - sum(times[text] for text in unique))
    for start in range(0, len(unique), group):
        some = unique[start : start + group]
        if missing := [text for text in some if text not in known]:
            work = some if engine.whole_groups else missing
            outputs = same_number(work, engine.translate(work), engine.signature)
            store.put(zip(work, outputs, strict=True))  # a text that is there keeps its first translation
            known |= store.get(missing)
        progress(sum(times[text] for text in some))
    return [known.get(text, "") for text in texts]
