"""Look up parts of speech and verb forms of English words in the dictionary of lemminflect.

The files of the dictionary (MIT licence) are read directly, because importing lemminflect imports spaCy.
"""

import functools
import gzip
from collections import defaultdict
from collections.abc import Set
from importlib.metadata import distribution

_Table = dict[str, set[str]]
_FORMS = ("VB", "VBP", "VBD", "VBN", "VBG", "VBZ")
"""Verb tags in the order of the dictionary's columns. Words in the first two columns, VB and VBP, are spelt like
the lemma."""


def parts_of_speech(word: str) -> Set[str]:
    """Return the parts of speech that an English word can have.

    The set is empty for unknown words and proper nouns.

    >>> sorted(parts_of_speech("light")), sorted(parts_of_speech("Glasgow"))
    (['adj', 'adv', 'noun', 'verb'], [])
    """
    return _parts_of_speech().get(word.lower(), set())


def verb_forms(word: str) -> Set[str]:
    """Return the Penn Treebank tags of the verb forms that a lower-case English word can be.

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
        if part != "verb":
            continue
        for tag, spellings in zip(_FORMS, (lemma, lemma, *forms), strict=False):
            for word in spellings.split("/"):
                words[word].add(tag)
    return dict(words)


def _rows(name: str) -> list[list[str]]:
    """Return the rows of a dictionary file: a word, its part of speech, and its forms.

    In a form, `/` separates alternative spellings.
    """
    path = distribution("lemminflect").locate_file(f"lemminflect/resources/{name}")
    with gzip.open(str(path), "rt", encoding="utf-8") as rows:
        return [row.split(",") for row in rows.read().splitlines()]
