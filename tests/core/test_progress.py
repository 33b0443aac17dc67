import logging

import pytest

from bitext_pivot.core import progress
from bitext_pivot.core.progress import Unit, line, logged_to, tracked


@pytest.mark.parametrize(
    ("unit", "total", "start"),
    [
        ("pairs", 3_000, "work: 2,000 of 3,000 pairs, "),
        ("lines", None, "work: 2,000 lines, "),
        ("bytes", 66_500_000_000, "work: 2.0 kB of 66.5 GB, "),
        ("bytes", None, "work: 2.0 kB, "),
    ],
)
def test_without_a_terminal_long_work_logs_how_far_it_is(
    unit: Unit,
    total: int | None,
    start: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    caplog.set_level(logging.INFO)
    with logged_to(logging.getLogger("run")), tracked("work", total, unit) as advance:
        advance(2_500)
        advance(-500)
    assert len(caplog.messages) == 2 and caplog.messages[-1].startswith(start)
    assert {record.name for record in caplog.records} == {"run"}


def test_short_work_leaves_no_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with tracked("work", 4, "rows") as advance:
        advance(4)
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("unit", "shown"), [("texts", "500 of 1,000 texts"), ("bytes", "500 bytes of 1.0 kB")]
)
def test_a_terminal_gets_a_bar_in_units_of_work(
    unit: Unit, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with tracked("other", 7, "parts"), tracked("work", 1_000, unit) as advance:
        advance(500)
        display = progress._display
        assert display is not None
        task = display.tasks[-1]
        assert (task.completed, task.fields["amount"]) == (500, shown)
    assert progress._display is None


@pytest.mark.parametrize(("amount", "unit", "seconds", "text"), [
    ((1_200, 5_000), "texts", 10.0, "x: 1,200 of 5,000 texts, 120 texts a second, 32 s left"),
    ((3, None), "lines", 10.0, "x: 3 lines, 0.30 lines a second"),
    ((2_500_000, 10_000_000), "bytes", 5.0, "x: 2.5 MB of 10.0 MB, 500.0 kB a second, 15 s left"),
    ((0, 7), "pairs", 0.0, "x: 0 of 7 pairs, 0.00 pairs a second"),
])  # fmt: skip
def test_a_line_has_amount_rate_and_time_left(
    amount: tuple[int, int | None], unit: Unit, seconds: float, text: str
) -> None:
    assert line("x", *amount, unit, seconds=seconds) == text
