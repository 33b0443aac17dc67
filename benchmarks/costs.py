"""What a piece of work takes: CPU seconds and the peak of memory, in a process of its own."""

import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple


class Taken(NamedTuple):
    """What the work returned, such as rows; CPU seconds of the process and its threads; the peak of memory in MB."""

    found: int
    seconds: float
    peak: float


def taken(prepare: Callable[..., Callable[[], int]], *arguments: Any) -> Taken:
    """Prepare a piece of work in a fresh process, do it there, and return what it took without the preparation."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(_taken, prepare, *arguments).result()


def _taken(prepare: Callable[..., Callable[[], int]], *arguments: Any) -> Taken:
    work = prepare(*arguments)
    begun = time.process_time()
    found = work()
    seconds = time.process_time() - begun
    return Taken(found, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
