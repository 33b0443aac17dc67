"""Usage: the CPU seconds of all work add up to those of the process, and waiting is no work."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core import usage


class Machine:
    """A machine whose clocks, memory and GPU say what a test wants."""

    def __init__(self) -> None:
        self.now = self.cpu = 0.0
        self.memory = 100
        self.gpu: float | None = None

    def work(self, seconds: float, cpu: float, memory: int = 100) -> None:
        self.now += seconds
        self.cpu += cpu
        self.memory = memory


@pytest.fixture
def machine() -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as patch:
        yield on(patch)


def on(patch: pytest.MonkeyPatch) -> Machine:
    """Measure on a machine of the test; no thread takes readings."""
    machine = Machine()
    clocks = SimpleNamespace(monotonic=lambda: machine.now, process_time=lambda: machine.cpu)
    patch.setattr(usage, "time", clocks)
    patch.setattr(usage, "_memory", lambda: machine.memory)
    patch.setattr(usage, "_gpu_busy", lambda: machine.gpu)
    patch.setattr(usage._Readings, "_sample", lambda _: None)
    patch.setattr(usage, "_readings", usage._Readings())
    return machine


def test_a_lap_has_what_was_taken_since_the_last_one(machine: Machine) -> None:
    machine.work(9, 9)
    with usage.metered() as meter:
        machine.work(10, 15, memory=700)
        first = meter.lap()
        machine.work(1, 2, memory=300)
        second = meter.lap()
    assert first == {"seconds": 10, "cpu_seconds": 15, "peak_bytes": 700}
    assert second == {"seconds": 1, "cpu_seconds": 2, "peak_bytes": 300}


def test_waiting_for_other_work_is_not_counted(machine: Machine) -> None:
    with usage.metered() as meter:
        machine.work(2, 3)
        with usage.paused():
            machine.work(60, 70, memory=900)
        machine.work(1, 1)
        assert meter.lap() == {"seconds": 3, "cpu_seconds": 4, "peak_bytes": 100}
    with usage.paused():  # outside of metered work it does nothing
        machine.work(1, 1)


def test_the_work_for_which_another_waits_takes_all_cpu_seconds(machine: Machine) -> None:
    with usage.metered() as working, usage.metered() as waiting:
        machine.work(4, 4)
        with usage.paused():
            machine.work(10, 20)
        assert (working.lap()["cpu_seconds"], waiting.lap()["cpu_seconds"]) == (22, 2)


@pytest.mark.parametrize(
    ("readings", "busy"),
    [([], None), ([None, None], None), ([0.0, 0.0], 0.0), ([0.5, None, 1.0], 0.75), ([0.9], 0.9)],
)
def test_the_share_of_gpu_time_is_the_mean_of_the_readings(
    readings: list[float | None], busy: float | None, machine: Machine
) -> None:
    with usage.metered() as meter:
        for reading in readings:
            machine.gpu = reading
            usage._readings.take()
        machine.gpu = None
        assert meter.lap().get("gpu_busy") == busy


@pytest.mark.parametrize("torch", [
    None,
    SimpleNamespace(),  # half imported by another thread
    SimpleNamespace(cuda=SimpleNamespace()),
    SimpleNamespace(cuda=SimpleNamespace(device_count=lambda: 1, utilization=lambda _: 1 / 0)),
    SimpleNamespace(cuda=SimpleNamespace(device_count=lambda: 0, utilization=lambda _: 50)),
])  # fmt: skip
def test_without_a_reader_nothing_is_known_of_a_gpu(
    torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "_has_gpu", lambda: True)
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert usage._gpu_busy() is None


def test_a_reader_says_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = SimpleNamespace(device_count=lambda: 2, utilization=[37, 57].__getitem__)
    torch: Any = SimpleNamespace(cuda=cuda)
    monkeypatch.setattr(usage, "_has_gpu", lambda: True)
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert usage._gpu_busy() == 0.47
    monkeypatch.setattr(usage, "_has_gpu", lambda: False)
    assert usage._gpu_busy() is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(0, 20)), max_size=12))
def test_the_cpu_seconds_of_all_work_are_those_of_the_process(
    steps: list[tuple[int, int, int]],
) -> None:
    """Each step has so many pieces under way, besides one that lasts to the end."""
    with pytest.MonkeyPatch.context() as patch:
        machine, laps = on(patch), []
        with usage.metered() as whole:
            for pieces, seconds, cpu in steps:
                with ExitStack() as stack:
                    meters = [stack.enter_context(usage.metered()) for _ in range(pieces)]
                    machine.work(seconds, cpu)
                    laps += [meter.lap() for meter in meters]
            laps.append(whole.lap())
        total = sum(lap["cpu_seconds"] for lap in laps)
        assert total == pytest.approx(machine.cpu, abs=0.01 * len(laps))


def test_a_real_piece_of_work_has_plausible_numbers() -> None:
    with usage.metered() as meter:
        sum(range(200_000))
        lap = meter.lap()
    assert lap["peak_bytes"] > 1_000_000 and lap["cpu_seconds"] >= 0 and lap["seconds"] >= 0
