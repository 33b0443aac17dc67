"""Train the small pipelines of other languages than English that the rules' tests use: 90 CPU seconds each.

usage: python quickstart/train/small.py UD OUT [LANGUAGE...]

UD is a folder of treebanks of Universal Dependencies; OUT/LANGUAGE becomes a spaCy pipeline. All but the French
one learn from development sets (718 to 1,400 sentences), the only ones at hand. The weights after the last step are
taken: no development set chooses among them, and the test sets stay unseen.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import spacy
import treebanks
from conllu import read_treebank
from spacy.cli.train import train
from spacy.tokens import DocBin

STEPS = 600
TREEBANKS = {
    "fr": ("fr_sequoia-ud-train", "Universal Dependencies French Sequoia, train", "LGPL-LR"),
    "de": ("de_gsd-ud-dev", "Universal Dependencies German GSD, dev", "CC BY-SA 4.0"),
    "es": ("es_gsd-ud-dev", "Universal Dependencies Spanish GSD, dev", "CC BY-SA 4.0"),
    "nl": ("nl_alpino-ud-dev", "Universal Dependencies Dutch Alpino, dev", "CC BY-SA 4.0"),
    "pt": ("pt_bosque-ud-dev", "Universal Dependencies Portuguese Bosque, dev", "CC BY-SA 4.0"),
}
SMALL: dict[str, Any] = {
    "components.tok2vec.model.embed.include_static_vectors": False,
    "components.tok2vec.model.embed.rows": [2000, 500, 1500, 1000],
    "components.tok2vec.model.encode.width": 96,
    "components.parser.min_action_freq": 5,
    "components.parser.model.hidden_width": 64,
    "components.parser.model.maxout_pieces": 2,
}


def small(language: str, folder: Path, out: Path, *, steps: int = STEPS) -> None:
    """Train a pipeline and write it, with its treebank and licence in meta.json."""
    name, title, licence = TREEBANKS[language]
    sentences = list(read_treebank(folder / f"{name}.conllu.gz"))
    tags = [tag for sentence in sentences for tag in sentence.parse.tags]
    tagger = (
        ["tagger"] if sum(map(bool, tags)) > len(tags) / 2 else []
    )  # German GSD has tags of its own (STTS)
    examples = treebanks.documents(language, sentences, spoil=True)
    with tempfile.TemporaryDirectory() as work:
        paths = {f"paths.{part}": f"{work}/{part}.spacy" for part in ("train", "dev")}
        examples.to_disk(paths["paths.train"])
        DocBin(docs=list(examples.get_docs(spacy.blank(language).vocab))[:20]).to_disk(
            paths["paths.dev"]
        )  # for the log
        pipeline = ["tok2vec", *tagger, "morphologizer", "trainable_lemmatizer", "parser"]
        settings = {"nlp.lang": language, "nlp.pipeline": pipeline}
        limits = {"training.max_steps": steps, "training.eval_frequency": steps}
        train(
            Path(__file__).with_name("parser.cfg"),
            work,
            overrides=SMALL | paths | settings | limits,
        )
        nlp = spacy.load(Path(work, "model-last"))
        description = f"Small, for tests. Learned from {title}."
        nlp.meta.update(name="ud_small", version="1.0.0", license=licence, description=description)
        out.mkdir(parents=True, exist_ok=True)
        nlp.to_disk(out)


if __name__ == "__main__":
    for language in sys.argv[3:] or TREEBANKS:
        small(language, Path(sys.argv[1]), Path(sys.argv[2], language))
