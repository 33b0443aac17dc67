"""Trial: translate some alignments before a long build, and say what to expect of it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from prefect import get_run_logger, task, unmapped

from bitext_pivot.core import sampling
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import duration, warn
from bitext_pivot.core.records import Alignment, JudgedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, shards
from bitext_pivot.core.tables import Table
from bitext_pivot.core.tokens import Price, Usage, cost
from bitext_pivot.corpus.assignment import Assigner, Sets, documents
from bitext_pivot.corpus.division import Division, Item
from bitext_pivot.corpus.recipes.bisect import item_of_link
from bitext_pivot.filters.base import ComparingFilter, Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.neural.entailment import Entailment
from bitext_pivot.filters.outcome import Outcome, outcome_of
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.extract import extract
from bitext_pivot.tasks.fetch import fetch_sources
from bitext_pivot.tasks.run.artifacts import publish_table
from bitext_pivot.tasks.run.forms import PairForm
from bitext_pivot.tasks.run.futures import flatten
from bitext_pivot.tasks.run.models import Processing, calibrated, with_cuts
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.stages import STAGE, build, cumulative_counts, once
from bitext_pivot.translation.models import GOOD_CONFIDENCE

SIZE = 200
"""Alignments that every build tries."""
_COMPARED = 2_000
"""Alignments of a build that are looked up among those for validation and test."""
_TIMED = 12
"""Pairs by which a slow filter is timed."""


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
    left_out: float = 0.0
    """Share of the pairs that the division is expected to leave out, because they repeat another set."""
    slow: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    """By slow filter the pairs that it read, and its seconds a pair on this machine."""
    checked: Mapping[str, Any] = field(default_factory=dict)
    """What preset `checked` would take where the preset is `strict`: `model`, and about its `seconds` a pair
    of one core, 0 on a GPU."""

    @property
    def summary(self) -> str:
        """The yield in a sentence."""
        found = self.outcome
        expected = round(self.total * found.kept / max(found.alignments, 1))
        repeated = round(expected * self.left_out)
        of_these = ""
        if repeated:
            of_these = (
                f", and about {repeated:,} of these repeat validation or test and will be left out"
            )
        return (
            f"Trial: {found.kept} of {found.alignments} alignments give a pair that passes; all {self.total:,} may "
            f"give about {expected:,}{of_these}."
            + "".join(
                f" The filter {name} takes {time}: {basis}." for name, time, basis in self._slow()
            )
        )

    def _slow(self) -> Iterator[tuple[str, str, str]]:
        """Yield each slow filter, the time that it takes for all alignments, and what that is known from."""
        for name, (number, seconds) in self.slow.items():
            expected = round(self.total * number / max(self.outcome.alignments, 1))
            yield (
                name,
                f"about {duration(expected * seconds)} of one worker",
                f"{seconds:.2g} s per pair, measured on this machine, for about {expected:,} pairs",
            )

    @property
    def facts(self) -> dict[str, Any]:
        """What the card says of it: nothing that differs between two runs."""
        return asdict(self.outcome) | {"checked": dict(self.checked)}

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
            *((f"time of {name} for all", time, basis) for name, time, basis in self._slow()),
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

    Which ones depends on their ids alone. They are a shard of their own, `trial` in the folder of the build, that goes
    through the stages of a build; its translations are in the row store when the build's shards are made. If the engine
    fails, the trial is empty: the shards that it fails on will be named.
    """
    log, filters, folder = get_run_logger(), processing.filters, site.build_folder(form.folder)
    total = sum(atomic.read_manifest(path)["rows"] for path in alignments)
    drawn = folder / "trial" / f"alignments-{key(shards.names(alignments), size)}" / "trial.parquet"
    try:
        with in_the_log():
            once(lambda: shards.find(drawn), lambda: _draw(drawn, alignments, size), drawn)
            shard = drawn
            for make in pairs.stages(processing, site).values():
                shard = build.fn(shard, make).result()

            def measure() -> dict[str, Any]:
                share = share_left_out(alignments, processing.language, form.division)
                return {**_measured(shard, filters, Runtime.of(site)), "left_out": share}

            stored = _stored(shard, filters, form.division, measure)
    except ShardError as error:
        log.warning("There is no trial of the translations: %s", error)
        outcome = outcome_of([], Counter(), filters, [])
        stored = {"outcome": asdict(outcome), "seconds": 0.0, "tokens": {}}
    outcome = Outcome(**stored["outcome"])
    result = Trial(
        **stored | {"outcome": outcome},
        checked=_if_checked(processing, site),
        total=total,
        prices=site.endpoint_prices,
        model=processing.translation.model or "",
    )
    publish_table("trial", result.table())
    log.info(result.summary)
    if result.outcome.warning:
        log.warning(result.outcome.warning)
    return result


def _stored(
    shard: Path, filters: Filters, division: Division, measure: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return the outcome of a judged trial, the seconds it took and the tokens: what is stored, or is measured now."""
    entries = [field.name for field in (*fields(Outcome), *fields(Trial))]
    out = shard.parents[2] / f"trial-{key(shard.parent.name, filters, entries, division)}.json"

    def write() -> None:
        if out.exists():
            warn(f"{out.name} was damaged: the trial is made again")
        atomic.write_sealed(out, measure())

    once(lambda: atomic.find_sealed(out), write, out)
    return atomic.read_sealed(out)


def _measured(shard: Path, filters: Filters, runtime: Runtime) -> dict[str, Any]:
    counted = cumulative_counts(shard)
    stages = [taken for folder, taken in counted.items() if folder != "alignments"]
    skips, counts, judged = Counter[str](), Counts(), list(shards.read(shard, JudgedPair))
    for stage in stages:
        skips.update(stage["skips"])
        counts += Counts.read(stage.get("counts", {}))
    similarities = []
    compares = filters.active().get(filters.on_translation("similarity"))
    if isinstance(compares, ComparingFilter):
        adequacy = compares.scores_by_name([pair.scored.parsed for pair in judged], runtime)
        similarities = [(scores["score"], scores["human"]) for scores in adequacy]
    found = counts.nested()
    outcome = outcome_of(judged, skips, filters, similarities)
    return {
        "outcome": asdict(outcome),
        "seconds": sum(stage["seconds"] for stage in stages),
        "tokens": found.get("tokens", {}),
        "judge_tokens": found.get("judge_tokens", {}),
        "slow": _timed(judged, filters, runtime),
    }


def _timed(
    judged: Sequence[JudgedPair], filters: Filters, runtime: Runtime
) -> dict[str, tuple[int, float]]:
    """Return of each slow filter the pairs that it read, and its seconds a pair: some are compared again."""
    found = {}
    for name in filters.seconds():
        model = filters.active()[name]
        read = [pair.scored.parsed for pair in judged if name in pair.scored.scores]
        if read and isinstance(model, ComparingFilter):
            keys = [*chain.from_iterable(map(model.keys_of, read[:_TIMED]))]
            language = read[0].pair.language
            model.load(language, runtime)
            begun = perf_counter()
            model.compare(keys, language, runtime)
            found[name] = (len(read), (perf_counter() - begun) / len(read[:_TIMED]))
    return found


def _if_checked(processing: Processing, site: Site) -> dict[str, Any]:
    """Return what preset `checked` would take, for `Trial.checked`; nothing unless the preset is `strict`."""
    filters = processing.filters
    if filters.preset != "strict" or filters.last:
        return {}
    entailment = Entailment().for_language(processing.language, site.device)
    is_on_cpu = Runtime.of(site).device == "cpu"
    return {"model": entailment.model, "seconds": entailment.seconds * is_on_cpu}


def share_left_out(alignments: Sequence[Path], language: str, division: Division) -> float:
    """Return the share of alignments that the division would leave out if each one gave a pair.

    All texts for validation and test are read, and some alignments are looked up in them: both copies
    of a text are seldom in a sample. `language` is the language of the pairs.
    """
    drawn = sampling.HashSample[Item](_COMPARED)

    def items() -> Iterator[Item]:
        for path in alignments:
            for link in shards.read(path, Alignment):
                yield item_of_link(link, language, (link.one, " ".join(link.two)))

    def sampled() -> Iterator[Item]:
        for item in items():
            drawn.add(item.id, partial(Item, *item))
            yield item

    starts, _ = documents(sampled())
    sets = Sets(division, starts)
    assigner = Assigner(division, sets, sets.held_out((item, None) for item in items()))
    found = [assigner.assign(item, None).rejected_by for item in drawn.values()]
    return sum(map(bool, found)) / max(len(found), 1)


def trial_of(form: PairForm, from_card: str, site: Site, size: int) -> Trial:
    """Fetch and extract the sources of a build and return a trial of it; call it in a flow."""
    settings, signature = check(form, site, from_card)
    sources = fetch_sources(settings.sources(), signature["sources"], site)
    alignments = flatten("extract", extract.map(sources, unmapped(settings), unmapped(site)))
    processing, _ = calibrated(Processing.of(settings, site.device), signature["engine"])
    processing = with_cuts(processing, site)
    return run_trial(alignments, settings, processing, site, size)


class _Place(NamedTuple):
    """A row of a shard, counted from 0."""

    path: Path
    row: int


def _draw(out: Path, paths: Sequence[Path], size: int) -> None:
    """Write the `size` alignments whose ids have the smallest ranks, in the order of the shards."""
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
