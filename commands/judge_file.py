"""Filter and label the pairs of a file or a list, with one result per line."""

import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any

import orjson

from bitext_pivot.alignments.screening.identify import SAMPLE_SIZE, warn_of_other_language
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.reading.pair_files import UNREADABLE, PairLine
from bitext_pivot.core.records import JudgedPair, ScoredPair
from bitext_pivot.corpus import row_output
from bitext_pivot.corpus.recipes.bisect import SplitRow, row
from bitext_pivot.corpus.schema import schema
from bitext_pivot.corpus.trust import PairRanking, RankingInput
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.presentation import score_names
from bitext_pivot.filters.verdicts import judge_pairs
from bitext_pivot.syntax.labelling.edits import EditLabels, edit_labels
from bitext_pivot.syntax.parsing import SpacyPipeline, parse_pairs

_LINES_AT_ONCE = 512  # lines held in memory


def warn_of_language(lines: Iterator[PairLine], language: str, name: str) -> Iterator[PairLine]:
    """Log a warning if the first lines are not in `language`, and return all lines unchanged."""
    first = list(islice(lines, SAMPLE_SIZE))
    texts = chain.from_iterable(line.pair.texts for line in first if line.pair)
    if warning := warn_of_other_language(name, texts, language, "--language"):
        logging.getLogger(__name__).warning(warning)
    return chain(first, lines)


class JudgedRow(SplitRow):
    """A row in the output of `bitext-pivot judge`: the columns of a pair, and the verdict on the pair."""

    line: int
    """Number of the line in the file, counted from 1; a header counts as a line."""
    rejected_by: str | None
    """Name of the filter that rejects the pair, or `unreadable`."""
    problem: str
    """Why the line does not contain a pair, if it does not."""
    edit_labels: EditLabels
    """Labels of the tokens of the pair, to train a model that edits `long` into the split."""


def judge_file(
    lines: Iterable[PairLine],
    output: Path,
    *,
    filters: Filters,
    pipeline: SpacyPipeline,
    runtime: Runtime,
) -> Counter[str]:
    """Judge all lines, write one row per line to `output`, and count the lines by verdict.

    The file extension of `output` decides the format: CSV, Parquet, or otherwise JSON lines. A verdict is `kept`,
    `unreadable` or the name of the rejecting filter.

    Raises:
        SettingsError: the file cannot be read, or a model is missing.
        ShardError: the output cannot be written.
    """
    verdicts: Counter[str] = Counter()
    columns = schema(JudgedRow, score_names(filters.active()))
    with (
        row_output.open_row_writer(output, columns) as write,
        tracked(f"judge {output.name}", None, "lines") as advance,
    ):
        counted = _with_progress(lines, advance)
        for result in judge_lines(counted, filters=filters, pipeline=pipeline, runtime=runtime):
            write(result)
            verdicts[result["rejected_by"] or "kept"] += 1
    return verdicts


def _with_progress(
    lines: Iterable[PairLine], advance: Callable[[int], object]
) -> Iterator[PairLine]:
    """Yield the lines and advance the progress bar after each one."""
    for line in lines:
        yield line
        advance(1)


def judge_lines(
    lines: Iterable[PairLine], *, filters: Filters, pipeline: SpacyPipeline, runtime: Runtime
) -> Iterator[dict[str, Any]]:
    """Judge all lines, then yield one dictionary per line, in order.

    The results are stored in a temporary file until all lines are judged, because `trust` ranks the kept pairs. A
    result contains scores, `rejected_by`, categories, construction and edit labels. Edit labels follow
    `category_bisect`, with which the splitter of the BiSECT paper was trained. For a line without a pair, `rejected_by`
    is `unreadable` and `problem` is the reason. Raises SettingsError if a model is missing.
    """
    ranking, stream = PairRanking(), iter(lines)
    with tempfile.TemporaryFile() as file:
        while batch := list(islice(stream, _LINES_AT_ONCE)):
            for result in _judge(batch, filters, pipeline, runtime):
                if result["rejected_by"] is None:
                    ranking.add(RankingInput("", result["scores"]))
                file.write(orjson.dumps(result) + b"\n")
        file.seek(0)
        trust = iter(ranking.trust())
        for line in file:
            result = orjson.loads(line)
            if result["rejected_by"] is None:
                result["trust"] = next(trust).rank
            yield result


def _judge(
    lines: Sequence[PairLine], filters: Filters, pipeline: SpacyPipeline, runtime: Runtime
) -> Iterator[dict[str, Any]]:
    pairs = [line.pair for line in lines if line.pair is not None]
    # Keyed by object, because the ids of pairs may repeat.
    numbers = {id(line.pair): line.number for line in lines if line.pair is not None}
    parsed, _ = parse_pairs(pairs, pipeline)
    scored: list[ScoredPair] = filters.score(parsed, runtime)
    results = {
        numbers[id(verdict.pair)]: _plain(verdict) for verdict in judge_pairs(scored, filters)
    }
    for line in lines:
        yield {
            "line": line.number,
            **(results.get(line.number) or _unreadable(line, pipeline.longest)),
        }


def _unreadable(line: PairLine, longest: int) -> dict[str, Any]:
    """Return the result for a line without a pair, or with a pair that cannot be parsed."""
    size = max(map(len, line.pair.texts)) if line.pair else 0
    too_long = (
        f"a sentence has {size:,} characters; parser.longest allows {longest:,}"
        if size > longest
        else None
    )
    problem = line.problem or too_long or "the parser finds no token in one of the sentences"
    return {"rejected_by": UNREADABLE, "problem": problem}


def _plain(judged_pair: JudgedPair) -> dict[str, Any]:
    parsed = judged_pair.scored.parsed
    first, second = (parse.tokens for parse in parsed.split)
    labels = edit_labels(
        parsed.long.tokens, (first, second), judged_pair.category_bisect, str.split
    )
    columns = row(judged_pair)
    # These pairs have no source, so its columns are empty.
    values = {name: value for name, value in columns.items() if value not in (None, [])}
    values["split_at"] = columns["split_at"]  # None if there is no split point
    values["trust"] = None  # computed for kept pairs when all lines are judged
    return {**values, "rejected_by": judged_pair.rejected_by, "edit_labels": asdict(labels)}
