"""Speed of translation and BERTScore on a GPU, beside transformers and the bert_score package on the same GPU.

usage: python benchmarks/gpu.py [--device cuda] [--sentences 8192] [--pairs 8192] [--tiny]

Models of random weights, of the size of opus-mt and roberta-large (layer 17), and sentences of random words.
Translation has beam 4 and outputs as long as their texts (benchmarks/random_marian.py). The peers get texts sorted by
length, in batches of 64: transformers in float16, bert_score in its float32. Models are loaded and warm before the
clock starts.
`--tiny --device cpu` tests the program within seconds; its figures mean nothing.
"""

import argparse
import gzip
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import random_marian
import random_roberta
import torch
from bert_score import BERTScorer
from transformers import MarianMTModel
from translating import AsLongAsTheText, peer

from filters.neural import encoder as encoders
from filters.neural.checkpoint import checkpoint
from pairs.store import RowStore
from pairs.weights import loading
from translation.cached import translate_once
from translation.checkpoint import open_checkpoint, target_vocabulary
from translation.conversion import convert
from translation.marian import Compute, Marian
from translation.pieces import Pieces

Work = Callable[[int], object]
"""Does the first so many of the texts or pairs."""
_BATCH = 64
_WARM = 128
_SMALL_MARIAN: dict[str, Any] = {
    "entries": 1200, "pieces": 400, "d_model": 32, "encoder_layers": 1, "decoder_layers": 1,
    "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64,
}  # fmt: skip
_SMALL_ROBERTA: dict[str, Any] = {
    "vocab_size": 1000, "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 64,
}  # fmt: skip


def salad(count: int, seed: int, longest: int) -> list[str]:
    """Return sentences of 5 to `longest` random words, of which few are frequent."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvz", k=chance.randint(2, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    return [" ".join(chance.choices(words, weights, k=chance.randint(5, longest))) + " ." for _ in range(count)]


def translation(options: argparse.Namespace, folder: Path, texts: list[str]) -> dict[str, Work]:
    """Return the engine in each number format, and its peer, by name."""
    bitext = folder / "bitext.tsv.gz"
    with gzip.open(bitext, "wt", encoding="utf-8") as lines:
        lines.writelines(f"{text}\t{text}\n" for text in texts)
    random_marian.main(folder / "marian", [bitext], **(_SMALL_MARIAN if options.tiny else {}))
    found = open_checkpoint(str(folder / "marian"))
    pieces = Pieces(found.folder, prefix="", punctuation="moses", language="fr")
    limits = AsLongAsTheText(beam_size=4, max_tokens=400, max_ratio=1.0, positions=found.positions)
    works: dict[str, Work] = {}
    for quantization in ("int8", "float16") if options.device == "cuda" else ("int8",):
        converted = convert(found, folder / "converted", quantization)
        compute = Compute(quantization=quantization, device=options.device, threads=torch.get_num_threads())
        engine = Marian(converted, pieces, limits, compute, signature=quantization)
        works[f"CTranslate2 {compute.arithmetic}"] = partial(_translate, engine, texts)
    known = target_vocabulary(found.folder)
    rows = [[known.get(piece, 1) for piece in pieces.encode(text, 400)] for text in texts]
    number = torch.float16 if options.device == "cuda" else torch.float32
    model = MarianMTModel.from_pretrained(found.folder, dtype=number).eval().to(options.device)
    return works | {f"transformers {number}": lambda count: peer(model, rows[:count], _BATCH)}


def _translate(engine: Marian, texts: Sequence[str], count: int) -> None:
    """Translate as a build does, into an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        translate_once(engine, texts[:count], RowStore(Path(folder), engine.signature))


def comparison(options: argparse.Namespace, folder: Path, pairs: list[tuple[str, str]]) -> dict[str, Work]:
    """Return the encoder and the package, by name."""
    encoders.probe.check_encoder = lambda *_: None  # type: ignore[assignment] -- random weights cannot pass
    random_roberta.write(folder / "roberta", [text for pair in pairs for text in pair], **options.small_roberta)
    found = checkpoint(str(folder / "roberta"), 3 if options.tiny else 17)
    precision: encoders.Precision = "float16" if options.device == "cuda" else "float32"
    ours = encoders.encoder(found, precision, options.device)
    with loading():
        package = BERTScorer(model_type=str(found.folder), num_layers=found.layer, device=options.device)
    return {
        f"filter {precision}": lambda count: ours.compare(pairs[:count], torch.get_num_threads()),
        "bert_score float32": lambda count: package.score(
            *map(list, zip(*pairs[:count], strict=True)), batch_size=_BATCH
        ),
    }


def measure(works: dict[str, Work], count: int, unit: str) -> None:
    """Print the speed of each, once it is warm, and how many times as fast as the last one it is."""
    speeds = {}
    for name, work in works.items():
        work(min(_WARM, count))
        start = time.perf_counter()
        work(count)
        speeds[name] = count / (time.perf_counter() - start)
    *_, last = speeds
    for name, speed in speeds.items():
        print(f"{name:28} {speed:10,.1f} {unit} a second, {speed / speeds[last]:5.2f} x {last}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure translation, then BERTScore."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--sentences", type=int, default=8192)
    parser.add_argument("--pairs", type=int, default=8192)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args(arguments)
    options.small_roberta = _SMALL_ROBERTA if options.tiny else {}
    print(torch.cuda.get_device_name() if options.device == "cuda" else "CPU")
    with tempfile.TemporaryDirectory() as folder:
        longest = 6 if options.tiny else 40
        texts = salad(options.sentences, 1, longest)
        measure(translation(options, Path(folder), texts), len(texts), "sentences")
        pairs = list(zip(salad(options.pairs, 2, longest), salad(options.pairs, 3, longest), strict=True))
        measure(comparison(options, Path(folder), pairs), len(pairs), "pairs")


if __name__ == "__main__":
    main()
