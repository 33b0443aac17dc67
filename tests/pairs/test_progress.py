import logging

import pytest

from pairs import progress
from pairs.progress import Unit, tracked


@pytest.mark.parametrize(
    ("unit", "total", "line"),
    [
        ("items", 3_000, "work: 2,000 of 3,000, "),
        ("items", None, "work: 2,000, "),
        ("bytes", 66_500_000_000, "work: 2.0 kB of 66.5 GB, "),
        ("bytes", None, "work: 2.0 kB, "),
    ],
)
def test_without_a_terminal_long_work_logs_how_far_it_is(
    unit: Unit, total: int | None, line: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    caplog.set_level(logging.INFO)
    with tracked("work", total, unit) as advance:
        advance(2_500)
        advance(-500)
    assert len(caplog.messages) == 2 and caplog.messages[-1].startswith(line)


@pytest.mark.parametrize(("unit", "shown"), [("items", "500/1000"), ("bytes", "0.5/1.0 kB")])
def test_a_terminal_gets_a_bar_in_the_unit_of_the_work(unit: Unit, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with tracked("other", 7), tracked("work", 1_000, unit) as advance:
        advance(500)
        display = progress._display
        assert display is not None
        assert str(progress._Amount().render(display.tasks[-1])).strip() == shown
    assert progress._display is None
