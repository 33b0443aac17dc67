"""Turn sentence pairs into training examples, held-out sets and a joint SentencePiece vocabulary.

usage: python quickstart/train/prepare.py CORPORA OUT [STEP]

CORPORA has files `<corpus>.<language>-en.tsv.gz` (foreign TAB English, one pair per line; see README.md). Writes
`OUT/heldout/*.tsv.gz`, `OUT/examples/<language>.<kind>.tsv.gz` and `OUT/tokenizer/`. No English and no foreign sentence
of a held-out set occurs in training, in any language or corpus. With STEP 20 only every 20th pair is read, for a trial.
"""

import gzip
import json
import math
import random
import re
import shutil
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean

import sentencepiece
from sacremoses import MosesDetokenizer

Pair = tuple[str, str]

SEED = 20
VOCABULARY = 8000
HELD_OUT = {
    "test": 1000,
    "dev": 400,
    "long": 200,
}  # pairs per language; `long` has 12 to 30 English words
PROSE = {"fr": "europarl", "es": "newscommentary", "de": "comtrans"}
MOST_PROSE, JOINED = 80_000, 150_000  # examples per language
FOLDED = {"'": "‘’‚‛ʼ´`", '"': "“”„‟«»", "-": "‐‑‒–—−", "...": "…", " ": "\u00a0\u2002\u2003\u2009\u202f\u3000\t",
          "oe": "œ", "": "\u200b\u00ad\ufeff"}  # fmt: skip
"""Typographic variants that the vocabulary does not distinguish."""
REQUIRED = "¡¿€$%°ÀÂÄÁÇÉÈÊËÍÎÏÑÓÔÖÚÙÛÜßàâäáçéèêëíîïñóôöúùûü0123456789"
CONNECTIVES = {
    "fr": " et | and ;, mais |, but ; parce que | because ;, car | because ;, donc |, so ; alors que | while ",
    "es": " y | and ;, pero |, but ; porque | because ;, así que |, so ; mientras | while ; mientras que | while ",
    "de": " und | and ;, und |, and ;, aber |, but ;, denn | because ;, doch |, but ",
}
"""Connectives that do not change the word order of the clauses: foreign|English;..."""


def read_pairs(path: Path, step: int) -> Iterator[Pair]:
    """Yield the plausible pairs among every `step`-th pair of a file."""
    corpus, language = path.name.split("-")[0].split(".")
    detokenize = [MosesDetokenizer(lang=name).detokenize for name in (language, "en")]
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, step):
            sides = line.rstrip("\n").split("\t")
            if corpus == "comtrans":
                sides = [detokenize[number](side.split()) for number, side in enumerate(sides)]
            sides = [" ".join(unicodedata.normalize("NFC", side).split()) for side in sides]
            if len(sides) == 2 and is_plausible(*sides):
                yield sides[0], sides[1]


def is_plausible(foreign: str, english: str) -> bool:
    """Return True if two texts can be translations of each other, by length, letters and difference."""
    shorter, longer = sorted((len(foreign), len(english)))
    letters = sum(map(str.isalpha, foreign + english))
    is_alike = longer <= min(400, 2.5 * shorter + 15) and letters >= 0.6 * (longer + shorter)
    return is_alike and shorter > 0 and foreign != english


def key(text: str) -> str:
    """Return the letters and digits of a sentence; sentences with equal keys count as the same."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text."""
    return re.findall(r"[^\W\d_]+", text.lower())


def hold_out(
    pairs: list[Pair], seen: set[str], chance: random.Random
) -> Iterator[tuple[str, list[Pair]]]:
    """Yield name and pairs of each held-out set of a language; add their keys, which are all new, to `seen`."""
    shuffled = chance.sample(pairs, len(pairs))
    for name, size in HELD_OUT.items():
        drawn: list[Pair] = []
        for pair in shuffled:
            keys = set(map(key, pair))
            if (
                len(drawn) < size
                and not keys & seen
                and (name != "long" or 12 <= len(words(pair[1])) <= 30)
            ):
                seen |= keys
                drawn.append(pair)
        yield name, drawn


def select_prose(pairs: Iterable[Pair], counts: Counter[str]) -> list[Pair]:
    """Return the pairs of 8 to 35 words whose English words are the most frequent in everyday sentences."""
    medium = [pair for pair in pairs if all(8 <= len(side.split()) <= 35 for side in pair)]
    medium.sort(
        key=lambda pair: fmean(-math.log(counts[word] + 0.1) for word in words(pair[1]) or [""])
    )
    return medium[:MOST_PROSE]


def join_pairs(
    pairs: list[Pair], language: str, count: int, chance: random.Random
) -> Iterator[Pair]:
    """Yield examples of two short pairs each: half of them side by side, half joined by a connective."""
    inside = [Counter(word for pair in pairs for word in pair[side].split()[1:]) for side in (0, 1)]
    short = [pair for pair in pairs if all(3 <= len(side.split()) <= 14 for side in pair)]
    statements = [
        pair for pair in short if all(re.fullmatch(r'[^"]*[^."]\.', side) for side in pair)
    ]
    connectives = [entry.split("|") for entry in CONNECTIVES[language].split(";")]
    for number in range(count):
        if number % 2:
            (first, second), connective = (
                chance.choices(statements, k=2),
                chance.choice(connectives),
            )
            joined = [
                link(first[side][:-1], connective[side], second[side], inside[side])
                for side in (0, 1)
            ]
        else:
            first, second = chance.choices(short, k=2)
            joined = [f"{first[side]} {second[side]}" for side in (0, 1)]
        yield joined[0], joined[1]


def link(first: str, connective: str, second: str, inside: Counter[str]) -> str:
    """Join two clauses; the second begins in lower case if its first word mostly does so inside sentences."""
    opening, _, rest = second.partition(" ")
    if inside[opening.lower()] > inside[opening.lower().capitalize()]:
        opening = opening.lower()
    if connective in {" parce que ", " alors que "} and re.match(
        "[aeiouéèêàâîôûh]", opening.lower()
    ):
        connective = connective.replace("que ", "qu'")
    if connective == " y " and re.match(r"h?i(?!e)", opening.lower()):
        connective = " e "
    return f"{first}{connective}{opening} {rest}".strip()


def train_vocabulary(texts: list[str], folder: Path, chance: random.Random) -> None:
    """Train a joint unigram vocabulary and write it as a Marian tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    rules = folder / "folded.tsv"
    codes = [(variant, plain) for plain, variants in FOLDED.items() for variant in variants]
    codes += [(unicodedata.normalize("NFD", chr(code)), chr(code)) for code in range(0xC0, 0x180)]
    lines = [
        "\t".join(" ".join(f"{ord(c):X}" for c in side) for side in pair)
        for pair in codes
        if pair[0] != pair[1]
    ]
    rules.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(chance.sample(texts, min(600_000, len(texts)))), model_prefix=str(folder / "source"),
        model_type="unigram", vocab_size=VOCABULARY, character_coverage=0.9998, required_chars=REQUIRED,
        normalization_rule_tsv=str(rules), eos_id=0, unk_id=1, bos_id=-1, pad_id=-1, num_threads=2, minloglevel=1,
    )  # fmt: skip
    (folder / "source.model").rename(folder / "source.spm")
    shutil.copyfile(folder / "source.spm", folder / "target.spm")
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    entries = {pieces.id_to_piece(index): index for index in range(len(pieces))} | {
        "<pad>": len(pieces)
    }
    (folder / "vocab.json").write_text(
        json.dumps(entries, ensure_ascii=False, indent=0), encoding="utf-8"
    )


def write(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as gzipped tab-separated values."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(f"{foreign}\t{english}\n" for foreign, english in pairs)


def main(corpora: Path, out: Path, step: int) -> None:
    """Write held-out sets, examples and vocabulary."""
    chance, seen = random.Random(SEED), set[str]()
    tatoeba = {
        lang: list(dict.fromkeys(read_pairs(corpora / f"tatoeba.{lang}-en.tsv.gz", step)))
        for lang in PROSE
    }
    for language, pairs in tatoeba.items():
        for name, drawn in hold_out(pairs, seen, chance):
            write(out / "heldout" / f"{name}.{language}.tsv.gz", drawn)

    def free(pairs: Iterable[Pair]) -> list[Pair]:
        return [pair for pair in pairs if not seen & set(map(key, pair))]

    everyday = {language: free(pairs) for language, pairs in tatoeba.items()}
    counts = Counter(
        word for pairs in everyday.values() for _, english in pairs for word in words(english)
    )
    texts: list[str] = []
    for language, pairs in everyday.items():
        prose = dict.fromkeys(read_pairs(corpora / f"{PROSE[language]}.{language}-en.tsv.gz", step))
        kinds = {"everyday": pairs, "prose": free(select_prose(prose, counts))}
        texts += [side for examples in kinds.values() for pair in examples for side in pair]
        kinds["joined"] = list(join_pairs(pairs, language, JOINED // step, chance))
        for kind, examples in kinds.items():
            write(out / "examples" / f"{language}.{kind}.tsv.gz", examples)
            print(f"{language}.{kind}: {len(examples):,} pairs", flush=True)
    train_vocabulary(texts, out / "tokenizer", chance)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int((sys.argv[3:] or ["1"])[0]))
