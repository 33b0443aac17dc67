"""Write a treebank as spaCy's training file: running text, sentences pasted together, and a few damaged ones.

usage: python quickstart/train/treebanks.py LANGUAGE OUT.spacy TREEBANK.conllu.gz [--spoil]
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import spacy
from conllu import TreebankSentence, read_treebank
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

Sentences = Sequence[TreebankSentence]


def paragraphs(sentences: Sentences) -> Iterator[Sentences]:
    """Yield neighbours in runs of 1 to 6 sentences; half of the runs are single sentences, as in a build."""
    dice, start = random.Random(1), 0
    while start < len(sentences):
        size = 1 if dice.random() < 0.5 else dice.randint(2, 6)
        yield sentences[start : start + size]
        start += size


def pasted(sentences: Sentences) -> Iterator[Sentences]:
    """Yield pairs of longer sentences that are not neighbours, one in ten without a space between."""
    dice = random.Random(2)
    longer = [sentence for sentence in sentences if len(sentence.parse.tokens) > 6]
    for first, second in list(zip(longer, dice.sample(longer, len(longer)), strict=True))[::4]:
        yield [replace(first, space_after=dice.random() > 0.1), second]


def damaged(sentences: Sentences) -> Iterator[Sentences]:
    """Yield a sixth of the sentences in lower case, and another sixth without their final punctuation."""
    for number, sentence in enumerate(sentences):
        parse = sentence.parse
        if number % 6 == 0:
            yield [
                replace(sentence, parse=replace(parse, tokens=tuple(map(str.lower, parse.tokens))))
            ]
        if number % 6 == 3 and parse.tokens[-1] in {".", "!", "?"} and len(parse.tokens) > 3:
            is_head = len(parse.tokens) - 1 in parse.heads  # then the token has to stay
            columns = {field.name: getattr(parse, field.name) for field in fields(parse)}
            shorter: dict[str, Any] = {
                name: column[:-1] for name, column in columns.items() if isinstance(column, tuple)
            }
            yield [sentence if is_head else replace(sentence, parse=replace(parse, **shorter))]


def document(vocab: Vocab, sentences: Sentences) -> Doc:
    """Return sentences as one annotated document."""
    parses = [sentence.parse for sentence in sentences]
    names = {
        "words": "tokens",
        "lemmas": "lemmas",
        "tags": "tags",
        "pos": "pos",
        "morphs": "morphs",
        "deps": "deps",
    }
    columns: dict[str, Any] = {
        name: [value for parse in parses for value in getattr(parse, field)]
        for name, field in names.items()
    }
    columns["deps"] = ["ROOT" if dep == "root" else dep for dep in columns["deps"]]
    starts = [sum(len(parse.tokens) for parse in parses[:number]) for number in range(len(parses))]
    return Doc(
        vocab,
        **columns,
        spaces=[space for sentence in sentences for space in spaces(sentence)],
        heads=[
            start + head
            for start, parse in zip(starts, parses, strict=True)
            for head in parse.heads
        ],
        sent_starts=[number == 0 for parse in parses for number in range(len(parse.tokens))],
    )


def spaces(sentence: TreebankSentence) -> list[bool]:
    """Return for each token whether a space follows it."""
    parse = sentence.parse
    ends = [start + len(token) for start, token in zip(parse.starts, parse.tokens, strict=True)]
    return [end < start for end, start in zip(ends, parse.starts[1:], strict=False)] + [
        sentence.space_after
    ]


def documents(language: str, sentences: Sentences, *, spoil: bool) -> DocBin:
    """Return training documents, with `spoil` also pasted and damaged ones."""
    runs = [*paragraphs(sentences), *([*pasted(sentences), *damaged(sentences)] if spoil else [])]
    vocab = spacy.blank(language).vocab
    return DocBin(docs=[document(vocab, run) for run in runs], store_user_data=False)


if __name__ == "__main__":
    language, out, treebank = sys.argv[1:4]
    documents(language, list(read_treebank(Path(treebank))), spoil="--spoil" in sys.argv).to_disk(
        out
    )
