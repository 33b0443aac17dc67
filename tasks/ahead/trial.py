"""Trial: translate some alignments before a long build, and say what to expect of it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from prefect import get_run_logger, task, unmapped

from bitext_pivot.core import sampling
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.near_duplicates import Text, are_similar, words
from bitext_pivot.core.progress import warn
from bitext_pivot.core.records import Alignment, ParsedPair, ScoredPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, shards
from bitext_pivot.core.tables import Table
from bitext_pivot.core.tokens import Price, Usage, cost
from bitext_pivot.core.usage import metered
from bitext_pivot.corpus.division import Division
from bitext_pivot.filters.base import ComparingFilter, Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.language import data_signature
from bitext_pivot.filters.outcome import Outcome, outcome_of
from bitext_pivot.filters.verdicts import judged
from bitext_pivot.syntax.parsing import parse_pairs
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.extract import extract
from bitext_pivot.tasks.fetch import fetch_sources
from bitext_pivot.tasks.run.artifacts import publish_table
from bitext_pivot.tasks.run.forms import PairForm
from bitext_pivot.tasks.run.futures import flatten
from bitext_pivot.tasks.run.models import (
    Processing,
    calibrated,
    engine_of,
    parser_signature,
    pipeline_for,
    with_cuts,
)
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.stages import STAGE, once
from bitext_pivot.tasks.translate import to_translated_pairs
from bitext_pivot.translation.models import GOOD_CONFIDENCE

SIZE = 200
"""Alignments that every build tries."""
_COMPARED = 500
"""Kept pairs of a large trial that are compared with each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the trial of some of a build's alignments says of it."""

    outcome: Outcome
    total: int
    """Alignments of the build."""
    seconds: float
    """Time for the trial on one worker, from translation to verdicts."""
    tokens: dict[str, int]
    """Tokens that an endpoint read and wrote."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Prices of tokens, by model."""
    model: str = ""
    """Model that translates."""
    judge_tokens: Usage = field(default_factory=dict)
    """Tokens that the judge read and wrote, by model."""
    repeated: float = 0.0
    """Share of the kept pairs that the division is expected to leave out, because they repeat another set."""

    @property
    def summary(self) -> str:
        """The yield in a sentence."""
        found = self.outcome
        expected = round(self.total * found.kept / max(found.alignments, 1))
        repeated = round(expected * self.repeated)
        left_out = ""
        if repeated:
            left_out = (
                f", and about {repeated:,} of these repeat validation or test and will be left out"
            )
        return (
            f"Trial: {found.kept} of {found.alignments} alignments give a pair that passes; all {self.total:,} may "
            f"give about {expected:,}{left_out}."
        )

    @property
    def facts(self) -> dict[str, Any]:
        """What the card says of it: nothing that differs between two runs."""
        return asdict(self.outcome)

    def _cost(self, what: str, usage: Usage) -> Iterator[tuple[str, str, str]]:
        """Yield what tokens cost for all alignments; nothing without tokens or a price of each model."""
        amount = cost(usage, self.prices)
        if usage and amount is not None:
            share = self.total / max(self.outcome.alignments, 1)
            yield what, f"{amount * share:,.2f}", "by the prices of tokens"

    def table(self) -> Table:
        """Return the figures beside what good translations reach."""
        found, number = self.outcome, max(self.outcome.alignments, 1)
        hour = 3600 / max(self.seconds / number, 1e-6)
        rows = [
            ("alignments", f"{found.alignments:,} of {self.total:,}", "drawn by their ids"),
            ("pass all filters", f"{found.kept:,} ({found.kept / number:.0%})", ""),
            *(
                (f"lost at {name}", f"{count:,} ({count / number:.0%})", "")
                for name, count in found.lost.items()
            ),
            (
                "confidence, median",
                _number(found.confidence),
                f"{GOOD_CONFIDENCE:g}: good ones of the quickstart's model",
            ),
            (
                "similarity to the source, median",
                _number(found.adequacy),
                f"{_number(found.human)}: human translations",
            ),
            ("alignments an hour", f"{hour:,.0f}", "one worker, measured in the trial"),
            ("pairs an hour", f"{hour * found.kept / number:,.0f}", ""),
            *(
                (f"tokens {name} for all", f"{self.total * count / number:,.0f}", "")
                for name, count in self.tokens.items()
            ),
            *self._cost("money for all", self._translating()),
            *self._judge(),
            ("hours for all", f"{self.total / hour:,.1f}", "at most; workers share the cores"),
        ]
        return Table(
            title="Trial", head=("what", "measured", "to compare"), rows=rows, note=found.warning
        )

    def _judge(self) -> Iterator[tuple[str, str, str]]:
        """Yield what the judge may take for all alignments."""
        share = self.total / max(self.outcome.alignments, 1)
        for model, tokens in self.judge_tokens.items():
            read, written = (f"{tokens[name] * share:,.0f}" for name in ("read", "written"))
            yield "tokens of the judge for all", f"{read} read, {written} written", model
        yield from self._cost("cost of the judge for all", self.judge_tokens)

    def _translating(self) -> Usage:
        """Return the tokens of the translation, by model."""
        if not self.tokens:
            return {}
        return {self.model: {"read": 0, "written": 0, **self.tokens}}


def _number(number: float | None) -> str:
    return "unknown" if number is None else f"{number:.2f}"


@task(task_run_name="trial of the translations", **STAGE)
def run_trial(
    alignments: Sequence[Path], form: PairForm, processing: Processing, site: Site, size: int = SIZE
) -> Trial:
    """Translate and judge some alignments of a build, once, and publish what they say; a warning if they look poor.

    Which ones depends on their ids alone. The translations are in the row store when their shards are built.
    If the engine fails, the trial is empty: the shards that it fails on will be named.
    """
    log, runtime, filters = get_run_logger(), Runtime.of(site), processing.filters
    folder, division = site.build_folder(form.folder), form.division
    names = [f"{path.parent.name}/{path.name}" for path in alignments]
    engine = engine_of(processing, site).signature
    parser = parser_signature(processing.parser, processing.language, site)
    entries = [field.name for field in fields(Outcome)]
    screening = [filter_.screening(runtime) for filter_ in filters.screening().values()]
    drawn = key(names, engine, parser, screening, size)
    scoring = filters.signature(runtime), data_signature(processing.language)
    measured = key(drawn, filters.scoring_key(), scoring)
    parsed = folder / f"parsed-trial-{drawn}.parquet"
    scored = folder / f"scored-trial-{measured}.parquet"

    def measure() -> dict[str, Any]:
        def parse() -> None:
            _parse(parsed, _draw(alignments, size), processing, site)

        def score() -> None:
            once(lambda: shards.find(parsed), parse, parsed)
            _score(scored, parsed, filters, runtime)

        once(lambda: shards.find(scored), score, scored)
        return _judged(scored, filters, runtime, division, total)

    total = sum(atomic.read_manifest(path)["rows"] for path in alignments)
    name = f"trial-{key(measured, filters, entries, division)}.json"
    stored = _stored(folder / name, measure)
    if not stored:
        stored = {
            "outcome": asdict(outcome_of([], Counter(), filters, [])),
            "seconds": 0.0,
            "tokens": {},
        }
    outcome = Outcome(**stored["outcome"])
    result = Trial(
        **stored | {"outcome": outcome},
        total=total,
        prices=site.endpoint_prices,
        model=processing.translation.model or "",
    )
    publish_table("trial", result.table())
    log.info(result.summary)
    if result.outcome.warning:
        log.warning(result.outcome.warning)
    return result


def _stored(out: Path, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what is stored, or measured and stored now; nothing if the engine fails."""

    def write() -> None:
        if out.exists():
            warn(f"{out.name} was damaged: the trial is made again")
        atomic.write_sealed(out, measure())

    try:
        with in_the_log():
            once(lambda: atomic.find_sealed(out), write, out)
        return atomic.read_sealed(out)
    except ShardError as error:
        get_run_logger().warning("There is no trial of the translations: %s", error)
        return {}


def _parse(out: Path, alignments: Sequence[Alignment], processing: Processing, site: Site) -> None:
    """Translate and parse alignments; write the pairs with the skips by reason, the seconds and the tokens.

    No setting of a filter is in it, unless it leaves out alignments: with another one the trial is only
    scored again.
    """
    facts: dict[str, Any] = {}
    with metered() as meter:
        pairs, skips = to_translated_pairs(alignments, processing, site, "trial", facts=facts)
        parsed, unparsed = parse_pairs(
            pairs, pipeline_for(processing.parser, processing.language, site)
        )
        counts = {
            "skips": skips + unparsed,
            "tokens": facts.get("counts", {}).get("tokens", {}),
        }
        shards.write(out, ParsedPair, parsed, counts, measure=meter.lap)


def _score(out: Path, parsed: Path, filters: Filters, runtime: Runtime) -> None:
    """Score the parsed pairs of a trial; write them with the tokens of the judge, and the facts of before.

    No threshold of a model is in it: with another one the trial is only judged again.
    """
    with metered() as meter:
        scored = filters.score(list(shards.read(parsed, ParsedPair)), runtime)
        counts = {
            "before": atomic.read_manifest(parsed),
            "judge_tokens": filters.usage(scored, runtime),
        }
        shards.write(out, ScoredPair, scored, counts, measure=meter.lap)


def _judged(
    scored: Path, filters: Filters, runtime: Runtime, division: Division, total: int
) -> dict[str, Any]:
    """Judge a scored trial; return its outcome, the seconds it took and the tokens."""
    facts, pairs = atomic.read_manifest(scored), list(shards.read(scored, ScoredPair))
    before = facts["before"]
    verdicts = list(judged(pairs, filters))
    parsed = [pair.parsed for pair in pairs]
    similarities = []
    compares = filters.active().get(filters.on_translation("similarity"))
    if isinstance(compares, ComparingFilter):
        adequacy = compares.scores_by_name(parsed, runtime)
        similarities = [(scores["score"], scores["human"]) for scores in adequacy]
    outcome = outcome_of(verdicts, Counter(before["skips"]), filters, similarities)
    kept = [verdict.pair.texts for verdict in verdicts if verdict.rejected_by is None]
    return {
        "outcome": asdict(outcome),
        "repeated": repeated(kept, division, total / max(outcome.alignments, 1)),
        "seconds": before["seconds"] + facts["seconds"],
        "tokens": before["tokens"],
        "judge_tokens": facts["judge_tokens"],
    }


def repeated(kept: Sequence[tuple[str, str, str]], division: Division, builds: float) -> float:
    """Return the share of kept pairs that the division may leave out, given the texts of some.

    A pair with n near-duplicates in the trial has n times `builds` in the build, which is so many times as
    large; it stays if it is for validation or test, or if none of them is.
    """
    step = max(1, len(kept) // _COMPARED)
    pairs = [
        (Text(words(long)), Text(words(f"{first} {second}")))
        for long, first, second in kept[::step]
    ]
    copies = [0] * len(pairs)
    for (one, texts), (other, others) in combinations(enumerate(pairs), 2):
        if any(
            are_similar(*both, division.near_duplicates) for both in zip(texts, others, strict=True)
        ):
            copies[one] += 1
            copies[other] += 1
    training = 1 - division.validation - division.test
    lost: float = sum(training * (1 - training ** (number * step * builds)) for number in copies)
    return lost / max(len(pairs), 1)


def trial_of(form: PairForm, from_card: str, site: Site, size: int) -> Trial:
    """Fetch and extract the sources of a build and return a trial of it; call it in a flow."""
    settings, signature = check(form, site, from_card)
    sources = fetch_sources(settings.sources(), signature["sources"], site)
    alignments = flatten("extract", extract.map(sources, unmapped(settings), unmapped(site)))
    processing, _ = calibrated(Processing.of(settings), signature["engine"])
    processing = with_cuts(processing, site)
    return run_trial(alignments, settings, processing, site, size)


class _Place(NamedTuple):
    """A row of a shard, counted from 0."""

    path: Path
    row: int


def _draw(paths: Sequence[Path], size: int) -> list[Alignment]:
    """Return the `size` alignments whose ids have the smallest ranks, in the order of the shards."""
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
    return alignments
