"""What is known of a data set besides its rows: signature, counts, funnel, sources, examples."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, PlainValidator

from bitext_pivot.core.counts import Counts, commonest
from bitext_pivot.core.storage import received
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.division import SUBSETS

STATS = "stats.json"
"""Name of the file of a data set that has what is known of it."""
_NO_LOSS = ("shape 1-1", "equal pair")
"""Reasons for which most links make no pair, and builds of a join have pairs in common."""
_REASONS = 3
_COUNTABLE = 5
"""Rows of a set; with fewer expected any number but 0 may be chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelStage:
    """One line of the funnel: what went on, and what was lost, by reason."""

    name: str
    rows: int
    lost: Mapping[str, int]

    @property
    def entered(self) -> int:
        """What came in, if the stage makes one row of one."""
        return self.rows + sum(self.lost.values())

    @property
    def reasons(self) -> str:
        """What was lost by reason, the most frequent first: `4 too long, 1 duplicate`."""
        return ", ".join(
            f"{number:,} {reason}" for reason, number in commonest(self.lost) if number
        )


class SourceStats(BaseModel, extra="allow"):
    """What is known of a corpus."""

    grounds: str = ""
    """Why its licence is what it is."""
    sha256: str = ""


Shard = Annotated[str, Field(pattern=r"^[a-z][a-z-]*-[0-9a-f]{8}/[^/\\]+\.parquet$")]
"""The name of a shard with its folder: nothing else is looked for beside a data set."""


def _signature(value: dict[str, Any]) -> dict[str, Any]:
    rebuild.BuildSignature.model_validate(value)
    return value


def _counts(value: object) -> Counts:
    if not isinstance(value, dict):
        raise ValueError("expected counts by name")
    return Counts.read(value)


CheckedCounts = Annotated[Counts, PlainValidator(_counts)]
"""Counts in nested dictionaries, as anybody can write them."""


def count_licences(counts: Counts) -> Counter[str]:
    """Return the kept records by licence."""
    licences = Counter[str]()
    for corpus in counts.below("licence"):
        licences += counts.below("licence", corpus)
    return licences


class BuildStats(BaseModel):
    """The stats.json of a data set, which `BuildFacts.plain` gives; anybody can write one."""

    title: str = ""
    """What was built of what, such as `fr-en: Europarl/v8`."""
    corpora: dict[str, SourceStats] = {}
    counts: CheckedCounts
    signature: Annotated[dict[str, Any], AfterValidator(_signature)]
    shards: list[Shard] = []
    most_lost: str = ""
    warning: str = ""

    @property
    def kept(self) -> int:
        """Kept records."""
        return self.counts.below("subset").total()

    @property
    def lacks_training(self) -> bool:
        """True if rows were kept and none is for training, though nothing was named for another set."""
        return lacks_training(
            self.counts.below("subset"), self.signature["settings"].get("division", {})
        )


def read_stats(folder: Path) -> BuildStats:
    """Return the stats.json of a data set. Raises ShardError if it is missing or damaged."""
    return received.model(folder / STATS, BuildStats)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFacts:
    """The facts of one data set."""

    title: str
    signature: Mapping[str, Any]
    """What ran (tasks/ahead/check.py)."""
    corpora: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """`licence`, `grounds` and `sha256` of each source by `name/release`, if the recipe names them."""
    counts: Counts = field(default_factory=Counts)
    """`subset`, `kinds`, `labels`, `licence` (by corpus) and `unique` of kept records, `rejected` by reason of the
    records, `divided` by reason of the division, `verdicts` by corpus and reason or `kept`, `skipped` rows of
    formats, `stage` of each folder; those of the recipe besides."""
    funnel: Sequence[FunnelStage] = ()
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Some kept records in Markdown, by the recipe's groups."""
    shards: Sequence[str] = ()
    """Names of the shards of the last stage, below the folder that has the data set's: a join reads them."""

    @property
    def kept(self) -> int:
        """Kept records."""
        return self.counts.below("subset").total()

    @property
    def warning(self) -> str:
        """What is said against texts and translations, and which sets are far from their shares; "" for nothing."""
        warnings = [*self.signature.get("warnings", [])]
        warnings.append(self.signature.get("trial", {}).get("warning", ""))
        sets = [*self._far_from_shares()]
        if sets:
            warnings.append(f"Far from their shares: {'; '.join(sets)}. {self._advice()}")
        return " ".join(filter(None, warnings))

    @property
    def _division(self) -> dict[str, Any]:
        division: dict[str, Any] = self.signature.get("settings", {}).get("division", {})
        return division

    def _far_from_shares(self) -> Iterator[str]:
        if lacks_training(self.counts.below("subset"), self._division):
            yield f"no row of {self.kept:,} is for training"
        for name in SUBSETS[1:]:
            share, number = self._division.get(name, 0), self.counts["subset", name]
            if is_named(name, self._division):
                continue
            expected = share * self.kept
            least, most = (expected / 2, expected * 2) if expected >= _COUNTABLE else (1, self.kept)
            if expected and not least <= number <= most:
                yield f"the {name} set has {number:,} of {self.kept:,} rows in place of {100 * share:g}%"

    def _advice(self) -> str:
        """Return what to do, after what the division left out if that is as much as was kept."""
        divided = FunnelStage(name="divide", rows=self.kept, lost=self.counts.below("divided"))
        without = "build without sets: `--division.validation 0 --division.test 0`"
        if divided.entered >= 2 * divided.rows:
            return (
                f"Of {divided.entered:,} rows the division left out {divided.reasons}. With "
                f"`--division.near_duplicates 1` it leaves out equal texts only; or {without}."
            )
        if self.kept * max(self._division.get(name, 0) for name in SUBSETS[1:]) < _COUNTABLE:
            return f"There are too few rows: {without}."
        return f"Read more documents, name those of a set under division, or {without}."

    @property
    def licences(self) -> Counter[str]:
        """Kept records by licence."""
        return count_licences(self.counts)

    @property
    def sources(self) -> list[str]:
        """The sources by `name/release`: those that the recipe names, and those of kept records."""
        return sorted({*self.corpora, *self.counts.below("licence")})

    @property
    def most_lost(self) -> str:
        """The most frequent reasons of the whole funnel for which rows were lost, in a sentence."""
        lost: Counter[str] = Counter()
        for stage in self.funnel:
            lost.update(stage.lost)
        if self.funnel[0].rows:  # otherwise the shapes are to blame, too
            lost = Counter({name: lost[name] for name in lost if name not in _NO_LOSS})
        reasons = [f"{rows:,} {name}" for name, rows in commonest(+lost)[:_REASONS]]
        if not reasons:
            return "No candidate was lost."
        return f"Most were lost for: {', '.join(reasons)}."

    @property
    def by_corpus(self) -> list[FunnelStage]:
        """What was kept of each corpus, and what filters and division rejected in it, the largest first."""
        lines = []
        for name, _ in commonest(self.counts.below("verdicts")):
            lost = self.counts.below("verdicts", name)
            lines.append(FunnelStage(name=name, rows=lost.pop("kept", 0), lost=lost))
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of `stats.json`."""
        plain = {
            name: getattr(self, name)
            for name in ("title", "signature", "corpora", "shards", "most_lost", "warning")
        }
        return {
            **plain,
            "funnel": [
                {"name": stage.name, "rows": stage.rows, "lost": dict(stage.lost)}
                for stage in self.funnel
            ],
            "counts": self.counts.nested(),
        }


def is_named(subset: str, division: Mapping[str, Any]) -> bool:
    """Return True if settings of the division, as a card has them, name what is for validation or test."""
    return bool(division.get(f"{subset}_corpora") or division.get(f"{subset}_documents"))


def lacks_training(subsets: Mapping[str, int], division: Mapping[str, Any]) -> bool:
    """Return True if rows were kept and none is for training, though nothing was named for another set."""
    is_empty = any(subsets.values()) and not subsets.get(SUBSETS[0])
    return is_empty and not any(is_named(name, division) for name in SUBSETS[1:])


def build_funnel(
    stages: Mapping[str, str], counts: Counts, filters: Iterable[str], last: str = "judge"
) -> list[FunnelStage]:
    """Return the funnel: a line for each stage, each filter, all other reasons of rejection, and the division.

    `stages` are names by folder, `last` is that of the other reasons. What a line lost is missing in the next
    one, unless a stage makes other rows.
    """
    lines = [
        FunnelStage(
            name=name,
            rows=counts["stage", folder, "rows"],
            lost=counts.below("stage", folder, "lost"),
        )
        for folder, name in stages.items()
    ]
    rejected = counts.below("rejected")
    losses = [(f"filter {name}", {name: rejected.pop(name, 0)}) for name in filters]
    losses += [(last, rejected)] if rejected else []
    left = lines[-1].rows if lines else 0
    for name, lost in [*losses, ("divide", counts.below("divided"))]:
        left -= sum(lost.values())
        lines.append(FunnelStage(name=name, rows=left, lost=lost))
    return lines
