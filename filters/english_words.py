"""What English words may be, by lemminflect's dictionary (MIT)."""

import functools

_WORDS = 50_000  # words kept


@functools.lru_cache(maxsize=_WORDS)
def parts_of_speech(word: str) -> frozenset[str]:
    """Return the parts of speech of an English word, without proper nouns; none for an unknown word.

    >>> sorted(parts_of_speech("light")), sorted(parts_of_speech("Glasgow"))
    (['ADJ', 'ADV', 'NOUN', 'VERB'], [])
    """
    from lemminflect import getAllLemmas  # imports spaCy: only for the few pairs that need it

    return frozenset(getAllLemmas(word)) - {"PROPN"}
