"""Verdicts and labels: of the scored pairs of a build, and of a file of existing pairs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from filters.base import Runtime
from filters.sieve import Sieve
from pairs.categories import Categories, categorize
from pairs.edits import edit_labels
from pairs.export import row
from pairs.parsing import Pipeline, parse_pairs
from pairs.ready_made import Line
from pairs.records import JudgedPair, ScoredPair

UNREADABLE = "unreadable"
"""Verdict on a line that has no pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Filters, category rules and parser for a file of pairs, and where its models run."""

    sieve: Sieve
    categories: Categories
    pipeline: Pipeline
    runtime: Runtime


def judged(scored: Iterable[ScoredPair], sieve: Sieve, categories: Categories) -> Iterator[JudgedPair]:
    """Yield each scored pair with its verdict and labels, in order."""
    for pair in scored:
        category, construction, split_at = categorize(pair.parsed, categories)
        yield JudgedPair(
            scored=pair,
            rejected_by=sieve.verdict(pair),
            category=category,
            construction=construction,
            split_at=split_at,
        )


def judge_lines(lines: Iterable[Line], judge: Judge, *, at_once: int = 512) -> Iterator[dict[str, Any]]:
    """Yield one JSON object per line, in order: scores, `rejected_by`, category, construction and edit labels.

    A line without a pair is rejected by `unreadable`, with the reason as `problem`; `at_once` lines are in memory.
    """
    stream = iter(lines)
    while batch := list(islice(stream, at_once)):
        results = _judged_by_number(batch, judge)
        for line in batch:
            yield {"line": line.number, **(results.get(line.number) or _unreadable(line.problem))}


def _judged_by_number(lines: Sequence[Line], judge: Judge) -> dict[int, dict[str, Any]]:
    """Judge the lines that have a pair; by line number, because two lines may have the same id."""
    pairs = [line.pair for line in lines if line.pair is not None]
    numbers = {id(line.pair): line.number for line in lines if line.pair is not None}
    parsed, _ = parse_pairs(pairs, judge.pipeline)
    found = judged(judge.sieve.score(parsed, judge.runtime), judge.sieve, judge.categories)
    return {numbers[id(one.pair)]: _readable(one) for one in found}


def _readable(one: JudgedPair) -> dict[str, Any]:
    parsed = one.scored.parsed
    first, second = (parse.tokens for parse in parsed.split)
    labels = edit_labels(parsed.long.tokens, (first, second), one.category, str.split)
    plain = {name: value for name, value in row(one).items() if value is not None}
    return {**plain, "rejected_by": one.rejected_by, "edit_labels": asdict(labels)}


def _unreadable(problem: str | None) -> dict[str, Any]:
    return {"rejected_by": UNREADABLE, "problem": problem or "the parser finds no token in one of the sentences"}


def count(results: Iterable[dict[str, Any]], write: Callable[[dict[str, Any]], object]) -> Counter[str]:
    """Call `write` with each result and count the verdicts: the filter's name, or `kept`."""
    verdicts: Counter[str] = Counter()
    for result in results:
        write(result)
        verdicts[result["rejected_by"] or "kept"] += 1
    return verdicts
