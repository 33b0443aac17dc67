"""The trainings of filters_pay.py side by side, within a limit of time; what is finished is kept.

usage: python benchmarks/trainings.py JOBS RESULTS [--device cuda] [--workers 14] [--minutes 5] [--updates 2]

JOBS is the folder that `filters_pay.py jobs` wrote: rows, test sets and the list of trainings. Each has a process, and
writes `NAME.json` with outputs and scores to RESULTS as soon as it is finished; the same call leaves out what is there.
`--updates` replaces the updates of all, for a trial.
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
_LIST = "filters.jobs.jsonl"
_AT_ONCE = 128
"""Texts of a batch whose outputs are generated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A training."""

    name: str
    settings: Row
    """Those of `TrainModel`, with one seed; paths are relative to the folder of jobs, {quickstart} is its folder."""
    seconds: float = 200
    """After so many it is given up, on a GPU."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of a finished training."""

    name: str
    facts: Row

    def scores(self, test: str) -> dict[str, float]:
        """Return the scores of the trained network on a test set."""
        systems: dict[str, dict[str, float]] = self.facts["tests"][test]["systems"]
        return systems["trained"]


def write_jobs(folder: Path, jobs: Sequence[Job]) -> None:
    """Write the list of trainings."""
    lines = "".join(f"{json.dumps(asdict(job))}\n" for job in jobs)
    (folder / _LIST).write_text(lines, encoding="utf-8")


def read_jobs(folder: Path) -> list[Job]:
    """Return the trainings."""
    lines = (folder / _LIST).read_text(encoding="utf-8").splitlines()
    return [Job(**json.loads(line)) for line in lines]


def results(folder: Path) -> list[Result]:
    """Return the finished trainings."""
    paths = sorted(folder.glob("filters.*.json"))
    return [Result(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def train(job: Job, options: argparse.Namespace) -> None:
    """Train, test, and write the result."""
    from bitext_pivot import commands
    from bitext_pivot.core.site import Site
    from bitext_pivot.flows.train_settings import TrainModel
    from bitext_pivot.research.models import data, evaluation, network, trainer
    from bitext_pivot.research.models.kinds import network_class
    from bitext_pivot.research.models.network import NetworkPlan
    from bitext_pivot.research.tasks.training_examples import read

    quickstart = Path(str(commands.__file__)).resolve().parents[1] / "quickstart"
    text = json.dumps(job.settings).replace("{quickstart}", str(quickstart))
    form = TrainModel.model_validate_json(text)
    training = form.training
    if options.updates is not None:
        training = training.model_copy(update={"max_steps": options.updates})
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
    runtime = trainer.TrainingRuntime(device=options.device, threads=1, checkpoint_minutes=1_000)
    checkpoints = options.results / "checkpoints" / job.name
    fitted = trainer.fit(built, parts, training, checkpoints, runtime)
    facts: Row = {
        "settings": form.model_dump(mode="json"),
        "data": data.summary(parts, skips),
        "steps": fitted.steps,
        "losses": fitted.losses,
        "training_seconds": fitted.seconds,
        "device": options.device,
        "tests": {},
        "outputs": {},
    }
    for test in tests:
        lines = evaluation.outputs(built, test.examples, _AT_ONCE)
        scores = evaluation.scores(form.task, test, {"trained": lines}, form.scoring)
        facts["tests"][test.name] = scores
        facts["outputs"][test.name] = lines
    path = options.results / f"{job.name}.json"
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
    partial.rename(path)


def work(job: Job, options: argparse.Namespace, end: float) -> None:
    """Train one; an error, or the end of the time, is written to a file."""
    seconds = end - time.monotonic()
    if options.device != "cpu":
        seconds = min(job.seconds, seconds)
    if seconds < 1:
        return
    signal.signal(signal.SIGALRM, _over)
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


def run(folder: Path, options: argparse.Namespace) -> None:
    """Train what is not finished, so many at once, until the time is over."""
    end = time.monotonic() + 60 * options.minutes
    options.results = options.results.resolve()
    options.results.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)  # paths in settings are relative to it
    jobs = [job for job in read_jobs(Path()) if not is_finished(job, options)]
    context = multiprocessing.get_context("spawn")  # CUDA does not work in a fork
    with ProcessPoolExecutor(options.workers, mp_context=context) as processes:
        for future in [processes.submit(work, job, options, end) for job in jobs]:
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
    arguments = parser.parse_args()
    run(arguments.jobs, arguments)


if __name__ == "__main__":
    main()
