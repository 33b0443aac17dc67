"""Write a treebank as spaCy's training file: running text, sentences pasted together, and a few spoilt ones.

usage: python quickstart/train/treebanks.py LANGUAGE OUT.spacy TREEBANK.conllu.gz [--spoil]
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from pairs.records import Parse
from pairs.treebank import TreebankSentence, read_treebank

FINAL = {".", "!", "?"}
LONGEST = 6  # sentences a document


def paragraphs(sentences: Sequence[TreebankSentence]) -> Iterator[list[TreebankSentence]]:
    """Yield neighbours in runs of 1 to 6 sentences: half of them alone, as the sentences of a build are."""
    dice, waiting = random.Random(1), list(sentences)
    while waiting:
        size = 1 if dice.random() < 0.5 else dice.randint(2, LONGEST)
        yield waiting[:size]
        del waiting[:size]


def pasted(sentences: Sequence[TreebankSentence]) -> Iterator[list[TreebankSentence]]:
    """Yield pairs of longer sentences that are no neighbours, one in ten without a blank between."""
    dice = random.Random(2)
    longer = [sentence for sentence in sentences if len(sentence.parse.tokens) > 6]
    others = dice.sample(longer, len(longer))
    for first, second in list(zip(longer, others, strict=True))[::4]:
        yield [replace(first, space_after=dice.random() > 0.1), second]


def spoilt(sentences: Sequence[TreebankSentence]) -> Iterator[list[TreebankSentence]]:
    """Yield a sixth of the sentences in lower case, and another without their last mark."""
    for number, sentence in enumerate(sentences):
        if number % 6 == 0:
            yield [lowered(sentence)]
        if number % 6 == 3 and sentence.parse.tokens[-1] in FINAL and len(sentence.parse.tokens) > 3:
            yield [unmarked(sentence)]


def lowered(sentence: TreebankSentence) -> TreebankSentence:
    """Return a sentence in lower case."""
    tokens = tuple(token.lower() for token in sentence.parse.tokens)
    return replace(sentence, parse=replace(sentence.parse, tokens=tokens))


def unmarked(sentence: TreebankSentence) -> TreebankSentence:
    """Return a sentence without its last token, which nothing may hang from."""
    parse = sentence.parse
    if len(parse.tokens) - 1 in parse.heads:
        return sentence
    columns = ("tokens", "starts", "lemmas", "tags", "pos", "morphs", "deps", "heads")
    return replace(sentence, parse=replace(parse, **{name: getattr(parse, name)[:-1] for name in columns}))


def doc(vocab: Vocab, sentences: Sequence[TreebankSentence]) -> Doc:
    """Return sentences as one annotated document."""
    parses = [sentence.parse for sentence in sentences]
    starts = [sum(len(parse.tokens) for parse in parses[:n]) for n in range(len(parses))]
    columns = {
        name: [value for parse in parses for value in getattr(parse, field)]
        for name, field in {
            "words": "tokens",
            "lemmas": "lemmas",
            "tags": "tags",
            "pos": "pos",
            "morphs": "morphs",
        }.items()
    }
    return Doc(
        vocab,
        **columns,
        spaces=[space for sentence in sentences for space in spaces(sentence)],
        deps=["ROOT" if dep == "root" else dep for parse in parses for dep in parse.deps],
        heads=[start + head for start, parse in zip(starts, parses, strict=True) for head in parse.heads],
        sent_starts=[n == 0 for parse in parses for n in range(len(parse.tokens))],
    )


def spaces(sentence: TreebankSentence) -> list[bool]:
    """Tell behind which tokens a blank stands."""
    parse: Parse = sentence.parse
    ends = [start + len(token) for start, token in zip(parse.starts, parse.tokens, strict=True)]
    return [end < start for end, start in zip(ends, parse.starts[1:], strict=False)] + [sentence.space_after]


def main() -> None:
    """Write the file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("language")
    arguments.add_argument("out", type=Path)
    arguments.add_argument("treebank", type=Path)
    arguments.add_argument("--spoil", action="store_true")
    given = arguments.parse_args()
    sentences = list(read_treebank(given.treebank))
    runs = list(paragraphs(sentences))
    if given.spoil:
        runs += [*pasted(sentences), *spoilt(sentences)]
    vocab = spacy.blank(given.language).vocab
    DocBin(docs=[doc(vocab, run) for run in runs], store_user_data=False).to_disk(given.out)
    print(len(sentences), "sentences,", len(runs), "documents")


if __name__ == "__main__":
    main()
