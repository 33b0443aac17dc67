"""Parse: processes of spaCy only where threads work on the shards and there is enough for each to do."""

from collections import Counter

import pytest

from pairs.syntax.parsing import Parser
from tasks import parse as module
from tasks.parse import _apart


@pytest.mark.parametrize(
    ("runner", "workers", "pairs", "processes"),
    [
        ("threads", 2, 1_000, 2),
        ("threads", 2, 999, None),
        ("threads", 4, 2_000, 4),
        ("threads", 4, 1_999, None),
        ("threads", 1, 1_000_000, None),
        ("processes", 2, 1_000_000, None),
        ("dask", 2, 1_000_000, None),
    ],
)
def test_the_site_and_the_shard_decide(
    runner: str, workers: int, pairs: int, processes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", runner)
    monkeypatch.setenv("BITEXT_PIVOT_WORKERS", str(workers))
    monkeypatch.setattr(module, "_alone", Counter[str]())
    chosen = _apart(pairs, Parser(), "en")
    assert (chosen.keywords["processes"] if chosen else None) == processes


def test_many_small_shards_are_worth_the_processes_of_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_WORKERS", "2")
    monkeypatch.setattr(module, "_alone", Counter[str]())
    chosen = [_apart(250, Parser(), "en") is not None for _ in range(6)]
    assert chosen == [False, False, False, True, True, True]
