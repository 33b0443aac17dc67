"""Train word vectors for the English parser on Europarl and Tatoeba, both free to redistribute.

usage: python quickstart/train/vectors.py CORPORA OUT.vec    (needs `pip install floret`, which nothing else here does)

CORPORA is the folder that prepare.py takes; of it, only the English side of Europarl and Tatoeba is read. Words are
lower-cased and cut by spaCy's tokenizer, as the parser will see them. The 16,000 most frequent get 64 dimensions.
"""

import gzip
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import floret
import spacy

SOURCES = ("europarl.fr-en", "tatoeba.fr-en", "tatoeba.es-en", "tatoeba.de-en")
DIMENSIONS = 64
MOST = 16_000


def sentences(corpora: Path) -> Iterator[str]:
    """Yield each English sentence once."""
    seen: set[str] = set()
    for name in SOURCES:
        with gzip.open(corpora / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                text = line.rstrip("\n").split("\t")[1].strip()
                if text not in seen:
                    seen.add(text)
                    yield text


def tokenize(corpora: Path, out: Path) -> None:
    """Write a line of tokens for each sentence."""
    tokenizer = spacy.blank("en").tokenizer
    with out.open("w", encoding="utf-8") as lines:
        for text in sentences(corpora):
            lines.write(" ".join(token.lower_ for token in tokenizer(text) if not token.is_space) + "\n")


def train(text: Path, out: Path) -> None:
    """Train skip-grams with a window of three words and write them in word2vec's text format."""
    model = floret.train_unsupervised(
        str(text), model="skipgram", dim=DIMENSIONS, ws=3, epoch=3, minCount=6, minn=3, maxn=5, bucket=200_000,
        thread=1, neg=5, lr=0.05, verbose=0,
    )  # fmt: skip
    words = [word for word in model.get_words() if word != "</s>"][:MOST]
    with out.open("w", encoding="utf-8") as lines:
        lines.write(f"{len(words)} {DIMENSIONS}\n")
        for word in words:
            lines.write(" ".join([word, *(f"{value:.4f}" for value in model.get_word_vector(word))]) + "\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        tokenize(Path(sys.argv[1]), Path(folder) / "words.txt")
        train(Path(folder) / "words.txt", Path(sys.argv[2]))
