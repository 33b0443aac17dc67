"""Trial: translate some alignments before a long build, to estimate its yield, quality and duration."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bitext_pivot.core import sampling
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import current_log, duration
from bitext_pivot.core.records import Alignment, JudgedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.core.tables import Table
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.outcome import BuildOutcome, summarise_outcome
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.ahead.check import check_pairs
from bitext_pivot.tasks.extract import read_sources
from bitext_pivot.tasks.run.artifacts import publish_table
from bitext_pivot.tasks.run.current_run import as_task
from bitext_pivot.tasks.run.forms import PairForm
from bitext_pivot.tasks.run.loaded_models import Processing
from bitext_pivot.tasks.run.stages import build_shard, cumulative_counts, run_once
from bitext_pivot.translation.models import GOOD_CONFIDENCE, measured_min_confidence

SIZE = 200
"""Number of alignments in the trial of every build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of a trial, in which some alignments of a build are translated and judged."""

    outcome: BuildOutcome
    total: int
    """Number of alignments of the whole build."""
    seconds: float
    """Duration of the trial on one worker, from translation to judged pairs."""

    @property
    def pairs(self) -> int:
        """Number of kept pairs to expect from the whole build."""
        return round(self.total * self.outcome.kept / self._tried)

    @property
    def time(self) -> str:
        """Duration to expect for all alignments with one worker, such as `2 h`.

        More workers may be faster.
        """
        return duration(self.total * self.seconds / self._tried)

    @property
    def _tried(self) -> int:
        return max(self.outcome.alignments, 1)

    @property
    def summary(self) -> str:
        """A sentence with the yield of the trial and the yield to expect from the build."""
        return (
            f"Trial: {self.outcome.kept} of {self.outcome.alignments} alignments give a pair that passes; all "
            f"{self.total:,} may give about {self.pairs:,}, in at most {self.time}."
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for the card, without the duration, so that they are equal in every run."""
        return asdict(self.outcome)

    def table(self) -> Table:
        """Return a table of the measured values, next to the values that good translations reach."""
        found = self.outcome
        rows = [
            ("alignments", f"{found.alignments:,} of {self.total:,}", "drawn by their ids"),
            ("pass all filters", f"{found.kept:,} ({found.kept / self._tried:.0%})", ""),
            *(
                (f"lost at {name}", f"{count:,} ({count / self._tried:.0%})", "")
                for name, count in found.not_kept.items()
            ),
            (
                "confidence, median",
                _number(found.confidence),
                f"{GOOD_CONFIDENCE:g}: good ones of the quickstart's model",
            ),
            ("pairs of all alignments", f"about {self.pairs:,}", ""),
            ("time for all", f"at most {self.time}", "one worker, measured in the trial"),
        ]
        return Table(
            title="Trial", head=("what", "measured", "to compare"), rows=rows, note=found.warning
        )


def _number(number: float | None) -> str:
    return "unknown" if number is None else f"{number:.2f}"


@as_task("trial of the translations")
def run_trial(
    alignments: Sequence[Path], processing: Processing, site: Site, size: int = SIZE
) -> Trial:
    """Translate and judge some alignments of a build, once, and publish and return the result.

    A warning is logged if the translations look poor. The alignments are drawn by hashes of their ids, and written to a
    shard in the folder `trial`, which goes through all stages. The build reuses the stored translations. If the engine
    fails, the result is empty, because the build itself will name the shards that fail.
    """
    log, filters, folder = current_log(), processing.filters, alignments[0].parents[1]
    total = sum(shards.read_manifest(path)["rows"] for path in alignments)
    digits = key(shards.names(alignments), size)
    drawn = folder / "trial" / f"alignments-{digits}" / f"trial-{digits}.parquet"
    try:
        run_once(lambda: shards.find(drawn), lambda: _draw(drawn, alignments, size), drawn)
        shard = drawn
        for make in pairs.stages(processing, site).values():
            shard = build_shard(shard, make, is_timed=True).output
        result = _measured(shard, filters, total)
    except ShardError as error:
        log.warning("There is no trial of the translations: %s", error)
        result = Trial(
            outcome=summarise_outcome([], Counter(), filters, measured=None),
            total=total,
            seconds=0.0,
        )
    publish_table("trial", result.table())
    log.info(result.summary)
    if result.outcome.warning:
        log.warning(result.outcome.warning)
    return result


def _measured(shard: Path, filters: Filters, total: int) -> Trial:
    counted = cumulative_counts(shard)
    stages = [taken for folder, taken in counted.items() if folder != "alignments"]
    skips = Counter[str]()
    for stage in stages:
        skips.update(stage["skips"])
    judged = list(shards.read(shard, JudgedPair))
    engine = judged[0].scored.parsed.pair.engine if judged else None
    outcome = summarise_outcome(
        judged, skips, filters, measured=measured_min_confidence(engine or "")
    )
    return Trial(outcome=outcome, total=total, seconds=sum(stage["seconds"] for stage in stages))


def trial_of(form: PairForm, site: Site, size: int) -> Trial:
    """Fetch the sources of a build, extract their alignments and try some of them.

    Call this in a flow.
    """
    settings, signature, processing = check_pairs(form, site)
    _, alignments = read_sources(settings, signature["warnings"], site)
    return run_trial(alignments, processing, site, size)


class _Place(NamedTuple):
    """The place of an alignment: the path of a shard, and the index of a row in this shard."""

    path: Path
    row: int


def _draw(out: Path, paths: Sequence[Path], size: int) -> None:
    """Draw `size` alignments by hashes of their ids, and write them in the order of the shards."""
    draw = sampling.HashSample[_Place](size)
    for path in paths:
        for row, id in enumerate(shards.part(path, Alignment, "id")):
            draw.add(id, partial(_Place, path, row))
    rows = defaultdict[Path, set[int]](set)
    for path, row in draw.values():
        rows[path].add(row)
    alignments: list[Alignment] = []
    for path in paths:
        if path in rows:  # the other shards are not read
            alignments += [
                each for row, each in enumerate(shards.read(path, Alignment)) if row in rows[path]
            ]
    shards.write(out, Alignment, alignments, {"skips": {}})
