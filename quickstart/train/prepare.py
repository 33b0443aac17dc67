"""Turn sentence pairs into training data: held-out sets, a joint SentencePiece vocabulary, token files.

Input: a folder with ``<corpus>.<language>-en.tsv.gz`` files (foreign TAB English, one pair a line).
Output: ``<out>/heldout/*.tsv``, ``<out>/tokenizer/{source.spm,target.spm,vocab.json}`` and one token file
``<out>/tokens/<language>.<kind>.npz`` a group of examples. No English and no foreign sentence of a held-out set occurs
in training, in whatever language or corpus.
"""

import argparse
import gzip
import json
import math
import random
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import sentencepiece
from sacremoses import MosesDetokenizer

Pair = tuple[str, str]

LANGUAGES = ("fr", "es", "de")
PROSE = {"fr": "europarl", "es": "newscommentary", "de": "comtrans"}
TOKENISED = {"comtrans"}
PROSE_WORDS = range(8, 36)
LONG_WORDS = range(12, 31)
# Characters the vocabulary need not tell apart: typographic quotes, dashes and spaces.
FOLDED = {
    "'": "\u2018\u2019\u201a\u201b\u02bc\u00b4`",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212",
    "...": "\u2026",
    " ": "\u00a0\u2002\u2003\u2009\u202f\u3000\t",
    "oe": "\u0153",
    "": "\u200b\u00ad\ufeff",
}
REQUIRED = "¡¿€$%°ÀÂÄÁÇÉÈÊËÍÎÏÑÓÔÖÚÙÛÜßàâäáçéèêëíîïñóôöúùûü0123456789"
# (foreign, English) connectives that leave the word order of both clauses alone.
JOINTS: dict[str, list[Pair]] = {
    "fr": [
        (" et ", " and "),
        (", et ", ", and "),
        (", mais ", ", but "),
        (" parce que ", " because "),
        (", car ", " because "),
        (", donc ", ", so "),
        (" alors que ", " while "),
        (" pendant que ", " while "),
    ],
    "es": [
        (" y ", " and "),
        (", y ", ", and "),
        (", pero ", ", but "),
        (" porque ", " because "),
        (", así que ", ", so "),
        (" mientras ", " while "),
        (" mientras que ", " while "),
    ],
    "de": [
        (" und ", " and "),
        (", und ", ", and "),
        (", aber ", ", but "),
        (", denn ", " because "),
        (", doch ", ", but "),
    ],
}

ELIDED = (" parce que ", " alors que ", " pendant que ")


def read_pairs(path: Path) -> Iterator[Pair]:
    """Yield the clean (foreign, English) pairs of one gzipped TSV file."""
    corpus, language = path.name.split(".")[0], path.name.split(".")[1].split("-")[0]
    detokenizers = MosesDetokenizer(lang=language), MosesDetokenizer(lang="en")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            sides = line.rstrip("\n").split("\t")
            if len(sides) != 2:
                continue
            if corpus in TOKENISED:
                sides = [mend.detokenize(side.split()) for mend, side in zip(detokenizers, sides, strict=True)]
            foreign, english = (" ".join(unicodedata.normalize("NFC", side).split()) for side in sides)
            if is_plausible(foreign, english):
                yield foreign, english


def is_plausible(foreign: str, english: str) -> bool:
    """Tell whether two sides can be a translation of each other, by length, letters and difference."""
    if not foreign or not english or foreign == english:
        return False
    longer, shorter = max(len(foreign), len(english)), min(len(foreign), len(english))
    letters = sum(character.isalpha() for character in foreign + english)
    return longer <= 400 and longer <= 2.5 * shorter + 15 and letters >= 0.6 * (longer + shorter)


def key(text: str) -> str:
    """Give what two sentences must share to count as the same sentence: their letters and digits."""
    return "".join(character for character in unicodedata.normalize("NFKC", text).casefold() if character.isalnum())


def count_words(text: str) -> int:
    """Count blank-separated words that hold a letter or digit."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


def hold_out(tatoeba: dict[str, list[Pair]], sizes: dict[str, int], chance: random.Random) -> dict[str, list[Pair]]:
    """Draw the held-out sets of each language; every English and foreign key is drawn once."""
    heldout: dict[str, list[Pair]] = {}
    seen: set[str] = set()
    for language, pairs in tatoeba.items():
        shuffled = chance.sample(pairs, len(pairs))
        for name, size in sizes.items():
            drawn = heldout.setdefault(f"{name}.{language}", [])
            for foreign, english in shuffled:
                if len(drawn) == size:
                    break
                keys = {key(foreign), key(english)}
                if keys & seen or (name == "long" and count_words(english) not in LONG_WORDS):
                    continue
                seen |= keys
                drawn.append((foreign, english))
    return heldout


def select_prose(pairs: Iterable[Pair], frequencies: Counter[str], limit: int) -> list[Pair]:
    """Keep the `limit` pairs of medium length whose English reads most like everyday sentences."""
    total = sum(frequencies.values())

    def rarity(english: str) -> float:
        words = re.findall(r"[^\W\d_]+", english.lower())
        return sum(math.log(total / (frequencies[word] + 0.1)) for word in words) / max(1, len(words))

    medium = [pair for pair in pairs if all(count_words(side) in PROSE_WORDS for side in pair)]
    return sorted(medium, key=lambda pair: rarity(pair[1]))[:limit]


def find_lowerable(sentences: Iterable[str]) -> set[str]:
    """Give the words that are written small inside sentences more often than not (so not names, nouns or `I`)."""
    inside: Counter[str] = Counter(word for text in sentences for word in text.split()[1:])
    return {word for word in inside if word.islower() and inside[word] > inside[word.capitalize()]}


def join_pairs(pairs: list[Pair], language: str, count: int, chance: random.Random) -> list[Pair]:
    """Make longer examples of two short ones: half set side by side, half joined by a connective."""
    small = [find_lowerable(pair[side] for pair in pairs) for side in (0, 1)]
    short = [pair for pair in pairs if 3 <= count_words(pair[0]) <= 14 and 3 <= count_words(pair[1]) <= 14]
    joined = []
    while len(joined) < count:
        first, second = chance.choice(short), chance.choice(short)
        if chance.random() < 0.5:
            joined.append((f"{first[0]} {second[0]}", f"{first[1]} {second[1]}"))
            continue
        if not all(text.endswith(".") and not text.endswith("..") and '"' not in text for text in (*first, second[1])):
            continue
        words = chance.choice(JOINTS[language])
        linked = [link_clauses(first[side][:-1], words[side], second[side], small[side]) for side in (0, 1)]
        joined.append((linked[0], linked[1]))
    return joined


def link_clauses(first: str, joint: str, second: str, small: set[str]) -> str:
    """Join two clauses by a connective, writing the second clause's first word small where it usually is."""
    opening, _, rest = second.partition(" ")
    if opening.lower() in small:
        opening = opening.lower()
    if joint in ELIDED and opening[:1].lower() in "aeiouéèêàâîôûh":
        joint = joint.removesuffix("e ") + "'"
    if joint.endswith(" y ") and re.match(r"h?i(?!e)", opening.lower()):
        joint = joint.replace(" y ", " e ")
    return f"{first}{joint}{opening} {rest}".strip()


def train_vocabulary(
    texts: list[str], folder: Path, size: int, chance: random.Random
) -> sentencepiece.SentencePieceProcessor:
    """Train the joint unigram vocabulary and write it as a Marian tokenizer reads it."""
    folder.mkdir(parents=True, exist_ok=True)
    sample, rules = folder / "sample.txt", folder / "fold.tsv"
    sample.write_text("\n".join(chance.sample(texts, min(600_000, len(texts)))), encoding="utf-8")
    rules.write_text("".join(write_rules()), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(sample),
        model_prefix=str(folder / "joint"),
        model_type="unigram",
        vocab_size=size,
        character_coverage=0.9998,
        required_chars=REQUIRED,
        normalization_rule_tsv=str(rules),
        eos_id=0,
        unk_id=1,
        bos_id=-1,
        pad_id=-1,
        num_threads=2,
        minloglevel=1,
    )
    (folder / "joint.model").rename(folder / "source.spm")
    shutil.copyfile(folder / "source.spm", folder / "target.spm")
    for leftover in (sample, rules, folder / "joint.vocab"):
        leftover.unlink()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    vocabulary = {pieces.id_to_piece(index): index for index in range(len(pieces))}
    vocabulary["<pad>"] = len(pieces)
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False, indent=0), encoding="utf-8")
    return pieces


def write_rules() -> Iterator[str]:
    """Yield SentencePiece normalisation rules: fold typographic variants, compose accents."""
    for plain, variants in FOLDED.items():
        for variant in variants:
            yield f"{ord(variant):X}\t{' '.join(f'{ord(character):X}' for character in plain)}\n"
    for code in range(0xC0, 0x180):
        decomposed = unicodedata.normalize("NFD", chr(code))
        if len(decomposed) == 2:
            yield f"{ord(decomposed[0]):X} {ord(decomposed[1]):X}\t{code:X}\n"


def write_tokens(pairs: list[Pair], pieces: sentencepiece.SentencePieceProcessor, path: Path, longest: int = 80) -> int:
    """Write the token ids of both sides, one flat array a side with offsets; return the number of tokens."""
    sides = [pieces.encode([pair[side] for pair in pairs], num_threads=2) for side in (0, 1)]
    rows = [row for row in zip(*sides, strict=True) if max(map(len, row)) < longest]
    arrays = {}
    for name, side in zip(("source", "target"), zip(*rows, strict=True), strict=True):
        arrays[name] = np.concatenate([np.array([*row, 0], dtype=np.uint16) for row in side])
        arrays[f"{name}_ends"] = np.cumsum([len(row) + 1 for row in side])
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **arrays)
    return len(arrays["source"]) + len(arrays["target"])


def build_groups(data: Path, settings: argparse.Namespace, out: Path) -> dict[str, list[Pair]]:
    """Read the corpora, write the held-out sets, return the training pairs by `<language>.<kind>`."""
    chance = random.Random(settings.seed)
    tatoeba = {
        language: list(dict.fromkeys(read_pairs(data / f"tatoeba.{language}-en.tsv.gz"))) for language in LANGUAGES
    }
    heldout = hold_out(tatoeba, {"test": settings.test, "dev": settings.dev, "long": settings.long}, chance)
    (out / "heldout").mkdir(parents=True, exist_ok=True)
    for name, pairs in heldout.items():
        text = "".join(f"{foreign}\t{english}\n" for foreign, english in pairs)
        (out / "heldout" / f"{name}.tsv").write_text(text, encoding="utf-8")
    barred = {key(side) for pairs in heldout.values() for pair in pairs for side in pair}

    def free(pairs: Iterable[Pair]) -> list[Pair]:
        return [pair for pair in pairs if key(pair[0]) not in barred and key(pair[1]) not in barred]

    groups = {f"{language}.everyday": free(tatoeba[language]) for language in LANGUAGES}
    words = Counter(
        word for pairs in groups.values() for _, text in pairs for word in re.findall(r"[^\W\d_]+", text.lower())
    )
    for language in LANGUAGES:
        everyday = groups[f"{language}.everyday"]
        prose = read_pairs(data / f"{PROSE[language]}.{language}-en.tsv.gz")
        groups[f"{language}.prose"] = free(select_prose(dict.fromkeys(prose), words, settings.prose))
        groups[f"{language}.joined"] = join_pairs(everyday, language, settings.joined, chance)
    return groups


def main() -> None:
    """Read the arguments and prepare everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the .tsv.gz files")
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument(
        "--vocabulary", type=int, default=8000, help="pieces of the joint vocabulary, without the padding symbol"
    )
    parser.add_argument("--test", type=int, default=1000, help="test pairs a language")
    parser.add_argument("--dev", type=int, default=400, help="development pairs a language")
    parser.add_argument("--long", type=int, default=200, help="further test pairs a language of 12 to 30 English words")
    parser.add_argument(
        "--prose", type=int, default=80_000, help="pairs a language of parliament and newspaper prose, at most"
    )
    parser.add_argument("--joined", type=int, default=150_000, help="examples a language made of two everyday pairs")
    parser.add_argument("--seed", type=int, default=20)
    settings = parser.parse_args()
    groups = build_groups(settings.data, settings, settings.out)
    texts = [side for name, pairs in groups.items() if not name.endswith("joined") for pair in pairs for side in pair]
    pieces = train_vocabulary(texts, settings.out / "tokenizer", settings.vocabulary, random.Random(settings.seed))
    for name, pairs in groups.items():
        tokens = write_tokens(pairs, pieces, settings.out / "tokens" / f"{name}.npz")
        print(f"{name}: {len(pairs):,} pairs, {tokens:,} tokens", flush=True)


if __name__ == "__main__":
    main()
