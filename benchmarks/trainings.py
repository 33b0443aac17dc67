"""The trainings of benchmarks side by side, within a limit of time; what is finished is kept.

usage: python benchmarks/trainings.py JOBS RESULTS [--device cuda] [--workers 14] [--minutes 5] [--updates 2]

JOBS is a folder that other benchmarks wrote: rows, test sets and files `*.jobs.jsonl`. Each training has a process, or
shares that of its group, and writes `NAME.json` with outputs and scores to RESULTS as soon as it is finished; the same
call leaves out what is there. Those of a lower tier begin first. `--updates` replaces the updates of all, for a trial.
"""

import argparse
import json
import multiprocessing
import os
import signal
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]
_ENDING = ".jobs.jsonl"
_AT_ONCE = 128
"""Texts of a batch whose outputs are generated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A training."""

    name: str
    settings: Row
    """Those of `TrainModel`, with one seed; paths are relative to the folder of jobs. {quickstart} is its folder,
    {scratch} that of networks that other jobs of the group left."""
    seconds: float = 120
    """After so many it is given up, on a GPU."""
    tier: int = 1
    group: str = ""
    """Jobs of a group share a process, in their order."""
    saved: str = ""
    """Name of the folder in {scratch} that the network is left in; empty: it is not kept."""
    transfer: str = ""
    """Folder of SentEval's files, on which the trained encoder is measured."""
    folds: int = 3
    """Of that measurement; ten as in SentEval take thirty times as long."""
    device: str = ""
    """cpu for a network that is too small for a GPU; empty: that of the call."""
    has_outputs: bool = True
    """False: only scores are written."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of a finished training."""

    name: str
    facts: Row

    def system(self, test: str, name: str = "") -> dict[str, float]:
        """Return the scores of the trained network on a test set, or those of another row of its table."""
        systems: dict[str, dict[str, float]] = self.facts["tests"][test]["systems"]
        return systems[name or list(systems)[-1]]


def add_jobs(folder: Path, name: str, jobs: Sequence[Job]) -> None:
    """Write the trainings of a benchmark."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(asdict(job))}\n" for job in jobs)
    (folder / f"{name}{_ENDING}").write_text(lines, encoding="utf-8")


def read_jobs(folder: Path) -> list[Job]:
    """Return the trainings of all benchmarks, those of a lower tier first."""
    jobs = []
    for path in sorted(folder.glob(f"*{_ENDING}")):
        jobs += [Job(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(jobs, key=lambda job: job.tier)


def results(folder: Path, benchmark: str) -> list[Result]:
    """Return the finished trainings of a benchmark."""
    found = []
    for path in sorted(folder.glob(f"{benchmark}.*.json")):
        found.append(Result(path.stem, json.loads(path.read_text(encoding="utf-8"))))
    return found


def quickstart() -> Path:
    """Return the folder of the quickstart, in the working folder or in the repository that has the package."""
    from bitext_pivot import commands

    places = [Path(str(commands.__file__)).resolve().parents[1], Path.cwd()]
    for place in places:
        if (place / "quickstart" / "models").is_dir():
            return (place / "quickstart").resolve()
    raise SystemExit(f"There is no folder quickstart in {places[0]} or {places[1]}.")


def train(job: Job, options: argparse.Namespace) -> None:
    """Train, test, and write the result."""
    from bitext_pivot.core.site import Site
    from bitext_pivot.flows.train_settings import TrainModel
    from bitext_pivot.research.models import data, evaluation, network, trainer
    from bitext_pivot.research.models.kinds import network_class
    from bitext_pivot.research.models.network import NetworkPlan
    from bitext_pivot.research.tasks.examples import read

    begun = time.monotonic()
    out, scratch, device, updates = (
        options.results,
        options.scratch,
        job.device or options.device,
        options.updates,
    )
    text = json.dumps(job.settings)
    text = text.replace("{quickstart}", str(quickstart())).replace("{scratch}", str(scratch))
    form = TrainModel.model_validate_json(text)
    training = form.training
    if updates is not None:
        training = training.model_copy(update={"max_steps": updates})
    start = network.fetch(form.start)
    plan = NetworkPlan(
        kind=form.kind,
        start=form.start,
        folder=start and start.folder,
        training=training,
        decoding=form.decoding,
    )
    skips = Counter[str]()
    tests, parts = read(form, Site(), skips)
    trainer.seed(training.seeds[0])
    built = network_class(plan.kind).build(plan, parts.train)
    runtime = trainer.Runtime(device=device, threads=1, checkpoint_minutes=1_000)  # type: ignore[arg-type]
    fitted = trainer.fit(built, parts, training, scratch / "checkpoints" / job.name, runtime)
    facts: Row = {
        "settings": form.model_dump(mode="json"),
        "data": data.summary(parts, skips),
        "steps": fitted.steps,
        "losses": fitted.losses,
        "training_seconds": fitted.seconds,
        "device": device,
        "tests": {},
        "groups": {},
        "outputs": {},
    }
    for test in tests:
        lines = evaluation.outputs(built, test.examples, _AT_ONCE)
        facts["tests"][test.name] = evaluation.scores(
            form.task, test, {"trained": lines}, form.scoring
        )
        facts["groups"][test.name] = Counter(example.group for example in test.examples)
        if job.has_outputs:
            facts["outputs"][test.name] = lines
    if job.saved:
        built.save(scratch / job.saved)
    if job.transfer:
        from transfer import accuracies

        encoder = built.module.encoder
        facts["transfer"] = dict(accuracies(Path(job.transfer), encoder, job.folds))
    facts["seconds"] = time.monotonic() - begun
    _write(out / f"{job.name}.json", facts)


def _write(path: Path, facts: Row) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
    partial.rename(path)


def work(jobs: Sequence[Job], options: argparse.Namespace, end: float) -> None:
    """Train the jobs of a group one after the other; an error, or the end of the time, is written to a file."""
    signal.signal(signal.SIGALRM, _over)
    for job in jobs:
        seconds = end - time.monotonic()
        if options.device != "cpu":
            seconds = min(job.seconds, seconds)
        if seconds < 1 or is_finished(job, options):
            continue
        signal.alarm(int(seconds))
        try:
            train(job, options)
        except Exception:  # noqa: BLE001  the others go on
            path = options.results / f"{job.name}.error"
            path.write_text(traceback.format_exc(), encoding="utf-8")
        finally:
            signal.alarm(0)


def _over(*_: object) -> None:
    raise TimeoutError("the time of this training is over")


def groups(jobs: Sequence[Job]) -> list[list[Job]]:
    """Return the jobs by process, in the order of their first ones."""
    found: dict[str, list[Job]] = {}
    for job in jobs:
        found.setdefault(job.group or job.name, []).append(job)
    return list(found.values())


def run(folder: Path, options: argparse.Namespace) -> None:
    """Train what is not finished, so many groups at once, until the time is over."""
    end = time.monotonic() + 60 * options.minutes
    options.results = options.results.resolve()
    options.scratch = (options.scratch or options.results / "scratch").resolve()
    options.results.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)  # paths in settings are relative to it
    jobs = [job for job in read_jobs(Path()) if not is_finished(job, options)]
    context = multiprocessing.get_context("spawn")  # CUDA does not work in a fork
    with ProcessPoolExecutor(options.workers, mp_context=context) as processes:
        futures = [processes.submit(work, group, options, end) for group in groups(jobs)]
        for future in futures:
            future.result()
    done = sum(is_finished(job, options) for job in jobs)
    print(f"{done} of {len(jobs)} trainings finished")


def is_finished(job: Job, options: argparse.Namespace) -> bool:
    """Return True if the result of a training is there."""
    path: Path = options.results / f"{job.name}.json"
    return path.exists()


def main() -> None:
    """Train what a folder names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jobs", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=300)
    parser.add_argument("--updates", type=int)
    parser.add_argument("--scratch", type=Path, help="for checkpoints; default: RESULTS/scratch")
    arguments = parser.parse_args()
    run(arguments.jobs, arguments)


if __name__ == "__main__":
    main()
