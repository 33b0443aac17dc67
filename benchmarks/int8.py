"""What 8-bit weights change: BLEU and chrF of the engine `marian` against the same engine in float32.

usage: python benchmarks/int8.py MODEL PIVOT LANGUAGE BITEXT.tsv.gz

BITEXT has foreign text and its translation per line, separated by a tab; 5,000 sentences of 3 to 60 words are sampled:
with 1,000 the difference of two corpus scores varies by as much as the goal allows.
"""

import gzip
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Literal

os.environ.setdefault("OMP_NUM_THREADS", "1")

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.models import Advanced, Translation, load_engine


def sample(bitext: Path) -> list[tuple[str, str]]:
    """Return 5,000 pairs with different foreign texts of 3 to 60 words."""
    with gzip.open(bitext, "rt", encoding="utf-8") as lines:
        pairs = dict(line.rstrip("\n").split("\t")[:2] for line in lines if "\t" in line)
    return random.Random(0).sample(
        [pair for pair in pairs.items() if 3 <= len(pair[0].split()) <= 60], 5000
    )


def main(model: str, pivot: str, language: str, bitext: str) -> None:
    """Translate with both engines and print a row for each."""
    pairs = sample(Path(bitext))
    sources = [foreign for foreign, _ in pairs]
    references = [[translation for _, translation in pairs]]
    longest = min(400, open_checkpoint(model).positions)
    translations: dict[str, list[str]] = {}
    print(
        "| sentences | weights | other than int8 | BLEU | chrF | CPU s |\n|---|---|---|---|---|---|"
    )
    weights: tuple[Literal["int8", "float32"], ...] = ("int8", "float32")
    for name in weights:
        settings = Translation(
            model=model, advanced=Advanced(max_tokens=longest, quantization=name)
        )
        with tempfile.TemporaryDirectory() as folder:
            engine = load_engine(settings, pivot, language, models_folder=Path(folder))
            begun = time.process_time()
            groups = [sources[n : n + 512] for n in range(0, len(sources), 512)]
            outputs = [output.text for group in groups for output in engine.translate(group)]
        seconds, translations[name] = time.process_time() - begun, outputs
        changed = sum(
            output != baseline
            for output, baseline in zip(outputs, translations["int8"], strict=True)
        )
        scores = [metric.corpus_score(outputs, references).score for metric in (BLEU(), CHRF())]
        print(
            f"| {Path(bitext).name} | {name} | {changed} | {scores[0]:.2f} | {scores[1]:.2f} | {seconds:.1f} |"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
