"""How good spaCy pipelines are on single sentences of treebanks of Universal Dependencies.

usage: python benchmarks/parsers.py LANGUAGE PIPELINE[,PIPELINE...] TREEBANK.conllu.gz...

Words are aligned by their characters without blanks, as the CoNLL 2018 shared task does, and figures are its F1: UPOS,
lemma, UAS, LAS (labels with their subtypes) and sentences. A contraction that is no mere chain of its words (`du`) is
one word of the treebank here. `split` is the share of sentences that fall into more than one tree. The time includes
records and figures.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pairs.records import Parse
from pairs.syntax.parsing import Parser, Pipeline, load, parse_texts
from pairs.syntax.treebank import TreebankSentence, read_treebank

Span = tuple[int, int]
COLUMNS = ("upos", "lemma", "uas", "las", "sents")


def spans(tokens: Sequence[str]) -> list[Span]:
    """Return where tokens begin and end, blanks left out of account."""
    found, start = [], 0
    for token in tokens:
        end = start + len("".join(token.split()))
        found.append((start, end))
        start = end
    return found


def facts(parse: Parse) -> dict[str, set[tuple[object, ...]]]:
    """Return what a parse says, by column; equal facts of the treebank and the pipeline are right answers."""
    places = spans(parse.tokens)
    heads = [places[head] if head != n else None for n, head in enumerate(parse.heads)]
    labels = ["" if head is None else dep for head, dep in zip(heads, parse.deps, strict=True)]
    return {
        "upos": set(zip(places, parse.pos, strict=True)),
        "lemma": set(zip(places, (lemma.lower() for lemma in parse.lemmas), strict=True)),
        "uas": set(zip(places, heads, strict=True)),
        "las": set(zip(places, heads, labels, strict=True)),
        "sents": trees(parse, places),
    }


def trees(parse: Parse, places: Sequence[Span]) -> set[tuple[object, ...]]:
    """Return where each tree begins and ends."""
    roots = []
    for n in range(len(parse.heads)):
        root = n
        while parse.heads[root] != root:
            root = parse.heads[root]
        roots.append(root)
    ends: dict[int, list[int]] = {}
    for root, (start, end) in zip(roots, places, strict=True):
        ends.setdefault(root, [start, end])[1] = end
    return {tuple(end) for end in ends.values()}


def measure(sentences: Sequence[TreebankSentence], pipeline: Pipeline) -> tuple[dict[str, float], float]:
    """Return F1 by column, and the share of sentences with more than one tree."""
    right, asked, given = (dict.fromkeys(COLUMNS, 0) for _ in range(3))
    split = 0
    for sentence, parse in zip(sentences, parse_texts([one.text for one in sentences], pipeline), strict=True):
        told = facts(parse) if isinstance(parse, Parse) else {name: set() for name in COLUMNS}
        split += len(told["sents"]) > 1
        for name, truth in facts(sentence.parse).items():
            right[name] += len(truth & told[name])
            asked[name] += len(truth)
            given[name] += len(told[name])
    return {name: 200 * right[name] / (asked[name] + given[name]) for name in COLUMNS}, 100 * split / len(sentences)


def megabytes(folder: Path) -> float:
    """Return the size of a pipeline's files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main(language: str, names: Sequence[str], treebanks: Sequence[Path]) -> None:
    """Print a line for each pipeline and treebank."""
    print(f"{'':40}" + "".join(f"{column:>7}" for column in (*COLUMNS, "split")) + " MB, tokens per CPU second")
    for name in names:
        pipeline = load(Parser(pipeline=name), language)
        for treebank in treebanks:
            sentences = list(read_treebank(treebank))
            size = sum(len(sentence.parse.tokens) for sentence in sentences)
            start = time.process_time()
            figures, split = measure(sentences, pipeline)
            speed = size / (time.process_time() - start)
            label = f"{Path(name).name} {treebank.name.partition('-ud-')[0]}"
            columns = "".join(f"{figures[column]:7.1f}" for column in COLUMNS)
            print(f"{label:40}{columns}{split:7.1f}{megabytes(Path(name)):6.1f} {speed:,.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2].split(","), list(map(Path, sys.argv[3:])))
