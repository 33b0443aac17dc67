"""One build in a process of its own, through Prefect or without; prints what it took as a line of JSON.

usage: python benchmarks/orchestrated.py flow|direct SETTINGS.json

Its place of work comes from the environment, as that of every build. orchestration.py uses it.
"""

import functools
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from prefect.logging import disable_run_logger

import flows.pivot_bitext as recipe
from tasks.check import check
from tasks.export import export
from tasks.extract import extract
from tasks.fetch import fetch
from tasks.judge import judge
from tasks.parse import parse
from tasks.score import score
from tasks.translate import translate

STAGES = (check, fetch, extract, translate, parse, score, judge, export)


def artifacts() -> Iterator[tuple[Any, str]]:
    """Yield each place where a task speaks with the server about anything but its state: module and name."""
    for module in [module for name, module in sys.modules.items() if name.startswith("tasks.")]:
        yield from ((module, name) for name in dir(module) if name.endswith("_artifact"))


@contextmanager
def without_prefect() -> Iterator[None]:
    """Let the functions of tasks be called as such: no run, no log of a run, no artifact."""
    for module, name in artifacts():
        setattr(module, name, lambda *_, **__: None)
    with disable_run_logger():
        yield


def direct(settings: recipe.PivotBitext) -> float:
    """Do what the flow does, one function after another; no time of it is told apart."""
    with without_prefect():
        settings = settings.pinned()
        signature = check.fn(settings, settings.translation, settings.parser, settings.sieve)
        sources = [fetch.fn(asked) for asked in settings.sources()]
        judged = []
        for shard in [shard for source in sources for shard in extract.fn(source, settings)]:
            pairs = translate.fn(shard, settings.language, settings.pivot, settings.translation).data
            parsed = parse.fn(pairs, settings.language, settings.parser).data
            scored = score.fn(parsed, settings.sieve).data
            judged.append(judge.fn(scored, settings.sieve, settings.categories).data)
        export.fn(judged, sources, settings.title, signature)
    return 0.0


def timed(
    function: Callable[..., Any], note: Callable[[float], None], clock: Callable[[], float] = time.perf_counter
) -> Callable[..., Any]:
    """Return the function, with its seconds by a clock told to `note`."""

    @functools.wraps(function)
    def timing(*arguments: Any, **options: Any) -> Any:
        begun = clock()
        try:
            return function(*arguments, **options)
        finally:
            note(clock() - begun)

    return timing


def through_prefect(settings: recipe.PivotBitext) -> float:
    """Run the flow; return the seconds in functions of ours, without those they spend on artifacts."""
    own: list[float] = []
    for stage in STAGES:
        stage.fn = timed(stage.fn, own.append)
    for module, name in artifacts():
        setattr(module, name, timed(getattr(module, name), lambda seconds: own.append(-seconds)))
    recipe.pivot_bitext(settings)
    return sum(own)


def main(how: str, file: Path) -> None:
    """Run the build and print its facts."""
    settings = recipe.PivotBitext.model_validate_json(file.read_bytes())
    begun, cpu = time.perf_counter(), time.process_time()
    own = through_prefect(settings) if how == "flow" else direct(settings)
    facts = {
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - cpu,
        "own": own,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
