"""Train the small pipelines of other languages than English that the rules' tests use: 90 CPU seconds each.

usage: python quickstart/train/small.py UD OUT

UD is a folder of treebanks of Universal Dependencies; OUT/LANGUAGE becomes a spaCy pipeline. All but the French
one learn from development sets (718 to 1,400 sentences), the only ones at hand. They see running text, sentences pasted
together, and a few damaged ones. The weights after the last step are taken: no development set chooses among them, and
the test sets stay unseen.
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import spacy
from conllu import TreebankSentence, read_treebank
from spacy.cli.train import train
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

STEPS = 600
TREEBANKS = {
    "fr": ("fr_sequoia-ud-train", "Universal Dependencies French Sequoia, train", "LGPL-LR"),
    "de": ("de_gsd-ud-dev", "Universal Dependencies German GSD, dev", "CC BY-SA 4.0"),
    "es": ("es_gsd-ud-dev", "Universal Dependencies Spanish GSD, dev", "CC BY-SA 4.0"),
    "nl": ("nl_alpino-ud-dev", "Universal Dependencies Dutch Alpino, dev", "CC BY-SA 4.0"),
    "pt": ("pt_bosque-ud-dev", "Universal Dependencies Portuguese Bosque, dev", "CC BY-SA 4.0"),
}
COLUMNS = ("lemmas", "tags", "pos", "morphs", "deps")
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
            lower = replace(parse, tokens=tuple(map(str.lower, parse.tokens)))
            yield [replace(sentence, parse=lower)]
        if number % 6 == 3 and parse.tokens[-1] in {".", "!", "?"} and len(parse.tokens) > 3:
            is_head = len(parse.tokens) - 1 in parse.heads  # then the token has to stay
            columns = {field.name: getattr(parse, field.name) for field in fields(parse)}
            shorter: dict[str, Any] = {
                name: column[:-1] for name, column in columns.items() if isinstance(column, tuple)
            }
            yield [sentence if is_head else replace(sentence, parse=replace(parse, **shorter))]


def document(vocab: Vocab, sentences: Sentences) -> Doc:
    """Return sentences as one annotated document."""
    words: dict[str, Any] = {name: [] for name in ("words", "spaces", "heads", *COLUMNS)}
    starts: list[bool | int | None] = []
    for sentence in sentences:
        parse = sentence.parse
        ends = [start + len(token) for start, token in zip(parse.starts, parse.tokens, strict=True)]
        words["heads"] += [len(starts) + head for head in parse.heads]
        words["words"] += parse.tokens
        words["spaces"] += [end < start for end, start in zip(ends, parse.starts[1:], strict=False)]
        words["spaces"].append(sentence.space_after)
        for name in COLUMNS:
            words[name] += getattr(parse, name)
        starts += [number == 0 for number in range(len(parse.tokens))]
    words["deps"] = ["ROOT" if dep == "root" else dep for dep in words["deps"]]
    return Doc(vocab, **words, sent_starts=starts)


def small(language: str, folder: Path, out: Path, *, steps: int = STEPS) -> None:
    """Train a pipeline and write it, with its treebank and licence in meta.json."""
    name, title, licence = TREEBANKS[language]
    sentences = list(read_treebank(folder / f"{name}.conllu.gz"))
    tags = [tag for sentence in sentences for tag in sentence.parse.tags]
    is_tagged = sum(map(bool, tags)) > len(tags) / 2  # German GSD has tags of its own (STTS)
    tagger = ["tagger"] if is_tagged else []
    vocab = spacy.blank(language).vocab
    runs = [*paragraphs(sentences), *pasted(sentences), *damaged(sentences)]
    docs = [document(vocab, run) for run in runs]
    with tempfile.TemporaryDirectory() as work:
        settings = {
            "paths.train": f"{work}/train.spacy",
            "paths.dev": f"{work}/dev.spacy",
            "nlp.lang": language,
            "nlp.pipeline": ["tok2vec", *tagger, "morphologizer", "trainable_lemmatizer", "parser"],
            "training.max_steps": steps,
            "training.eval_frequency": steps,
        }
        DocBin(docs=docs, store_user_data=False).to_disk(f"{work}/train.spacy")
        DocBin(docs=docs[:20]).to_disk(f"{work}/dev.spacy")  # for the log
        train(Path(__file__).with_name("parser.cfg"), work, overrides=settings)
        nlp = spacy.load(Path(work, "model-last"))
        description = f"Small, for tests. Learned from {title}."
        nlp.meta.update(name="ud_small", version="1.0.0", license=licence, description=description)
        out.mkdir(parents=True, exist_ok=True)
        nlp.to_disk(out)


if __name__ == "__main__":
    for language in TREEBANKS:
        small(language, Path(sys.argv[1]), Path(sys.argv[2], language))
