"""SentEval's text tasks (Conneau and Kiela 2018) with frozen sentence vectors and logistic regression.

usage: python benchmarks/transfer.py SENTEVAL [ENCODER] [--folds 10]

SENTEVAL has SentEval's files, gzipped. ENCODER is a folder of sentence-transformers, such as `model` of a trained
classifier; by default all-MiniLM-L6-v2. Prints the accuracy of each task in percent. C is chosen among 2^-2 .. 2^3: by
ten folds within each of ten (MR, CR, SUBJ, MPQA), ten folds of the training part (TREC) or the development part (SST2).
Fewer folds are for quick comparisons: C is then chosen by a tenth of the training part, which takes three folds a
thirtieth of the time. An lstm gets the first vectors of the words that its training did not have, as in Discovery.
"""

import argparse
import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import WordEmbeddings
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import (
    PredefinedSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
)

from bitext_pivot.core.hub import hub
from bitext_pivot.research.models.pair_classifier import word_vectors, words_of
from bitext_pivot.research.models.training_settings import ENCODER, LSTM, Start

FOLDS = 10
_SEED = 1111
_AT_ONCE = 128
PAIRS = {
    "MR": ("rt-polarity.neg", "rt-polarity.pos"),
    "CR": ("custrev.neg", "custrev.pos"),
    "SUBJ": ("subj.objective", "subj.subjective"),
    "MPQA": ("mpqa.neg", "mpqa.pos"),
}
"""Tasks without a division: a file for each class."""


def read(path: Path) -> list[tuple[str, str]]:
    """Return class and text of each line of a file in UTF-8, or else in Latin-1."""
    data = gzip.decompress(path.read_bytes())
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = [line.strip() for line in text.rstrip("\n").split("\n")]
    if not path.name.startswith(("TREC", "sst2")):
        return [(path.stem, line) for line in lines]
    return [
        (label.partition(":")[0], rest)
        for label, _, rest in (line.partition(" ") for line in lines)
    ]


def division(folds: int) -> StratifiedKFold:
    """Return a division into so many folds."""
    return StratifiedKFold(folds, shuffle=True, random_state=_SEED)


def choice(folds: int) -> StratifiedKFold | StratifiedShuffleSplit:
    """Return the division by which C is chosen: folds, or one tenth of the rows if there are fewer than ten."""
    if folds >= FOLDS:
        return division(folds)
    return StratifiedShuffleSplit(1, test_size=0.1, random_state=_SEED)


def regression(folds: Any, **options: Any) -> LogisticRegressionCV:
    """Return a classifier that chooses C by folds."""
    return LogisticRegressionCV(
        Cs=2.0 ** np.arange(-2, 4),
        cv=folds,
        l1_ratios=(0,),
        max_iter=1000,
        scoring="accuracy",
        use_legacy_attributes=False,
        **options,
    )


def widen(words: Any, texts: list[str]) -> None:
    """Add the words of texts to those that an lstm knows."""
    tokenizer, table = words.tokenizer, words.emb_layer
    names = sorted({*words_of(texts)} - {*tokenizer.get_vocab()})
    tokenizer.set_vocab([*tokenizer.get_vocab(), *names])
    vectors = torch.tensor(word_vectors(names, Start(start=LSTM))[1:]).to(table.weight.device)
    table.weight.data = torch.cat([table.weight.data, vectors])


def vectors_of(encoder: SentenceTransformer, texts: Iterable[str]) -> dict[str, np.ndarray]:
    """Return the vector of each text; an lstm learns the words that its training did not have."""
    names = sorted({*texts})
    if isinstance(encoder[0], WordEmbeddings):
        widen(encoder[0], names)
    encoded = encoder.encode(names, batch_size=_AT_ONCE)
    finite = np.where(np.isfinite(encoded), encoded, 0)  # max pooling of no word: -inf
    return dict(zip(names, finite, strict=True))


def load(folder: str | None) -> SentenceTransformer:
    """Return the encoder in a folder, by default all-MiniLM-L6-v2."""
    if folder is None:
        folder = str(hub.fetch(ENCODER, choose=hub.choose_files, setting="ENCODER").folder)
    return SentenceTransformer(folder, device="cpu")


def accuracies(
    data: Path, encoder: SentenceTransformer, folds: int = FOLDS
) -> Iterator[tuple[str, float]]:
    """Encode each text once, and yield each task with its accuracy in percent."""
    files = {path.stem: read(path) for path in sorted(data.glob("*.gz"))}
    vectors = vectors_of(encoder, (text for rows in files.values() for _, text in rows))

    def rows(*names: str) -> tuple[np.ndarray, np.ndarray]:
        labels, named = zip(*(row for name in names for row in files[name]), strict=True)
        return np.array([vectors[text] for text in named]), np.array(labels)

    chosen_by = choice(folds)
    for task, names in PAIRS.items():
        shares = cross_val_score(regression(chosen_by), *rows(*names), cv=division(folds))
        yield task, 100 * float(shares.mean())
    # One fold and no refit: the weights are those of the training part with the best C.
    part = PredefinedSplit([-1] * len(files["sst2.train"]) + [0] * len(files["sst2.dev"]))
    chosen = regression(part, refit=False).fit(*rows("sst2.train", "sst2.dev"))
    yield "SST2", 100 * chosen.score(*rows("sst2.test"))
    yield "TREC", 100 * regression(chosen_by).fit(*rows("TREC.train")).score(*rows("TREC.test"))


def main() -> None:
    """Print the accuracy of each task."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("senteval", type=Path)
    parser.add_argument("encoder", nargs="?")
    parser.add_argument("--folds", type=int, default=FOLDS)
    arguments = parser.parse_args()
    encoder = load(arguments.encoder)
    for task, accuracy in accuracies(arguments.senteval, encoder, arguments.folds):
        print(task, round(accuracy, 1), flush=True)


if __name__ == "__main__":
    main()
