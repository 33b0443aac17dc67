"""Parse: processes of spaCy only where threads work on the shards and there is enough for each to do."""

import pytest

from pairs.parsing import Parser
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
    chosen = _apart(pairs, Parser(), "en")
    assert (chosen.keywords["processes"] if chosen else None) == processes
