"""Explain why a pair was kept or rejected, with a table of all filters and their scores for a terminal."""

import inspect
from collections.abc import Mapping
from typing import Any

from bitext_pivot.core.tables import Table
from bitext_pivot.filters.base import ComparingFilter, Filter
from bitext_pivot.filters.chain import Filters


def verdict_table(result: Mapping[str, Any], filters: Filters) -> Table:
    """Return a table with a pair's score and the thresholds of each filter, in order.

    `result` is what `judge_lines` yields for the pair.
    """
    rejected_by = result["rejected_by"]
    title = f"Line {result['line']}: {_verdict(rejected_by)}"
    if "problem" in result:
        return Table(title=title, head=("problem",), rows=[(result["problem"],)])
    scores = result["scores"]
    rows = [_row(name, filter_, scores, rejected_by) for name, filter_ in filters.active().items()]
    first, second = result["split"]
    note = f"{result['long']}\n1: {first}\n2: {second}"
    if rejected_by:
        described = inspect.getdoc(type(filters.active()[rejected_by])) or "no description"
        first_line, _, _ = described.partition("\n")
        note += f"\n{rejected_by}: {first_line}"
    return Table(
        title=title, head=("filter", "measured", "accepts", "verdict"), rows=rows, note=note
    )


def _verdict(rejected_by: str | None) -> str:
    return "kept" if rejected_by is None else f"rejected by {rejected_by}"


def _row(
    name: str, filter_: Filter, scores: Mapping[str, float], rejected_by: str | None
) -> tuple[str, ...]:
    limits = [_limit(setting, value) for setting, value in filter_.thresholds().items()]
    if name not in scores:
        reason = filter_.UNMEASURED
        if rejected_by is not None and isinstance(filter_, ComparingFilter):
            reason = f"{rejected_by} rejects"
        return name, f"no: {reason}", ", ".join(limits), ""
    measured = (name, f"{scores[name]:.4g}", ", ".join(limits))
    if filter_.accepts(scores[name]):
        return *measured, ""
    return *measured, "rejects"


def _limit(setting: str, value: float) -> str:
    """Describe a threshold in words, such as `at least 0.25`."""
    if setting.startswith("min_"):
        return f"at least {value:g}"
    return f"at most {value:g}"
