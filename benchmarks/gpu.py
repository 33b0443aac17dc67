"""Number formats, batches and streams on a GPU: texts per second of translation and of entailment, and what changes.

usage: python benchmarks/gpu.py BITEXT.tsv.gz [--texts 8192] [--device cuda]
       [--measured formats outputs entailment streams]

BITEXT has French text and its English translation per line, separated by a tab. Rates are measured on models of the
published sizes with random weights: opus-mt (random_marian.py), DeBERTa-v3-base, XLM-R-base. Such a Marian model never
ends a translation, so every output is as long as its text and ten pieces. Outputs are compared on the quickstart's
model, with those of int8 and float32 on a CPU. Prints a JSON object for each measurement; `busy` is the share of
tenths of a second in which NVML saw the GPU at work.
"""

import argparse
import copy
import functools
import gzip
import json
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import torch
from sacrebleu.metrics.bleu import BLEU

from bitext_pivot.core.hub.device import Device
from bitext_pivot.filters.neural.classifier import TextClassifier
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.translation import marian as engines
from bitext_pivot.translation import models
from bitext_pivot.translation.marian import ComputeOptions, MarianEngine
from bitext_pivot.translation.models import Advanced, Translation

ROOT = Path(__file__).parents[1]
QUICKSTART = ROOT / "quickstart" / "models" / "marian-frdees-en"
TRAINING = 20_000
"""Lines of BITEXT that the pieces of the random Marian model are trained on."""
COMPARED = 2000
Format = Literal["int8", "float16", "float32"]
ENTAILMENT_FORMATS = ("float32", "bfloat16", "float16")
STREAMS = (1, 2, 3, 4)
MEASURED = ("formats", "outputs", "entailment", "streams")
Pairs = Sequence[tuple[str, str]]


class Watch:
    """Seconds of a block, share of time that the GPU was busy in, and its peak memory in GB."""

    def __init__(self, device: Device) -> None:
        self.device, self.busy, self.memory = device, list[int](), list[int]()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        self._sampler = threading.Thread(target=self._sample)
        if self.device == "cuda":
            self._sampler.start()
        self._begun = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.seconds = time.perf_counter() - self._begun
        self._ended.set()
        if self.device == "cuda":
            self._sampler.join()

    def _sample(self) -> None:
        while not self._ended.wait(0.1):
            self.busy.append(torch.cuda.utilization())
            free, total = torch.cuda.mem_get_info()
            self.memory.append(total - free)

    def facts(self, texts: int) -> dict[str, float]:
        """Return the rate for a number of texts, and what the GPU did."""
        busy = sum(self.busy) / len(self.busy) if self.busy else 0.0
        return {
            "texts": texts,
            "texts/s": round(texts / self.seconds, 1),
            "busy, %": round(busy),
            "peak, GB": round(max(self.memory, default=0) / 1e9, 2),
        }


def read(bitext: Path) -> list[tuple[str, str]]:
    """Return the pairs of a file."""
    with gzip.open(bitext, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [(row[0], row[1]) for row in rows if len(row) >= 2]


def marian(folder: Path, format: Format, device: Device, work: Path, limits: dict[str, Any]) -> Any:
    """Return an engine of a checkpoint, loaded."""
    settings = Translation(model=str(folder), advanced=Advanced(quantization=format, **limits))
    return models.load_engine(settings, "fr", "en", models_folder=work / "models", device=device)


def random_model(pairs: Pairs, work: Path) -> Path:
    """Write the random Marian model, which translates nothing, unless it is there."""
    sys.path.insert(0, str(Path(__file__).parent))
    import random_marian

    folder = work / "random"
    return folder if folder.exists() else random_marian.write(folder, pairs[:TRAINING])


def streams(pairs: Pairs, texts: int, device: Device, work: Path) -> None:
    """Print the rate of translation for each number of batches that a GPU computes at once."""
    folder = random_model(pairs, work)
    sources = [french for french, _ in pairs[:texts]]
    for count in STREAMS:
        # The number is no setting: each engine is built with another default.
        engines.ComputeOptions = functools.partial(ComputeOptions, streams=count)  # type: ignore[assignment, misc]
        format: Format = "float16" if device == "cuda" else "int8"
        engine: MarianEngine = marian(folder, format, device, work, {"max_ratio": 1.0})
        engine.translate(sources[:64])
        with Watch(device) as watch:
            engine.translate(sources)
        what = {"measured": "streams", "streams": engine._compute.streams}
        print(json.dumps(what | watch.facts(len(sources))), flush=True)


def translate(pairs: Pairs, texts: int, device: Device, work: Path) -> None:
    """Print the rate of translation for each number format and size of a batch."""
    folder = random_model(pairs, work)
    sources = [french for french, _ in pairs[:texts]]
    formats: tuple[Format, ...] = ("int8", "float16", "float32")
    for format in formats if device == "cuda" else ("int8",):
        engine: MarianEngine = marian(folder, format, device, work, {"max_ratio": 1.0})
        for tokens in (16_384, 65_536, 262_144):
            engine._compute = replace(engine._compute, tokens=tokens)
            engine.translate(sources[:64])
            with Watch(device) as watch:
                engine.translate(sources)
            what = {"measured": "translation", "format": engine._compute.compute_type}
            print(json.dumps(what | {"pieces": tokens} | watch.facts(len(sources))), flush=True)


def compare_outputs(pairs: Pairs, device: Device, work: Path) -> None:
    """Print BLEU of the quickstart's model for each format, and how many outputs are those of other formats."""
    sources, references = zip(*pairs[:COMPARED], strict=True)
    outputs: dict[str, list[str]] = {}
    runs: list[tuple[Format, Device]] = [("int8", "cpu"), ("float32", "cpu")]
    if device == "cuda":
        runs += [("int8", "cuda"), ("float16", "cuda"), ("float32", "cuda")]
    for format, where in runs:
        engine = marian(QUICKSTART, format, where, work, {"max_tokens": 120})
        name = f"{format} {where}"
        outputs[name] = [output.text for output in engine.translate(sources)]
        equal = {
            other: sum(map(str.__eq__, texts, outputs[name])) for other, texts in outputs.items()
        }
        bleu = BLEU().corpus_score(outputs[name], [list(references)]).score
        what = {"measured": "outputs", "format": name, "texts": len(sources)}
        print(json.dumps(what | {"BLEU": round(bleu, 2), "equal": equal}), flush=True)


def entail(pairs: Pairs, texts: int, device: Device) -> None:
    """Print the rate of entailment for each number format, and how far probabilities move."""
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DebertaV2Config,
        XLMRobertaConfig,
    )

    deberta: dict[str, Any] = {
        "vocab_size": 128_100,
        "relative_attention": True,
        "position_buckets": 256,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "pos_att_type": ["p2c", "c2p"],
        "max_relative_positions": -1,
        "position_biased_input": False,
        "type_vocab_size": 0,
        "num_labels": 3,
    }
    roberta: dict[str, Any] = {
        "vocab_size": 250_002,
        "max_position_embeddings": 514,
        "type_vocab_size": 2,
        "num_labels": 3,
    }
    sizes: dict[str, Any] = {
        "deberta-v3-base": DebertaV2Config(**deberta),
        "xlm-roberta-base": XLMRobertaConfig(**roberta),
    }
    build: Any = AutoModelForSequenceClassification.from_config
    tokenizer = AutoTokenizer.from_pretrained(fetch_checkpoint("all-MiniLM-L6-v2", 6).folder)
    tokenizer.model_max_length = 256
    english = [text for _, text in pairs[: texts + 1]]
    sides = [(f"{first} {second}", first) for first, second in pairwise(english)]
    for size, config in sizes.items():
        torch.manual_seed(0)
        random = build(config).eval()
        base: list[float] = []
        for format in ENTAILMENT_FORMATS if device == "cuda" else ("float32",):
            model = copy.deepcopy(random).to(device, getattr(torch, format))
            classifier = TextClassifier(model, tokenizer, 0, device)
            classifier.infer(sides[:64], 1)
            with Watch(device) as watch:
                found = [result.entailment for result in classifier.infer(sides, 1)]
            base = base or found
            moved = max(abs(one - other) for one, other in zip(base, found, strict=True))
            what = {"measured": "entailment", "size": size, "format": format}
            print(json.dumps(what | watch.facts(len(sides)) | {"moved": moved}), flush=True)


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bitext", type=Path)
    parser.add_argument("--texts", type=int, default=8192)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--measured", nargs="+", choices=MEASURED, default=MEASURED)
    options = parser.parse_args()
    pairs, measured = read(options.bitext), options.measured
    with tempfile.TemporaryDirectory() as folder:
        if "formats" in measured:
            translate(pairs, options.texts, options.device, Path(folder))
        if "streams" in measured:
            streams(pairs, options.texts, options.device, Path(folder))
        if "outputs" in measured:
            compare_outputs(pairs, options.device, Path(folder))
        if "entailment" in measured:
            entail(pairs, options.texts, options.device)


if __name__ == "__main__":
    main()
