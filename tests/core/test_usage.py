"""Usage: seconds of work without waiting, and the share of the GPU where it is read."""

import sys
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

import pytest

from bitext_pivot.core import usage


class Machine:
    """A machine whose clock and GPU say what a test wants."""

    def __init__(self) -> None:
        self.now = 0.0
        self.gpu: float | None = None

    def metered(self) -> AbstractContextManager[usage.Meter]:
        return usage.metered(lambda: self.now, lambda: self.gpu)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Such a machine, whose GPU no thread reads."""
    monkeypatch.setattr(usage, "has_gpu", lambda: False)
    return Machine()


def test_a_lap_has_what_was_taken_since_the_last_one(machine: Machine) -> None:
    machine.now += 9
    with machine.metered() as meter:
        machine.now += 10
        assert meter.lap()["seconds"] == 10
        machine.now += 1
        assert meter.lap()["seconds"] == 1


def test_waiting_for_other_work_is_not_counted(machine: Machine) -> None:
    with machine.metered() as meter:
        machine.now += 2
        with usage.paused():
            machine.now += 50
            machine.gpu = 1.0
            meter.read_gpu()
            with usage.paused():
                machine.now += 10
            machine.gpu = None
        machine.now += 1
        lap = meter.lap()
    assert lap["seconds"] == 3 and "gpu_busy" not in lap
    with usage.paused():  # outside of metered work it does nothing
        machine.now += 1


def test_pieces_of_work_side_by_side_have_their_own_seconds(machine: Machine) -> None:
    with machine.metered() as working, machine.metered() as waiting:
        machine.now += 4
        with usage.paused():
            machine.now += 10
        assert (working.lap()["seconds"], waiting.lap()["seconds"]) == (14, 4)


@pytest.mark.parametrize(
    ("readings", "busy"),
    [([], None), ([None, None], None), ([0.0, 0.0], 0.0), ([0.5, None, 1.0], 0.75), ([0.9], 0.9)],
)
def test_the_share_of_gpu_time_is_the_mean_of_the_readings(
    readings: list[float | None], busy: float | None, machine: Machine
) -> None:
    with machine.metered() as meter:
        for reading in readings:
            machine.gpu = reading
            meter.read_gpu()
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
    monkeypatch.setattr(usage, "has_gpu", lambda: True)
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert usage.gpu_busy() is None


def test_a_reader_says_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = SimpleNamespace(device_count=lambda: 2, utilization=[37, 57].__getitem__)
    torch: Any = SimpleNamespace(cuda=cuda)
    monkeypatch.setattr(usage, "has_gpu", lambda: True)
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert usage.gpu_busy() == 0.47
    monkeypatch.setattr(usage, "has_gpu", lambda: False)
    assert usage.gpu_busy() is None


def test_a_real_piece_of_work_has_plausible_numbers() -> None:
    with usage.metered() as meter:
        lap = meter.lap()
    assert lap["peak_bytes"] > 1_000_000 and lap["seconds"] >= 0
