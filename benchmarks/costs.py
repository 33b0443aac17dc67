"""What a piece of work takes: time and the peak of memory, in a process of its own."""

import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple


class Taken(NamedTuple):
    """What a piece of work returned, such as rows, and what it took."""

    found: int
    seconds: float
    """CPU seconds of the process and its threads."""
    clock: float
    """Seconds by the clock."""
    peak: float
    """Peak of memory in MB, of the process or its largest child."""


def taken(prepare: Callable[..., Callable[[], int]], *arguments: Any) -> Taken:
    """Prepare a piece of work in a fresh process, do it there, and return what it took without the preparation."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(_taken, prepare, *arguments).result()


def _taken(prepare: Callable[..., Callable[[], int]], *arguments: Any) -> Taken:
    work = prepare(*arguments)
    begun, clock = time.process_time(), time.perf_counter()
    result = work()
    seconds, clock = time.process_time() - begun, time.perf_counter() - clock
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return Taken(result, seconds, clock, peak / 1024)
