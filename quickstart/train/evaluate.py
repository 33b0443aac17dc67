"""Measure a model on the held-out pairs, through CTranslate2 (int8) and through transformers, and show translations."""

import argparse
import tempfile
from pathlib import Path

import ctranslate2
import sacrebleu
import torch
from transformers import MarianMTModel, MarianTokenizer

BEAM = 4
LONGEST = 256


def read_pairs(path: Path) -> tuple[list[str], list[str]]:
    """Read the foreign and the English side of a held-out set."""
    pairs = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [foreign for foreign, _ in pairs], [english for _, english in pairs]


class WithCTranslate2:
    """Translation as in production: 8-bit weights, beam search."""

    def __init__(self, folder: Path, threads: int) -> None:
        self.tokenizer = MarianTokenizer.from_pretrained(folder)
        with tempfile.TemporaryDirectory() as converted:
            ctranslate2.converters.TransformersConverter(str(folder)).convert(converted, force=True)
            self.translator = ctranslate2.Translator(converted, compute_type="int8", intra_threads=threads)

    def translate(self, texts: list[str]) -> list[str]:
        """Translate a list of texts."""
        tokens = [self.tokenizer.convert_ids_to_tokens(ids) for ids in self.tokenizer(texts).input_ids]
        results = self.translator.translate_batch(
            tokens, beam_size=BEAM, max_batch_size=2048, batch_type="tokens", max_decoding_length=LONGEST
        )
        ids = [self.tokenizer.convert_tokens_to_ids(result.hypotheses[0]) for result in results]
        return self.tokenizer.batch_decode(ids, skip_special_tokens=True)


class WithTransformers:
    """Translation by the library the model was trained with, in float32."""

    def __init__(self, folder: Path, threads: int) -> None:
        torch.set_num_threads(threads)
        self.tokenizer = MarianTokenizer.from_pretrained(folder)
        self.model = MarianMTModel.from_pretrained(folder, dtype=torch.float32).eval()

    @torch.inference_mode()
    def translate(self, texts: list[str]) -> list[str]:
        """Translate a list of texts, the shortest first."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        translations = [""] * len(texts)
        for start in range(0, len(order), 50):
            numbers = order[start : start + 50]
            batch = self.tokenizer([texts[number] for number in numbers], return_tensors="pt", padding=True)
            output = self.model.generate(**batch, num_beams=BEAM, max_length=LONGEST)
            for number, text in zip(
                numbers, self.tokenizer.batch_decode(output, skip_special_tokens=True), strict=True
            ):
                translations[number] = text
        return translations


ENGINES = {"ctranslate2": WithCTranslate2, "transformers": WithTransformers}


def measure(engine: WithCTranslate2 | WithTransformers, heldout: Path, names: list[str], limit: int) -> list[str]:
    """Give one table row with chrF and BLEU for each held-out set, and the signatures."""
    chrf, bleu = sacrebleu.CHRF(), sacrebleu.BLEU()
    rows = []
    for name in names:
        foreign, english = (side[:limit] for side in read_pairs(heldout / f"{name}.tsv"))
        translations = engine.translate(foreign)
        scores = [metric.corpus_score(translations, [english]).score for metric in (chrf, bleu)]
        rows.append(f"| {name} | {len(foreign)} | {scores[0]:.1f} | {scores[1]:.1f} |")
    return [*rows, f"chrF {chrf.get_signature()}", f"BLEU {bleu.get_signature()}"]


def show(engine: WithCTranslate2 | WithTransformers, heldout: Path, count: int) -> None:
    """Print translations of long held-out sentences, the first of each language's set in turn."""
    sides = [read_pairs(path) for path in sorted(heldout.glob("long.*.tsv"))]
    for number in range(count):
        foreign, english = (side[number // len(sides)] for side in sides[number % len(sides)])
        print(foreign, engine.translate([foreign])[0], english, sep="\n  ", end="\n\n")


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="folder in Hugging Face format")
    parser.add_argument("data", type=Path, help="folder that prepare.py wrote")
    parser.add_argument("--engines", nargs="+", choices=tuple(ENGINES), default=list(ENGINES))
    parser.add_argument("--sets", nargs="+", help="names of held-out sets; all test and long sets where left out")
    parser.add_argument("--limit", type=int, default=None, help="pairs of each set")
    parser.add_argument("--examples", type=int, default=20, help="translations to show")
    parser.add_argument("--threads", type=int, default=2)
    settings = parser.parse_args()
    heldout = settings.data / "heldout"
    names = settings.sets or [path.stem for kind in ("test", "long") for path in sorted(heldout.glob(f"{kind}.*.tsv"))]
    for number, name in enumerate(settings.engines):
        engine = ENGINES[name](settings.model, settings.threads)
        print(f"{name}, beam {BEAM}", *measure(engine, heldout, names, settings.limit), sep="\n", end="\n\n")
        if number == 0:
            show(engine, heldout, settings.examples)


if __name__ == "__main__":
    main()
