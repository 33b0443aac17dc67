"""What a piece of work takes on this machine: seconds, CPU seconds, memory, and how busy the GPU was.

Several pieces may go on in one process at the same time. What the process computes between two readings is
divided equally among those that go on, so that their CPU seconds add up to those of the process.
"""

import functools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import psutil

from bitext_pivot.core.hub.device import has_driver

_EVERY = 1.0  # seconds between two readings of memory and GPU
_current: ContextVar["Meter | None"] = ContextVar("_current", default=None)


class Meter:
    """What one piece of work has taken so far."""

    def __init__(self) -> None:
        self._restart()

    def _restart(self) -> None:
        self._seconds = self._cpu_seconds = self._busy = 0.0
        self._peak_bytes = self._gpu_readings = 0

    def read(self, seconds: float, cpu_seconds: float, memory: int, busy: float | None) -> None:
        """Add the seconds and CPU seconds since the last reading; `busy` is the share of GPU time, 0 to 1."""
        self._seconds += seconds
        self._cpu_seconds += cpu_seconds
        self._peak_bytes = max(self._peak_bytes, memory)
        if busy is not None:
            self._busy += busy
            self._gpu_readings += 1

    def lap(self) -> dict[str, float]:
        """Return what was taken since the work or the last lap began, and begin the next lap.

        `seconds` are those of work, without pauses; `peak_bytes` is the memory of the process. `gpu_busy` is
        the mean of the readings, from 0 to 1; it is missing without a GPU, or without anything that reads it.
        """
        with _readings.lock:
            _readings.take()
            usage: dict[str, float] = {
                "seconds": round(self._seconds, 3),
                "cpu_seconds": round(self._cpu_seconds, 3),
                "peak_bytes": self._peak_bytes,
            }
            if self._gpu_readings:
                usage["gpu_busy"] = round(self._busy / self._gpu_readings, 3)
            self._restart()
        return usage


class _Readings:
    """Readings of this process, for the meters of all work that goes on."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._meters: list[Meter] = []
        self._is_sampling = False
        self._time = self._cpu_time = 0.0

    def begin(self, meter: Meter) -> None:
        """Count for a meter from now on."""
        with self.lock:
            self.take()
            self._meters.append(meter)
            if not self._is_sampling:
                self._is_sampling = True
                threading.Thread(target=self._sample, name="usage", daemon=True).start()

    def end(self, meter: Meter) -> None:
        """Count for a meter no longer."""
        with self.lock:
            self.take()
            self._meters.remove(meter)

    def take(self) -> None:
        """Add to each meter what was taken since the last reading. Call it only while holding the lock."""
        now, cpu_now = time.monotonic(), time.process_time()
        if self._meters:
            memory, busy = _memory(), _gpu_busy()
            cpu_seconds = (cpu_now - self._cpu_time) / len(self._meters)
            for meter in self._meters:
                meter.read(now - self._time, cpu_seconds, memory, busy)
        self._time, self._cpu_time = now, cpu_now

    def _sample(self) -> None:
        """Take a reading every second, as long as any work goes on."""
        pause = threading.Event()
        while True:
            pause.wait(_EVERY)
            with self.lock:
                if not self._meters:
                    self._is_sampling = False
                    return
                self.take()


_readings = _Readings()


@contextmanager
def metered() -> Iterator[Meter]:
    """Yield the meter of the work inside."""
    meter = Meter()
    token = _current.set(meter)
    _readings.begin(meter)
    try:
        yield meter
    finally:
        _readings.end(meter)
        _current.reset(token)


@contextmanager
def paused() -> Iterator[None]:
    """Do not count the time inside, in which the work of this context waits for other work."""
    meter = _current.get()
    if meter is None:
        yield
        return
    token = _current.set(None)  # a pause inside this one has nothing to pause
    _readings.end(meter)
    try:
        yield
    finally:
        _readings.begin(meter)
        _current.reset(token)


def _memory() -> int:
    """Return the bytes of memory that this process has now."""
    return int(psutil.Process().memory_info().rss)


def _gpu_busy() -> float | None:
    """Return the share of time in which the GPUs of this process computed lately; None if nothing says so.

    PyTorch reads it through nvidia-ml-py, which is no dependency. A library is not imported for it.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not _has_gpu():
        return None
    try:
        percents = [torch.cuda.utilization(gpu) for gpu in range(torch.cuda.device_count())]
        return float(sum(percents)) / len(percents) / 100
    except Exception:  # noqa: BLE001 -- that of a library not imported here; no right to read, part of a GPU
        return None


@functools.cache
def _has_gpu() -> bool:
    return has_driver()
