"""Make shortlists for a Marian model, and tell what int8 and each shortlist change in its translations.

usage: python benchmarks/shortlist.py MODEL PIVOT LANGUAGE BITEXT.tsv.gz... [--sizes 4000,2000] [--out FOLDER]
                                      [--check 1000] [--reference] [--longest 60]

BITEXT is foreign TAB translation, a pair a line, the more the better. From each file --check pairs are drawn to look
at; the translations of all others tell which pieces the language is written in. Shortlists are written to FOLDER as
NAME-SIZE.json, for the setting translation.shortlist. For each file and each shortlist the table gives the sentences
whose translation is another than the whole vocabulary's, BLEU and chrF of sacrebleu against the bitext's own side, and
CPU seconds. --reference adds the float32 of transformers, text by text, which is slow.
"""

import argparse
import gzip
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from sacrebleu.metrics import BLEU, CHRF

from translation.checkpoint import open_checkpoint, target_vocabulary
from translation.engine import Engine
from translation.models import Advanced, Translation, load
from translation.pieces import Pieces
from translation.shortlist import choose, write

Lines = list[tuple[str, str]]


def sample(bitext: Path, size: int, longest: int) -> tuple[Lines, Lines]:
    """Draw pairs whose foreign sides, all different, have 3 to `longest` words; return them and all the others."""
    with gzip.open(bitext, "rt", encoding="utf-8") as lines:
        pairs = dict(line.rstrip("\n").split("\t")[:2] for line in lines if "\t" in line)
    fit = [foreign for foreign in pairs if 3 <= len(foreign.split()) <= longest]
    drawn = random.Random(0).sample(fit, size)
    return [(foreign, pairs.pop(foreign)) for foreign in drawn], list(pairs.items())


def translated(engine: Engine, sentences: Sequence[str]) -> tuple[list[str], float]:
    """Return translations and CPU seconds, in groups as large as a build's."""
    begun = time.process_time()
    outputs = [text for at in range(0, len(sentences), 512) for text in engine.translate(sentences[at : at + 512])]
    return outputs, time.process_time() - begun


def rows(name: str, engines: dict[str, Engine], pairs: Lines) -> None:
    """Print a row for each engine; the whole vocabulary's comes first, the others are compared with it."""
    sources, references = [pair[0] for pair in pairs], [[pair[1] for pair in pairs]]
    whole: list[str] = []
    for label, engine in engines.items():
        outputs, seconds = translated(engine, sources)
        whole = whole or outputs
        changed = sum(ours != theirs for ours, theirs in zip(outputs, whole, strict=True))
        bleu, chrf = BLEU().corpus_score(outputs, references).score, CHRF().corpus_score(outputs, references).score
        print(f"| {name} | {label} | {changed} of {len(pairs)} | {bleu:.2f} | {chrf:.2f} | {seconds:.1f} |", flush=True)


def main(options: argparse.Namespace) -> None:
    """Count, choose, write, compare."""
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = open_checkpoint(options.model)
    settings = Translation(model=options.model, advanced=Advanced(max_tokens=min(400, checkpoint.positions)))

    def engine(**changes: object) -> Engine:
        changed = settings.model_copy(update=changes)
        return load(changed, options.pivot, options.language, models_folder=options.out, threads=options.threads)

    samples = {file.name: sample(file, options.check, options.longest) for file in options.bitext}
    pieces = Pieces(checkpoint.folder, prefix="", punctuation="kept", language=options.pivot)
    seen = pieces.count(text for _, others in samples.values() for _, text in others)
    known = target_vocabulary(checkpoint.folder)
    print(f"{len(known)} entries, {len(pieces.target)} pieces on the target side, {len(seen)} seen in the translations")
    engines = {f"int8, all {len(known)}": engine()}
    for size in options.sizes:
        path = options.out / f"{checkpoint.name.replace('/', '--')}-{size}.json"
        write(choose(seen, pieces.target, known, size), checkpoint, path)
        engines[f"int8, {size}"] = engine(shortlist=path)
    if options.reference:
        engines["transformers, float32"] = engine(engine="marian-transformers")
    print("| sentences | engine | other than int8, all | BLEU | chrF | CPU-s |\n|---|---|---|---|---|---|")
    for name, (checked, _) in samples.items():
        rows(name, engines, checked)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("pivot")
    parser.add_argument("language")
    parser.add_argument("bitext", type=Path, nargs="+")
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=[4000, 2000])
    parser.add_argument("--out", type=Path, default=Path("build/shortlists"))
    parser.add_argument("--check", type=int, default=1_000)
    parser.add_argument("--longest", type=int, default=60)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--reference", action="store_true")
    main(parser.parse_args())
