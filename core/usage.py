"""What a piece of work takes on this machine: seconds, memory, and how busy the GPU was."""

import functools
import resource
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from bitext_pivot.core.hub import device

has_gpu = functools.cache(device.has_gpu)
_EVERY = 1.0  # seconds between two readings of the GPU
_UNIT = {"darwin": 1}.get(sys.platform, 1024)  # bytes that `ru_maxrss` counts in
_current: ContextVar["Meter | None"] = ContextVar("_current", default=None)


class Meter:
    """What one piece of work has taken so far."""

    def __init__(self, clock: Callable[[], float], gpu: Callable[[], float | None]) -> None:
        """`clock` says the seconds, and `gpu` how busy the GPU is, None if nothing reads it."""
        self._clock, self._gpu = clock, gpu
        self._begun = clock()
        self._busy: list[float] = []
        self._is_paused = False

    def lap(self) -> dict[str, float]:
        """Return what was taken since the work or the last lap began, and begin the next lap.

        `seconds` are those of work, without pauses; `peak_bytes` is the most memory that the process ever
        had. `gpu_busy` is the mean of the readings, from 0 to 1; it is missing if nothing reads a GPU.
        """
        self.read_gpu()
        now = self._clock()
        usage: dict[str, float] = {
            "seconds": round(now - self._begun, 3),
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT,
        }
        if self._busy:
            usage["gpu_busy"] = round(statistics.fmean(self._busy), 3)
        self._begun, self._busy = now, []
        return usage

    def read_gpu(self) -> None:
        """Add a reading of the GPU, unless the work waits for other work."""
        busy = self._gpu()
        if busy is not None and not self._is_paused:
            self._busy.append(busy)

    def sample(self, end: threading.Event) -> None:
        """Read the GPU every second until the end of the work."""
        while not end.wait(_EVERY):
            self.read_gpu()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count the time inside."""
        begun, self._is_paused = self._clock(), True
        try:
            yield
        finally:
            self._begun += self._clock() - begun
            self._is_paused = False


def gpu_busy() -> float | None:
    """Return the share of time in which the GPUs of this process computed; None if nothing says so.

    PyTorch reads it through nvidia-ml-py, which is no dependency. A library is not imported for it.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not has_gpu():
        return None
    try:
        percents = [torch.cuda.utilization(gpu) for gpu in range(torch.cuda.device_count())]
        return float(sum(percents)) / len(percents) / 100
    except Exception:  # noqa: BLE001 -- of a library not imported here; no right to read, part of a GPU
        return None


@contextmanager
def metered(
    clock: Callable[[], float] = time.monotonic, gpu: Callable[[], float | None] = gpu_busy
) -> Iterator[Meter]:
    """Yield the meter of the work inside, by a clock and a reader of the GPU."""
    meter, end = Meter(clock, gpu), threading.Event()
    token = _current.set(meter)
    if has_gpu():
        threading.Thread(target=meter.sample, args=(end,), name="usage", daemon=True).start()
    try:
        yield meter
    finally:
        end.set()
        _current.reset(token)


@contextmanager
def paused() -> Iterator[None]:
    """Do not count the time inside, in which the work of this context waits for other work."""
    meter = _current.get()
    if meter is None:
        yield
        return
    token = _current.set(None)  # a pause within a pause counts once
    try:
        with meter.paused():
            yield
    finally:
        _current.reset(token)
