"""A whole build against the script that a user would write, on the same alignments and models: CPU seconds per stage.

usage: python benchmarks/whole_build.py [--alignments 2000] [--opus FOLDER] [--corpus Europarl/v7] [--device cpu]

Both read a release of FOLDER up to the given number of 1-2 and 2-1 alignments (French and English). The Marian model
and the encoder have the sizes of opus-mt and roberta-large (compared at layer 17) and random weights
(random_models.py); the parser is the quickstart's.

* The script: OpusRead for 1-2 and again for 2-1; transformers in float32, beam 4, batches of 32 in the order of the
  corpus (on a GPU float16 and batches of 64); `nlp.pipe`; the bert_score package; JSON lines.
* The build: the flow `pivot_bitext` with one worker. Screening is off and rule filters accept everything, so that both
  score every pair.

Random weights never end a translation: on both sides outputs are as long as their texts and ten pieces, and the stages
behind get the corpus' own text in their place. Both run on one thread. Seconds are CPU seconds of the process and its
children, or seconds by the clock with `--device cuda`.
"""

import argparse
import contextlib
import gzip
import io
import json
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PARSER = ROOT / "quickstart" / "models" / "spacy-en-ud"
LAYER, BEAM, BATCH, SPARE = 17, 4, 32, 10
Alignment = tuple[list[str], list[str]]
"""English and French sentences of a link."""
STAGES = ("load", "extract", "translate", "parse", "score", "judge", "export", "Prefect and the rest")


class Stopwatch:
    """Seconds per stage: CPU seconds of this process and its children, or seconds by the clock."""

    def __init__(self, device: str) -> None:
        self.seconds, self.device = defaultdict[str, float](float), device

    def now(self) -> float:
        """Return the seconds spent so far."""
        if self.device == "cuda":
            return time.perf_counter()
        import psutil

        this = psutil.Process()
        times = [process.cpu_times() for process in (this, *this.children(recursive=True))]
        return sum(usage.user + usage.system + usage.children_user + usage.children_system for usage in times)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add what the block takes to a stage."""
        begun = self.now()
        yield
        self.seconds[name] += self.now() - begun


def cut_release(opus: Path, corpus: str, alignments: int, out: Path) -> None:
    """Write a mirror whose link file ends after so many 1-2 and 2-1 links; its archives are those of `opus`."""
    source, target = (base / f"OPUS-{corpus}" for base in (opus, out))
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


def read_alignments(opus: Path, corpus: str) -> list[Alignment]:
    """Read 1-2 and 2-1 links with OpusRead, as its documentation shows."""
    from opustools import OpusRead

    name, release = corpus.split("/")
    folder, printed = opus / f"OPUS-{corpus}", io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        for source, target in ("12", "21"):
            OpusRead(
                directory=name, release=release, source="en", target="fr", preprocess="raw", write_mode="normal",
                src_range=source, tgt_range=target, alignment_file=str(folder / "xml" / "en-fr.xml.gz"),
                source_zip=str(folder / "raw" / "en.zip"), target_zip=str(folder / "raw" / "fr.zip"),
            ).printPairs()  # fmt: skip
    links = [[re.findall(rf'^\({side}\)="[^"]*">(.*)$', link, re.MULTILINE) for side in ("src", "trg")]
             for link in printed.getvalue().split("================================")]  # fmt: skip
    return [(english, french) for english, french in links if english and french]


def reference(english: Sequence[str], french: Sequence[str]) -> list[str]:
    """Return English text in the place of a translation of each French sentence."""
    if len(french) == 1:
        return [f"{english[0].rstrip('.')}, {english[1]}"]
    words = english[0].split()
    return [" ".join(words[: len(words) // 2 + 1]), " ".join(words[len(words) // 2 :])]


def script(opus: Path, corpus: str, models: Path, watch: Stopwatch) -> None:
    """Do what a user's script does, stage by stage."""
    with watch.stage("load"):
        import spacy
        from bert_score import BERTScorer
        from transformers import MarianMTModel, MarianTokenizer

        tokenizer = MarianTokenizer.from_pretrained(models / "marian", source_lang="fr", target_lang="en")
        model: Any = MarianMTModel.from_pretrained(models / "marian")
        model.to(watch.device)
        if watch.device == "cuda":
            model.half()
        nlp = spacy.load(PARSER)
        scorer = BERTScorer(model_type=str(models / "roberta"), num_layers=LAYER, device=watch.device)
    with watch.stage("extract"):
        alignments = read_alignments(opus, corpus)
    with watch.stage("translate"):
        texts = [text for _, french in alignments for text in french]
        size = BATCH if watch.device == "cpu" else 2 * BATCH
        for start in range(0, len(texts), size):
            batch = tokenizer(texts[start : start + size], return_tensors="pt", padding=True, truncation=True)
            longest = batch["input_ids"].shape[1] + SPARE
            model.generate(**batch.to(watch.device), num_beams=BEAM, max_new_tokens=longest)
    pairs = [(" ".join(reference(*alignment)), " ".join(alignment[0])) if len(alignment[1]) == 1 else
             (alignment[0][0], " ".join(reference(*alignment))) for alignment in alignments]  # fmt: skip
    with watch.stage("parse"):
        sides = [text for english, french in alignments for text in (*english, *reference(english, french))]
        parses = list(nlp.pipe(sides))
    with watch.stage("score"):
        scores = scorer.score([long for long, _ in pairs], [split for _, split in pairs])[2].tolist()
    with watch.stage("export"), (models / "pairs.jsonl").open("w", encoding="utf-8") as out:
        for (long, split), score in zip(pairs, scores, strict=True):
            out.write(json.dumps({"long": long, "split": split, "score": score}) + "\n")
    print(f"the script: {len(pairs)} pairs, {len(texts)} texts translated, {sum(map(len, parses))} tokens parsed")


def build(settings: Mapping[str, Any], watch: Stopwatch) -> Path:
    """Run the flow in this process with every task on the stopwatch; return the folder of the data set."""
    from prefect import Task

    from bitext_pivot.flows import pivot_bitext as recipe
    from bitext_pivot.flows.settings import PivotBitext

    begun, before = watch.now(), sum(watch.seconds.values())
    for task in [value for value in vars(recipe).values() if isinstance(value, Task)]:
        task.fn = _timed(task.fn, watch, {"check": "load", "fetch": "extract"}.get(task.fn.__name__, task.fn.__name__))
    folder = recipe.pivot_bitext(PivotBitext.model_validate(settings))
    watch.seconds["Prefect and the rest"] = watch.now() - begun - (sum(watch.seconds.values()) - before)
    return folder


def _timed(function: Callable[..., Any], watch: Stopwatch, stage: str) -> Callable[..., Any]:
    @wraps(function)
    def timed(*arguments: Any, **options: Any) -> Any:
        with watch.stage(stage):
            return function(*arguments, **options)

    return timed


def use_random_models(references: Mapping[str, str]) -> None:
    """Let the build accept models of random weights: their translations are replaced, the encoder is not checked."""
    from bitext_pivot.filters.neural import encoder_check
    from bitext_pivot.translation import engine, marian

    translate = marian.Marian.translate

    def replaced(model: marian.Marian, texts: Sequence[str]) -> list[engine.TranslatedText]:
        translate(model, texts)
        return engine.Echo().translate([references.get(" ".join(text.split()), text) for text in texts])

    marian.Marian.translate = replaced  # type: ignore[assignment,method-assign]
    encoder_check.check_encoder = lambda *_: None


def settings_of(corpus: str, models: Path) -> dict[str, Any]:
    """Return the build's settings."""
    filters = {
        "pasted": {"max_tokens": 1000}, "components": {"max_components": 100},
        "verbs": {"min_verbs": 0}, "overlap": {"min_overlap": 0},
        "bertscore": {"model": str(models / "roberta"), "layer": LAYER, "min_score": 0},
    }  # fmt: skip
    screening: dict[str, Any] = {name: {"enabled": False} for name in ("boilerplate", "language", "duplicates")}
    return {
        "pivot": "fr", "corpora": [corpus], "parser": {"pipeline": str(PARSER)},
        "filters": {"preset": "paper", "advanced": filters},
        "translation": {"model": str(models / "marian"), "advanced": {"beam_size": BEAM, "max_ratio": 1.0}},
        "screening": screening | {"lengths": {"min_words": 1, "max_ratio": None}},
    }  # fmt: skip


def print_table(scripts: Stopwatch, builds: Stopwatch) -> None:
    """Print a line per stage and the total."""
    print("| stage | script, s | build, s | times as fast |\n|---|---|---|---|")
    rows = [(name, scripts.seconds[name], builds.seconds[name]) for name in STAGES]
    for name, peer, build in [*rows, ("in all", sum(scripts.seconds.values()), sum(builds.seconds.values()))]:
        print(f"| {name} | {peer:.1f} | {build:.1f} | {f'{peer / build:.1f}' if peer and build else '-'} |")


def main() -> None:
    """Run the script, then the build, and print what each stage took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--alignments", type=int, default=2000)
    parser.add_argument("--opus", type=Path, required=True, help="folder in the layout of OPUS")
    parser.add_argument("--corpus", default="Europarl/v7")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        os.environ |= {
            "OMP_NUM_THREADS": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_HOME": str(work / "prefect"), "PREFECT_LOGGING_LEVEL": "ERROR",
            "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
            "BITEXT_PIVOT_HOME": str(work / "home"), "BITEXT_PIVOT_OPUS": str(work / "opus"),
            "BITEXT_PIVOT_RUNNER": "threads", "BITEXT_PIVOT_WORKERS": "1", "BITEXT_PIVOT_THREADS": "1",
            "BITEXT_PIVOT_DEVICE": options.device,
        }  # fmt: skip
        (work / "prefect").mkdir()
        sys.path.insert(0, str(ROOT))
        import random_models
        import torch

        torch.set_num_threads(1)
        cut_release(options.opus, options.corpus, options.alignments, work / "opus")
        alignments = read_alignments(work / "opus", options.corpus)
        texts = [(" ".join(french), " ".join(english)) for english, french in alignments]
        random_models.write_marian(work / "marian", texts)
        random_models.write_roberta(work / "roberta", texts)
        scripts, builds = Stopwatch(options.device), Stopwatch(options.device)
        script(work / "opus", options.corpus, work, scripts)
        use_random_models({" ".join(text.split()): english for alignment in alignments
                           for text, english in zip(alignment[1], reference(*alignment), strict=True)})  # fmt: skip
        data_set = build(settings_of(options.corpus, work), builds)
        stats = json.loads((data_set / "stats.json").read_text(encoding="utf-8"))
        print(f"the build: {sum(stats['counts']['subset'].values())} pairs")
    print_table(scripts, builds)


if __name__ == "__main__":
    main()
