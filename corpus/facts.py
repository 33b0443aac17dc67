"""Facts about a data set for its card and stats.json: signature, counts, losses per stage, sources and examples."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, PlainValidator

from bitext_pivot.core.counts import Counts, sort_by_count
from bitext_pivot.core.storage import received
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.division import SUBSETS

STATS = "stats.json"
"""Name of the file in a data set folder that contains these facts."""
_NO_LOSS = ("shape 1-1", "equal pair")
"""Reasons that are not reported as losses, because most links are 1-1 and joined builds share pairs."""
_REASONS = 3
"""Maximum number of reasons in the sentence `BuildFacts.most_lost`."""
_COUNTABLE = 5
"""If fewer rows than this are expected in a subset, only 0 rows or more than `_MANY_TIMES` the expected number cause a
warning. Otherwise, less than half or more than twice the expected number does."""
_MANY_TIMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelStage:
    """A line in the card's table of losses (funnel): rows that passed a stage, and losses by reason."""

    name: str
    rows: int
    lost: Mapping[str, int]

    @property
    def entered(self) -> int:
        """Number of rows that entered the stage, assuming one output row per input row."""
        return self.rows + sum(self.lost.values())

    @property
    def reasons(self) -> str:
        """The losses by reason, the most frequent first: `4 too long, 1 duplicate`."""
        return ", ".join(
            f"{number:,} {reason}" for reason, number in sort_by_count(self.lost) if number
        )


class SourceStats(BaseModel, extra="allow"):
    """The facts about a corpus in stats.json."""

    grounds: str = ""
    """Where the licence of the corpus is stated."""
    sha256: str = ""


ShardName = Annotated[str, Field(pattern=r"^[a-z][a-z-]*-[0-9a-f]{8}/[^/\\]+\.parquet$")]
"""Path of a shard, `folder/name.parquet`. The pattern stops a stranger's stats.json from naming any other file."""


def _signature(value: dict[str, Any]) -> dict[str, Any]:
    rebuild.BuildSignature.model_validate(value)
    return value


def _counts(value: object) -> Counts:
    if not isinstance(value, dict):
        raise ValueError("expected counts by name")
    return Counts.read(value)


CheckedCounts = Annotated[Counts, PlainValidator(_counts)]
"""Counts read from nested dictionaries, and validated because they may come from a stranger."""


def count_licences(counts: Counts) -> Counter[str]:
    """Return the number of kept records by licence."""
    licences = Counter[str]()
    for corpus in counts.below("licence"):
        licences += counts.below("licence", corpus)
    return licences


class BuildStats(BaseModel):
    """The content of a data set's stats.json, which `BuildFacts.to_json` writes.

    It is validated, because the data set may come from a stranger.
    """

    title: str = ""
    """Language pair and corpora, such as `fr-en: Europarl/v8`."""
    corpora: dict[str, SourceStats] = {}
    counts: CheckedCounts
    signature: Annotated[dict[str, Any], AfterValidator(_signature)]
    shards: list[ShardName] = []
    most_lost: str = ""
    warning: str = ""

    @property
    def kept(self) -> int:
        """Number of kept records."""
        return self.counts.below("subset").total()

    @property
    def lacks_training(self) -> bool:
        """Whether no kept row is for training, although the settings do not ask for that."""
        return lacks_training(
            self.counts.below("subset"), self.signature["settings"].get("division", {})
        )


def read_stats(folder: Path) -> BuildStats:
    """Return the content of stats.json in a data set folder.

    Raises ShardError if the file is missing or damaged.
    """
    return received.model(folder / STATS, BuildStats)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFacts:
    """The facts about one data set that its card and its stats.json contain."""

    title: str
    signature: Mapping[str, Any]
    """All settings and versions that can change the rows of the build (tasks/ahead/check.py)."""
    corpora: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """`licence`, `grounds` (where the licence is stated) and `sha256` of each source, by `name/release`. Empty if the
    recipe does not state them."""
    counts: Counts = field(default_factory=Counts)
    """Numbers of records, by name. Kept records: `subset`, `kinds` of row, `labels`, `licence` by corpus, and `unique`
    values. Rejected records: `rejected` by filter, and `divided` by the reason why the division into subsets rejected
    them. All records: `verdicts` by corpus and reason (or `kept`). Also `skipped`, the rows that a text format cannot
    represent, and `stage`, the rows and losses by the folder of the stage. A recipe adds its own counts."""
    funnel: Sequence[FunnelStage] = ()
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Some kept records in Markdown, by group, such as a category."""
    shards: Sequence[str] = ()
    """Paths of the shards of the last stage, relative to the parent of the data set folder. A join reads these
    shards."""

    @property
    def kept(self) -> int:
        """Number of kept records."""
        return self.counts.below("subset").total()

    @property
    def warning(self) -> str:
        """Warnings about texts, translations and the sizes of subsets, or "" if there are none."""
        warnings = [*self.signature.get("warnings", [])]
        warnings.append(self.signature.get("trial", {}).get("warning", ""))
        subsets = [*self._far_from_shares()]
        if subsets:
            warnings.append(f"Far from their shares: {'; '.join(subsets)}. {self._advice()}")
        return " ".join(filter(None, warnings))

    @property
    def _division(self) -> dict[str, Any]:
        division: dict[str, Any] = self.signature.get("settings", {}).get("division", {})
        return division

    def _far_from_shares(self) -> Iterator[str]:
        if lacks_training(self.counts.below("subset"), self._division):
            yield f"none of {self.kept:,} rows is for training"
        for name in SUBSETS[1:]:
            share, number = self._division.get(name, 0), self.counts["subset", name]
            if names_subset(name, self._division):
                continue
            expected = share * self.kept
            least, most = expected / 2, expected * 2
            if expected < _COUNTABLE:
                least, most = 1, max(1, expected * _MANY_TIMES)
            if expected and not least <= number <= most:
                yield f"the {name} set has {number:,} of {self.kept:,} rows instead of {100 * share:g}%"

    def _advice(self) -> str:
        """Return advice about the sizes of subsets.

        If the division rejected at least as many rows as were kept, the advice names the reasons.
        """
        divided = FunnelStage(name="divide", rows=self.kept, lost=self.counts.below("divided"))
        without = "build without subsets: `--division.validation 0 --division.test 0`"
        if divided.entered >= 2 * divided.rows:
            return (
                f"Of {divided.entered:,} rows, the division rejected {divided.reasons}. With "
                f"`--division.near_duplicates 1` it rejects equal texts only; or {without}."
            )
        if self.kept * max(self._division.get(name, 0) for name in SUBSETS[1:]) < _COUNTABLE:
            return f"There are too few rows: {without}."
        return f"Read more documents, name those of a subset under division, or {without}."

    @property
    def licences(self) -> Counter[str]:
        """Number of kept records by licence."""
        return count_licences(self.counts)

    @property
    def sources(self) -> list[str]:
        """All sources in `corpora` or among the kept records, as `name/release`."""
        return sorted({*self.corpora, *self.counts.below("licence")})

    @property
    def most_lost(self) -> str:
        """A sentence that names the most frequent reasons for losses, summed over all stages."""
        lost: Counter[str] = Counter()
        for stage in self.funnel:
            lost.update(stage.lost)
        if self.funnel[0].rows:  # without rows, the shapes of the links are a reason too
            lost = Counter({name: lost[name] for name in lost if name not in _NO_LOSS})
        reasons = [f"{rows:,} {name}" for name, rows in sort_by_count(+lost)[:_REASONS]]
        if not reasons:
            return "No alignment was lost."
        return f"The most frequent reasons for losses: {', '.join(reasons)}."

    @property
    def by_corpus(self) -> list[FunnelStage]:
        """One line per corpus, the largest first: its kept rows, and its rejected rows by reason."""
        lines = []
        for name, _ in sort_by_count(self.counts.below("verdicts")):
            lost = self.counts.below("verdicts", name)
            lines.append(FunnelStage(name=name, rows=lost.pop("kept", 0), lost=lost))
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return the content of stats.json."""
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


def names_subset(subset: str, division: Mapping[str, Any]) -> bool:
    """Return True if the settings in `division` name corpora or documents for this subset."""
    return bool(division.get(f"{subset}_corpora") or division.get(f"{subset}_documents"))


def lacks_training(subsets: Mapping[str, int], division: Mapping[str, Any]) -> bool:
    """Return True if no kept row is for training, although the settings do not ask for that.

    `subsets` has the number of kept rows of each subset, and `division` the settings of the division.
    """
    is_empty = any(subsets.values()) and not subsets.get(SUBSETS[0])
    return is_empty and not any(names_subset(name, division) for name in SUBSETS[1:])


def build_funnel(
    stages: Mapping[str, str], counts: Counts, filters: Iterable[str], last: str = "judge"
) -> list[FunnelStage]:
    """Return the table of losses (funnel), with a line for each stage, filter and the division.

    `stages` has the names of stages by folder. The line `last` has the rejections that no filter made. The rows of a
    line are those of the line before minus its losses, unless a stage produces different rows.
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
