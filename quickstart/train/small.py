"""Train the small French, German and Spanish pipelines that tests of the rules use: two minutes of one core each.

usage: python quickstart/train/small.py UD OUT [LANGUAGE...]

UD is a folder of treebanks of Universal Dependencies; OUT/LANGUAGE becomes a spaCy pipeline. German and Spanish learn
from the development sets of GSD, because only these are at hand: 799 and 1,400 sentences. No development set is kept
for choosing: the weights after the last step are taken, so that a test set stays unseen.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy
import treebanks
from spacy.cli.train import train
from spacy.tokens import DocBin

from pairs.treebank import TreebankSentence, read_treebank

STEPS = 600
LEARNS_FROM = {
    "fr": ("fr_sequoia-ud-train", "Universal Dependencies French Sequoia, train", "LGPL-LR"),
    "de": ("de_gsd-ud-dev", "Universal Dependencies German GSD, dev", "CC BY-SA 4.0"),
    "es": ("es_gsd-ud-dev", "Universal Dependencies Spanish GSD, dev", "CC BY-SA 4.0"),
}
SMALL: dict[str, Any] = {
    "training.max_steps": STEPS,
    "training.eval_frequency": STEPS,
    "components.tok2vec.model.embed.include_static_vectors": False,
    "components.tok2vec.model.embed.rows": [2000, 500, 1500, 1000],
    "components.tok2vec.model.encode.width": 96,
    "components.parser.min_action_freq": 5,
    "components.parser.model.hidden_width": 64,
    "components.parser.model.maxout_pieces": 2,
}
SHOWN = 20  # documents of the training set that the trainer's log is about


def components(sentences: Sequence[TreebankSentence]) -> list[str]:
    """Return the parts of a pipeline; a tagger only where the treebank has tags of its own, as German GSD (STTS)."""
    tags = [tag for sentence in sentences for tag in sentence.parse.tags]
    tagger = ["tagger"] if sum(map(bool, tags)) > len(tags) / 2 else []
    return ["tok2vec", *tagger, "morphologizer", "trainable_lemmatizer", "parser"]


def documents(language: str, sentences: Sequence[TreebankSentence]) -> DocBin:
    """Return a treebank as training documents, with sentences pasted together and spoilt ones."""
    runs = [*treebanks.paragraphs(sentences), *treebanks.pasted(sentences), *treebanks.spoilt(sentences)]
    vocab = spacy.blank(language).vocab
    return DocBin(docs=[treebanks.doc(vocab, run) for run in runs], store_user_data=False)


def small(language: str, treebanks_folder: Path, out: Path, *, steps: int = STEPS) -> None:
    """Train a pipeline and write it, with where it comes from in its meta.json."""
    name, title, licence = LEARNS_FROM[language]
    sentences = list(read_treebank(treebanks_folder / f"{name}.conllu.gz"))
    found = documents(language, sentences)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        found.to_disk(work / "train.spacy")
        vocab = spacy.blank(language).vocab
        DocBin(docs=list(found.get_docs(vocab))[:SHOWN]).to_disk(work / "shown.spacy")
        paths = {"paths.train": str(work / "train.spacy"), "paths.dev": str(work / "shown.spacy"), "nlp.lang": language}
        steps_too = {"training.max_steps": steps, "training.eval_frequency": steps}
        changes = SMALL | paths | steps_too | {"nlp.pipeline": components(sentences)}
        train(Path(__file__).with_name("parser.cfg"), work, overrides=changes)
        nlp = spacy.load(work / "model-last")
        nlp.meta.update(
            name="ud_small", version="1.0.0", license=licence, description=f"Small, for tests. Learned from {title}."
        )
        out.mkdir(parents=True, exist_ok=True)
        nlp.to_disk(out)


if __name__ == "__main__":
    for asked in sys.argv[3:] or LEARNS_FROM:
        small(asked, Path(sys.argv[1]), Path(sys.argv[2], asked))
