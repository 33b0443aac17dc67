"""A whole build against the script that a user would write, on the same alignments and models: CPU seconds per stage.

usage: python benchmarks/whole_build.py OPUS [--alignments 100 500] [--orders sorted "corpus order"] [--device cpu]
       [--random-encoder]

Both read Europarl v7 (French and English) of a mirror up to each given number of 1-2 and 2-1 alignments. The Marian
model has the size of opus-mt and random weights (random_marian.py); parser and encoder are the quickstart's and the
default one, all-MiniLM-L6-v2.

* The build: the flow `pivot_bitext` with its default screening and filters (preset `strict`, with `meaning`) and one
  worker.
* The script: OpusRead for 1-2 and again for 2-1; transformers in float32, beam 4, batches of 32 (on a GPU float16 and
  batches of 64), sorted by length, in the order of the corpus, or each; `nlp.pipe`; the bert_score package, which sorts
  by itself; JSON lines. It filters nothing.

Random weights never end a translation: on both sides outputs are as long as their texts and ten pieces, and the stages
behind get the corpus' own text in their place. Such pairs say nothing to filters, so all filters measure and none
rejects, and the script gets only alignments that the screening keeps: both translate, parse and score the same number.
Each runs in a process of its own on one thread. Seconds are CPU seconds of the process and its children from the start
of Python, or seconds by the clock with `--device cuda`.
"""

import argparse
import contextlib
import gzip
import io
import json
import os
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import wraps
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bitext_pivot.core.hub import processor

ROOT = Path(__file__).parents[1]
PARSER = ROOT / "quickstart" / "models" / "spacy-en-ud"
CORPUS, ENCODER, LAYER, BEAM, BATCH, SPARE = "Europarl/v7", "all-MiniLM-L6-v2", 6, 4, 32, 10
Alignment = tuple[list[str], list[str]]
"""English and French sentences of a link."""
ORDERS = ("sorted", "corpus order")
FAST = {"avx2": "AVX2", "avx512f": "AVX-512", "avx512_vnni": "VNNI", "avx512_bf16": "bfloat16"}
"""Instruction sets on which the times depend, by their names in Linux."""
REST = "Python, Prefect and the rest"
STAGES = ("load", "extract", "translate", "parse", "score", "judge", "export", REST)


class Stopwatch:
    """Seconds per stage: CPU seconds of this process and its children, or seconds by the clock."""

    def __init__(self, device: str) -> None:
        self.seconds, self.device = defaultdict[str, float](float), device
        self.begun = self.now() if device == "cuda" else 0.0

    def now(self) -> float:
        """Return the seconds spent so far, by the CPU from the start of Python."""
        if self.device == "cuda":
            return time.perf_counter()
        import psutil

        this = psutil.Process()
        times = [process.cpu_times() for process in (this, *this.children(recursive=True))]
        return sum(
            usage.user + usage.system + usage.children_user + usage.children_system
            for usage in times
        )

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add what the block takes to a stage, without the stages inside it."""
        begun, before = self.now(), sum(self.seconds.values())
        yield
        self.seconds[name] += self.now() - begun - (sum(self.seconds.values()) - before)

    def finish(self) -> dict[str, float]:
        """Return the seconds per stage; what belongs to none is the rest."""
        self.seconds[REST] += self.now() - self.begun - sum(self.seconds.values())
        return dict(self.seconds)


def cut_release(opus: Path, alignments: int, out: Path) -> None:
    """Write a mirror whose link file ends after so many 1-2 and 2-1 links; its archives are those of `opus`."""
    source, target = (base / f"OPUS-{CORPUS}" for base in (opus, out))
    (target / "xml").mkdir(parents=True)
    (target / "raw").symlink_to((source / "raw").resolve())
    excerpt, count = [], 0
    with gzip.open(source / "xml" / "en-fr.xml.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            excerpt.append(line)
            if match := re.search(r'<link [^>]*xtargets="([^;"]*);([^"]*)"', line):
                count += sorted(len(side.split()) for side in match.groups()) == [1, 2]
            if count == alignments:
                excerpt.append("</linkGrp></cesAlign>\n")
                break
    (target / "xml" / "en-fr.xml.gz").write_bytes(gzip.compress("".join(excerpt).encode()))


def read_alignments(opus: Path) -> list[Alignment]:
    """Read 1-2 and 2-1 links with OpusRead, as its documentation shows."""
    from opustools import OpusRead

    name, release = CORPUS.split("/")
    folder, printed = opus / f"OPUS-{CORPUS}", io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        for source, target in ("12", "21"):
            OpusRead(
                directory=name,
                release=release,
                source="en",
                target="fr",
                preprocess="raw",
                write_mode="normal",
                src_range=source,
                tgt_range=target,
                alignment_file=str(folder / "xml" / "en-fr.xml.gz"),
                source_zip=str(folder / "raw" / "en.zip"),
                target_zip=str(folder / "raw" / "fr.zip"),
            ).printPairs()
    links = []
    for link in printed.getvalue().split("================================"):
        links.append([_texts_of_side(link, "src"), _texts_of_side(link, "trg")])
    return [(english, french) for english, french in links if english and french]


def _texts_of_side(link: str, side: str) -> list[str]:
    """Return the sentences of one side, `src` or `trg`, of a printed link."""
    return re.findall(rf'^\({side}\)="[^"]*">(.*)$', link, re.MULTILINE)


def reference(english: Sequence[str], french: Sequence[str]) -> list[str]:
    """Return English text in the place of a translation of each French sentence."""
    if len(french) == 1:
        return [f"{english[0].rstrip('.')}, {english[1]}"]
    words = english[0].split()
    return [" ".join(words[: len(words) // 2 + 1]), " ".join(words[len(words) // 2 :])]


def _pair(english: Sequence[str], french: Sequence[str]) -> tuple[str, str]:
    """Return the long sentence and its split: the side with two sentences is the split, French is translated."""
    translated = " ".join(reference(english, french))
    if len(french) == 1:
        return translated, " ".join(english)
    return english[0], translated


def script(work: Path, device: str, kept: set[str], orders: Sequence[str]) -> dict[str, float]:
    """Do what a user's script does, stage by stage, in each order; return the seconds of each stage."""
    watch = Stopwatch(device)
    with watch.stage("load"):
        import spacy
        import torch
        from bert_score import BERTScorer
        from transformers import MarianMTModel, MarianTokenizer

        from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint

        torch.set_num_threads(1)
        tokenizer = MarianTokenizer.from_pretrained(
            work / "marian", source_lang="fr", target_lang="en"
        )
        model: Any = MarianMTModel.from_pretrained(work / "marian")
        model.to(device)
        if device == "cuda":
            model.half()
        nlp = spacy.load(PARSER)
        encoder = fetch_checkpoint(ENCODER, LAYER).folder
        scorer = BERTScorer(model_type=str(encoder), num_layers=LAYER, device=device)
    with watch.stage("extract"):
        alignments = read_alignments(work / "opus")
    alignments = [
        alignment for alignment in alignments if all(_spaced(text) in kept for text in alignment[1])
    ]
    texts = [text for _, french in alignments for text in french]
    size = BATCH if device == "cpu" else 2 * BATCH
    for name in orders:
        with watch.stage(name):
            order = (
                sorted(range(len(texts)), key=lambda n: len(texts[n]))
                if name == "sorted"
                else range(len(texts))
            )
            translations = [""] * len(texts)
            for start in range(0, len(texts), size):
                numbers = order[start : start + size]
                batch = tokenizer(
                    [texts[n] for n in numbers], return_tensors="pt", padding=True, truncation=True
                )
                longest = batch["input_ids"].shape[1] + SPARE
                outputs = model.generate(**batch.to(device), num_beams=BEAM, max_new_tokens=longest)
                for n, text in zip(
                    numbers, tokenizer.batch_decode(outputs, skip_special_tokens=True), strict=True
                ):
                    translations[n] = text
    pairs = [_pair(*alignment) for alignment in alignments]
    with watch.stage("parse"):
        sides = [
            text
            for english, french in alignments
            for text in (*english, *reference(english, french))
        ]
        parses = list(nlp.pipe(sides))
    with watch.stage("score"):
        scores = scorer.score([long for long, _ in pairs], [split for _, split in pairs])[
            2
        ].tolist()
    with watch.stage("export"), (work / "pairs.jsonl").open("w", encoding="utf-8") as out:
        for (long, split), score in zip(pairs, scores, strict=True):
            out.write(json.dumps({"long": long, "split": split, "score": score}) + "\n")
    print(
        f"the script: {len(pairs)} pairs, {len(texts)} texts translated, {sum(map(len, parses))} tokens parsed"
    )
    return watch.finish()


def build(
    work: Path, device: str, references: Mapping[str, str], random_encoder: bool
) -> tuple[dict[str, float], set[str]]:
    """Run the flow with every task on the stopwatch; return the seconds of each stage and the texts translated."""
    watch = Stopwatch(device)
    with watch.stage("load"):
        from bitext_pivot.core import garbage_collection

        garbage_collection.collect_rarely()  # as the command does
        from bitext_pivot.flows import pivot_bitext_stages
        from bitext_pivot.flows.pivot_settings import PivotBitext
        from bitext_pivot.tasks.run.current_run import use_run

        translated = use_random_models(references, watch)
        if random_encoder:
            from bitext_pivot.filters.neural import encoder_check

            encoder_check.check_encoder = lambda *_: None
    with ThreadPoolExecutor(1) as pool, use_run(timed_run(watch, pool)):
        folder = pivot_bitext_stages.build(PivotBitext.model_validate(settings_of(work)))
    counts = json.loads((folder / "stats.json").read_text(encoding="utf-8"))["counts"]
    print(
        f"the build: {sum(counts['subset'].values())} pairs, {len(translated)} different texts translated"
    )
    return watch.finish(), translated


def timed_run(watch: Stopwatch, executor: Executor) -> Any:
    """Return a run that times each task as part of its stage, which is the first word of the task's name."""
    from bitext_pivot.tasks.run.current_run import Run

    stages = {"check": "load", "fetch": "extract", "hold": "hold_out"}

    class TimedRun(Run):
        def run_task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
            return super().run_task(name, self._timed(name, function), *arguments)

        def submit_task(
            self, name: str, function: Callable[..., Any], *arguments: Any
        ) -> Future[Any]:
            return super().submit_task(name, self._timed(name, function), *arguments)

        def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            stage = name.partition(" ")[0]
            return _timed(function, watch, stages.get(stage, stage))

    return TimedRun(executor)


def _timed(function: Callable[..., Any], watch: Stopwatch, stage: str) -> Callable[..., Any]:
    @wraps(function)
    def timed(*arguments: Any, **options: Any) -> Any:
        with watch.stage(stage):
            return function(*arguments, **options)

    return timed


def use_random_models(references: Mapping[str, str], watch: Stopwatch) -> set[str]:
    """Let the build accept a model of random weights and every pair; return the texts as they are translated.

    Translations are replaced, no filter rejects.
    """
    from bitext_pivot.filters.chain import Filters
    from bitext_pivot.translation import engine, marian

    translate, translated = marian.MarianEngine.translate, set[str]()

    def replaced(model: marian.MarianEngine, texts: Sequence[str]) -> list[engine.TranslatedText]:
        translate(model, texts)
        translated.update(map(_spaced, texts))
        return engine.EchoEngine().translate(
            [references.get(_spaced(text), text) for text in texts]
        )

    marian.MarianEngine.translate = _timed(replaced, watch, "translate")  # type: ignore[method-assign]
    Filters.score = _timed(Filters.score, watch, "score")  # type: ignore[method-assign]
    Filters._rejecting = lambda *_: iter(())  # type: ignore[method-assign]
    return translated


def _spaced(text: str) -> str:
    return " ".join(text.split())


def settings_of(work: Path) -> dict[str, Any]:
    """Return the build's settings: the defaults, and what a translation without an end needs."""
    return {
        "pivot": "fr", "corpora": [CORPUS], "parser": {"pipeline": str(PARSER)},
        "translation": {"model": str(work / "marian"), "advanced": {"beam_size": BEAM, "max_ratio": 1.0}},
    }  # fmt: skip


def print_table(script: dict[str, float], build: dict[str, float]) -> None:
    """Print a line per stage and the total, with the script in each order."""
    orders = [order for order in ORDERS if order in script]
    heads = [
        "stage",
        *(f"script, {order}, s" for order in orders),
        "build, s",
        *(f"script / build, {order}" for order in orders),
    ]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    shared = {name: seconds for name, seconds in script.items() if name not in ORDERS}
    peers = [shared | {"translate": script[order]} for order in orders]
    rows = [
        (name, [column.get(name, 0.0) for column in (*peers, build)])
        for name in dict.fromkeys([*STAGES, *build])
    ]
    rows.append(("in all", [sum(column.values()) for column in (*peers, build)]))
    for name, seconds in rows:
        faster = [
            f"{peer / seconds[-1]:.1f}" if peer and seconds[-1] else "-" for peer in seconds[:-1]
        ]
        print(f"| {name} | {' | '.join([*(f'{number:.1f}' for number in seconds), *faster])} |")


def prepare(work: Path, device: str) -> None:
    """Let builds of this process and its children use a folder, and one thread."""
    os.environ |= {
        "OMP_NUM_THREADS": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_HOME": str(work / "prefect"), "PREFECT_LOGGING_LEVEL": "ERROR",
        "BITEXT_PIVOT_HOME": str(work / "home"), "BITEXT_PIVOT_OPUS": str(work / "opus"),
        "BITEXT_PIVOT_RUNNER": "threads", "BITEXT_PIVOT_WORKERS": "1", "BITEXT_PIVOT_THREADS": "1",
        "BITEXT_PIVOT_DEVICE": device,
    }  # fmt: skip
    (work / "prefect").mkdir()


def compare(options: argparse.Namespace, count: int) -> None:
    """Run the build, then the script, on so many alignments, and print what each stage took."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(work, options.device)
        import random_marian

        cut_release(options.opus, count, work / "opus")
        alignments = read_alignments(work / "opus")
        texts = [(" ".join(french), " ".join(english)) for english, french in alignments]
        random_marian.write(work / "marian", texts)
        references = {}
        for alignment in alignments:
            for text, english in zip(alignment[1], reference(*alignment), strict=True):
                references[_spaced(text)] = english
        with ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), max_tasks_per_child=1
        ) as processes:
            builds, kept = processes.submit(
                build, work, options.device, references, options.random_encoder
            ).result()
            seconds = {name: round(number, 1) for name, number in builds.items()}
            print(f"of {len(alignments)} alignments, in seconds {seconds}", flush=True)
            scripts = processes.submit(script, work, options.device, kept, options.orders).result()
            print_table(scripts, builds)


def main() -> None:
    """Compare both on each number of alignments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("opus", type=Path)
    parser.add_argument("--alignments", type=int, nargs="+", default=[100])
    parser.add_argument("--orders", nargs="+", choices=ORDERS, default=ORDERS)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument(
        "--random-encoder", action="store_true", help="its weights are random: it is not checked"
    )
    options = parser.parse_args()
    known = processor.instruction_sets()
    print(f"instruction sets: {', '.join(FAST[name] for name in FAST if name in known)}")
    for alignments in options.alignments:
        compare(options, alignments)


if __name__ == "__main__":
    main()
