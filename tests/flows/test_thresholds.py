"""A build of which only a threshold changed: its models have scored all pairs before, and none is loaded."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builds import quickstart

pytestmark = pytest.mark.quickstart
CHANGES: list[dict[str, Any]] = [
    {"bertscore": {"min_score": 0.5}},
    {
        "meaning": {"min_similarity": 0.5},
        "names": {"max_changed": 0},
        "overlap": {"min_overlap": 0.4},
    },
]
"""Thresholds of models, and stricter ones of rules, with which no pair is scored that was not scored before."""


@pytest.mark.nightly
def test_a_changed_threshold_loads_no_model(
    build: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    def run(advanced: dict[str, Any]) -> tuple[str, list[str]]:
        filters = {"preset": "strict", "advanced": advanced}
        settings = quickstart(extraction={"max_links": 40}, filters=filters)
        done = build(tmp_path, settings=settings)
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr.splitlines()[-1].split()

    first, loaded = run({})
    assert loaded == ["engine", "parser", "encoder"]
    others = [run(advanced) for advanced in CHANGES]
    assert [models for _, models in others] == [[], []]
    assert len({first, *(folder for folder, _ in others)}) == 3
