"""What sentence vectors know of syntax (Discovery, Table 9): probing tasks as of Conneau et al. (2018).

usage: PYTHONPATH=quickstart/train python benchmarks/probing.py TREEBANK.conllu.gz... [--encoder FOLDER]

The tasks are built from treebanks of Universal Dependencies: length in six classes; depth of the tree; tense of
the main verb; number of its subject and of its object; and whether two neighbouring words were exchanged. Of the
other four, TopConstituents needs constituents, and the rest far more text. ENCODER is a folder of
sentence-transformers, such as `model` of a trained classifier; by default all-MiniLM-L6-v2. A logistic regression
on frozen vectors (C among 2^-2 .. 2^3, three folds) is measured beside the most frequent class, in percent.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from conllu import read_treebank
from sentence_transformers import SentenceTransformer
from sklearn.model_selection import cross_val_score
from transfer import choice, division, load, regression, vectors_of

from bitext_pivot.core.records import Parse
from bitext_pivot.core.tables import markdown_table

FOLDS = 3
FEWEST = 30
"""Rows of the rarest class of a task; a class with fewer is left out."""
LENGTHS = (8, 12, 16, 20, 26)
"""First number of tokens of the second class of length and of each one after it."""
SHORTEST, LONGEST = 5, 50


def length(parse: Parse) -> str:
    """Return the class of the number of tokens."""
    tokens = len(parse.tokens)
    return str(sum(tokens >= limit for limit in LENGTHS))


def depth(parse: Parse) -> str:
    """Return the number of arcs from the root to the deepest token, at most 8."""
    deepest = 0
    for token in range(len(parse.tokens)):
        arcs = 0
        while parse.heads[token] != token:
            token = parse.heads[token]
            arcs += 1
        deepest = max(deepest, arcs)
    return str(min(deepest, 8))


def tense(parse: Parse) -> str | None:
    """Return the tense of the main verb, or of its first auxiliary."""
    root = _root(parse)
    for token in (*_children(parse, root, "aux"), *_children(parse, root, "cop"), root):
        found = _feature(parse, token, "Tense")
        if found in {"Past", "Pres"}:
            return found
    return None


def subject_number(parse: Parse) -> str | None:
    """Return the number of the main verb's subject."""
    return _number(parse, "nsubj")


def object_number(parse: Parse) -> str | None:
    """Return the number of the main verb's object."""
    return _number(parse, "obj")


TASKS: dict[str, Callable[[Parse], str | None]] = {
    "Length": length,
    "Depth": depth,
    "Tense": tense,
    "SubjNumber": subject_number,
    "ObjNumber": object_number,
}


def _root(parse: Parse) -> int:
    return next(token for token, head in enumerate(parse.heads) if head == token)


def _children(parse: Parse, head: int, relation: str) -> Iterator[int]:
    for token, dep in enumerate(parse.deps):
        if dep == relation and parse.heads[token] == head:
            yield token


def _number(parse: Parse, relation: str) -> str | None:
    for token in _children(parse, _root(parse), relation):
        if parse.pos[token] in {"NOUN", "PROPN"}:
            return _feature(parse, token, "Number")
    return None


def _feature(parse: Parse, token: int, name: str) -> str | None:
    for feature in parse.morphs[token].split("|"):
        key, _, value = feature.partition("=")
        if key == name:
            return value
    return None


def tasks(paths: Sequence[Path]) -> dict[str, list[tuple[str, str]]]:
    """Return the rows of each task, class and text; classes with few rows are left out."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in (*TASKS, "BigramShift")}
    draw = random.Random(1111)
    for path in paths:
        for sentence in read_treebank(path):
            if not SHORTEST <= len(sentence.parse.tokens) <= LONGEST:
                continue
            for name, label in TASKS.items():
                value = label(sentence.parse)
                if value is not None:
                    found[name].append((value, sentence.text))
            found["BigramShift"].append(shifted(sentence.parse.tokens, draw))
    return {name: _frequent(rows) for name, rows in found.items()}


def shifted(tokens: Sequence[str], draw: random.Random) -> tuple[str, str]:
    """Return the tokens as they are, or, in half of the cases, with two neighbours exchanged."""
    words = list(tokens)
    place = draw.randrange(len(words) - 2)  # never the full stop
    if draw.random() < 0.5 or words[place] == words[place + 1]:
        return "as written", " ".join(words)
    words[place], words[place + 1] = words[place + 1], words[place]
    return "exchanged", " ".join(words)


def _frequent(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    counts = Counter(label for label, _ in rows)
    return [(label, text) for label, text in rows if counts[label] >= FEWEST]


def accuracies(
    rows: dict[str, list[tuple[str, str]]], encoder: SentenceTransformer
) -> Iterator[tuple[str, int, float, float]]:
    """Yield each task with its rows, the share of its most frequent class and the accuracy, in percent."""
    vectors = vectors_of(encoder, (text for found in rows.values() for _, text in found))
    for name, found in rows.items():
        counts = Counter(label for label, _ in found)
        if len(counts) < 2:
            continue
        labels = np.array([label for label, _ in found])
        features = np.array([vectors[text] for _, text in found])
        shares = cross_val_score(regression(choice(FOLDS)), features, labels, cv=division(FOLDS))
        majority = max(counts.values()) / len(found)
        yield name, len(found), 100 * majority, 100 * float(shares.mean())


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", nargs="+", type=Path)
    parser.add_argument("--encoder")
    arguments = parser.parse_args()
    encoder = load(arguments.encoder)
    lines = [
        (name, f"{rows:,}", f"{majority:.1f}", f"{accuracy:.1f}")
        for name, rows, majority, accuracy in accuracies(tasks(arguments.treebank), encoder)
    ]
    print(markdown_table(("task", "sentences", "most frequent class", "accuracy"), lines))


if __name__ == "__main__":
    main()
