"""What English words may be, by lemminflect's dictionary (MIT), read from its files: to import it imports spaCy."""

import functools
import gzip
from collections import defaultdict
from collections.abc import Set
from importlib.metadata import distribution

_Table = dict[str, set[str]]
_FORMS = ("VB", "VBP", "VBD", "VBN", "VBG", "VBZ")
"""Tags of a verb's forms in the dictionary's order, behind the lemma, which is the first two."""


def parts_of_speech(word: str) -> Set[str]:
    """Return the parts of speech of an English word, without proper nouns; none for an unknown word.

    >>> sorted(parts_of_speech("light")), sorted(parts_of_speech("Glasgow"))
    (['adj', 'adv', 'noun', 'verb'], [])
    """
    return _parts_of_speech().get(word.lower(), set())


def verb_forms(word: str) -> Set[str]:
    """Return the tags of the verb forms that an English word in lower case may be.

    >>> sorted(verb_forms("left")), sorted(verb_forms("table"))
    (['VBD', 'VBN'], ['VB', 'VBP'])
    """
    return _verb_forms().get(word, set())


@functools.cache
def _parts_of_speech() -> _Table:
    words = defaultdict[str, set[str]](set)
    for word, part, _ in _rows("lemma_lu.csv.gz"):
        words[word].add(part)
    return dict(words)


@functools.cache
def _verb_forms() -> _Table:
    words = defaultdict[str, set[str]](set)
    for lemma, part, *forms in _rows("infl_lu.csv.gz"):
        for tag, spellings in zip(_FORMS, (lemma, lemma, *forms) * (part == "verb"), strict=False):
            for word in spellings.split("/"):
                words[word].add(tag)
    return dict(words)


def _rows(name: str) -> list[list[str]]:
    """Return the rows of a file of the dictionary: a word, its part of speech, and forms with `/` between spellings."""
    path = distribution("lemminflect").locate_file(f"lemminflect/resources/{name}")
    with gzip.open(str(path), "rt", encoding="utf-8") as rows:
        return [row.split(",") for row in rows.read().splitlines()]
