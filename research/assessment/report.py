"""Report on the answers of annotators: shares and mean scores with confidence intervals, agreement, control items."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, median, median_high
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from bitext_pivot.core import optional_packages, refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.input_files import utf8_lines
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.research.assessment.sample_design import (
    Ask,
    AssessmentItem,
    SampleDesign,
    fingerprint,
)

VERDICTS: Mapping[Ask, Mapping[str, str]] = {
    "errors": {"perfect": "perfect", "minor": "minor issue", "significant": "significant error"},
    "quality": {
        "perfect": "perfect", "minor": "minor issues", "disfluency": "disfluencies", "several": "several errors",
    },
    "rating": {},
}  # fmt: skip
"""For each question, the verdicts that an annotator can choose, best first, with their labels in tables."""
KINDS = ("missing", "added", "changed", "grammar", "split", "other")
# Both limits come from BiSECT's Mechanical Turk script.
_CONTROL_SCORE, _CONTROL_SHARE = 50, 0.2
_RESAMPLES = 1000
_OUTSIDE = 0.05  # probability that a value lies outside its interval
_Value = TypeVar("_Value")
_Name = TypeVar("_Name", str, tuple[str, str])


class Answer(Settings):
    """An annotator's answer to one item."""

    item: int = Field(ge=1)
    """Number of the item on the annotation page, counted from 1."""
    verdict: Literal["perfect", "minor", "significant", "disfluency", "several"] | None
    """Verdict on the pair; None if annotators are asked for a score only."""
    kind: Literal["missing", "added", "changed", "grammar", "split", "other"] | None
    """Kind of the most serious error; None if the pair has no significant error."""
    score: int = Field(ge=0, le=100)
    """How good the pair is, from 0 (useless) to 100 (perfect)."""


class AnswerFile(Settings):
    """The file of answers that the annotation page saves."""

    annotator: str
    """Name that the annotator entered."""
    design: SampleDesign
    """How the sample of items was drawn, so that the report can draw it again."""
    sha256: str
    """SHA-256 of the items. The report draws the sample again and compares this digest."""
    answers: list[Answer]
    """Answers in the order of the items, without unanswered items."""

    @model_validator(mode="after")
    def _check_verdicts(self) -> Self:
        """Raise ValueError for a verdict that cannot be chosen for the question asked."""
        verdicts: tuple[str | None, ...] = tuple(VERDICTS[self.design.ask]) or (None,)
        for answer in self.answers:
            if answer.verdict not in verdicts:
                raise ValueError(
                    f"item {answer.item} has the verdict {answer.verdict!r}, which the question "
                    f"{self.design.ask!r} does not offer"
                )
        return self


def read(paths: Sequence[Path]) -> list[AnswerFile]:
    """Read the answers that several annotators gave to the items of one sample.

    Raises SettingsError if a file is not a file of answers, if the files answer different samples, or if two of them
    are from one annotator.
    """
    files = [_read(path) for path in paths]
    if len({(file.sha256, file.design.ask) for file in files}) > 1:
        raise SettingsError(
            "The files answer different samples. Pass the files of one page at a time."
        )
    twice = [name for name, count in Counter(file.annotator for file in files).items() if count > 1]
    if twice:
        raise SettingsError(
            f"Two files are from annotator {twice[0]!r}. Expected one per annotator: leave out the older file."
        )
    return files


def _read(path: Path) -> AnswerFile:
    try:
        return AnswerFile.model_validate_json(
            "\n".join(utf8_lines(path, "Name the files that the page saved."))
        )
    except ValidationError as error:
        problem = next(refused_values.problems(error))
        raise SettingsError(
            f"{path} is not a file of answers ({problem}). Save it from the annotation page."
        ) from error


def report(title: str, items: Sequence[AssessmentItem], files: Sequence[AnswerFile]) -> Page:
    """Return a report with the tables of an assessment.

    Annotators who scored a fifth or more of their control items above 50 are excluded from all other tables, as in
    BiSECT's Mechanical Turk script. With several verdicts on a pair, the median counts; with two, the worse verdict.

    Raises SettingsError if `items` is not the sample that was answered, or if no trusted answer is left.
    """
    if any(file.sha256 != fingerprint(items) for file in files):
        raise SettingsError(
            "The answers belong to another data set, or the data set was built again since. Name the data set that "
            "was assessed."
        )
    trusted = [file for file in files if _is_trusted(file, items)]
    answered = _by_item(trusted, items)
    if not answered:
        raise SettingsError(
            "No answers are left: every annotator failed the control items, or no pair was answered. Collect more "
            "answers."
        )
    ask = files[0].design.ask
    scores = {number: _score(answers) for number, answers in answered.items()}
    tables = [
        _annotators(files, items),
        *_verdicts(answered, items, ask),
        *_ratings(scores, items),
    ]
    mean = f"Mean score: {fmean(scores.values()):.1f}."
    summary = f"Pairs: {len(answered)}. Annotators: {len(trusted)}. {mean}"
    return Page(
        title=f"Assessment of {title}",
        summary=f"{summary} {_agreement(trusted, items, ask)}",
        tables=tables,
    )


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of the share `count / total`.

    This is the score interval of Wilson (1927, JASA 22, p. 209).
    """
    z = NormalDist().inv_cdf(1 - _OUTSIDE / 2)
    share = count / total
    centre = share + z * z / (2 * total)
    margin = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    low = (centre - margin) / scale
    high = (centre + margin) / scale
    return max(0.0, low), min(1.0, high)


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean, from 1,000 resamples with a fixed seed."""
    random = Random(1)  # noqa: S311 (not a secret)
    means = sorted(fmean(random.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    cut = round(_RESAMPLES * _OUTSIDE / 2)
    return means[cut], means[-1 - cut]


def alpha(ratings: Iterable[tuple[str, int, float]]) -> float | None:
    """Return Krippendorff's alpha on an interval scale, or None if no item was rated twice.

    `ratings` are tuples `(annotator, item, rating)`. Alpha is 1 for full agreement and 0 for agreement by chance.
    """
    ratings = list(ratings)
    times = Counter(item for _, item, _ in ratings)
    if max(times.values(), default=0) < 2:
        return None
    optional_packages.require("nltk", "research", "Krippendorff's alpha")
    # Imported here because NLTK imports scikit-learn, which takes two seconds.
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import interval_distance

    return float(AnnotationTask(ratings, distance=interval_distance).alpha())


def _is_trusted(file: AnswerFile, items: Sequence[AssessmentItem]) -> bool:
    controls = _answers(file, items, is_control=True)
    failed = sum(not _passes_control(answer) for answer in controls)
    return failed < _CONTROL_SHARE * len(controls) or not controls


def _passes_control(control: Answer) -> bool:
    return control.score <= _CONTROL_SCORE


def _item(items: Sequence[AssessmentItem], answer: Answer) -> AssessmentItem:
    if answer.item > len(items):
        raise SettingsError(
            f"The file answers item {answer.item}, but the sample has only {len(items)} items. Save the answers from "
            "the page again."
        )
    return items[answer.item - 1]


def _by_item(
    files: Sequence[AnswerFile], items: Sequence[AssessmentItem]
) -> dict[int, list[Answer]]:
    """Return the answers of all files by item number, without control items."""
    answered: dict[int, list[Answer]] = {}
    for file in files:
        for answer in _answers(file, items, is_control=False):
            answered.setdefault(answer.item, []).append(answer)
    return answered


def _answers(
    file: AnswerFile, items: Sequence[AssessmentItem], *, is_control: bool
) -> list[Answer]:
    """Return the answers in a file to the control items, or to all other items."""
    return [answer for answer in file.answers if _item(items, answer).is_control == is_control]


def _verdicts(
    answered: Mapping[int, Sequence[Answer]], items: Sequence[AssessmentItem], ask: Ask
) -> list[Table]:
    """Return tables of verdicts: on all pairs, by kind of error, by category and by system."""
    names = VERDICTS[ask]
    if not names:
        return []
    verdicts = {number: _verdict(answers, list(names)) for number, answers in answered.items()}
    tables = [_shares("All pairs", verdicts.values(), names)]
    if ask == "errors":
        tables.append(_kinds(answered, verdicts))
    groups = [*_grouped(verdicts, items, _category), *_grouped(verdicts, items, _systems)]
    return [*tables, *(_shares(name, group, names) for name, group in groups)]


def _verdict(answers: Sequence[Answer], names: Sequence[str]) -> str:
    return names[median_high(names.index(str(answer.verdict)) for answer in answers)]


def _score(answers: Sequence[Answer]) -> float:
    return median(answer.score for answer in answers)


def _grouped(
    values: Mapping[int, _Value],
    items: Sequence[AssessmentItem],
    names: Callable[[Mapping[str, Any]], Iterable[_Name]],
) -> list[tuple[_Name, list[_Value]]]:
    """Group the values of items by the names that `names` returns for a pair, sorted by name."""
    groups: dict[_Name, list[_Value]] = {}
    for number, value in values.items():
        for name in names(items[number - 1].pair):
            groups.setdefault(name, []).append(value)
    return sorted(groups.items())


def _category(pair: Mapping[str, Any]) -> Iterable[str]:
    return filter(None, [pair["category"]])


def _systems(pair: Mapping[str, Any]) -> Iterable[str]:
    """Return the names of the systems that produced an output, or none for a pair of a data set."""
    return list(pair.get("systems", ()))


def _cells(pair: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    return [(pair["category"], system) for system in _systems(pair)]


def _ratings(scores: Mapping[int, float], items: Sequence[AssessmentItem]) -> list[Table]:
    """Return tables of mean scores: per system, and per system and group of source sentences."""
    systems = _grouped(scores, items, _systems)
    if not systems:
        return []
    rows = [(name, len(values), f"{fmean(values):.1f}", _range(values)) for name, values in systems]
    tables = [
        Table(
            title="Scores by system", head=("system", "outputs", "mean", "95 % interval"), rows=rows
        )
    ]
    cells = dict(_grouped(scores, items, _cells))
    groups = sorted({group for group, _ in cells})
    if groups == [""]:
        return tables
    names = [name for name, _ in systems]
    lines = [[group, *(_cell(cells.get((group, name), [])) for name in names)] for group in groups]
    note = "Mean, 95 % interval and number of outputs."
    head = ("group", *names)
    return [*tables, Table(title="Scores by group and system", head=head, rows=lines, note=note)]


def _cell(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return f"{fmean(values):.1f} ({_range(values)}; {len(values)})"


def _range(values: Sequence[float]) -> str:
    low, high = mean_interval(values)
    return f"{low:.1f} - {high:.1f}"


def _shares(title: str, verdicts: Iterable[str], names: Mapping[str, str]) -> Table:
    counts = Counter(verdicts)
    by_label = {label: counts[name] for name, label in names.items()}
    return _table(title, "verdict", by_label, counts.total())


def _kinds(answered: Mapping[int, Sequence[Answer]], verdicts: Mapping[int, str]) -> Table:
    """Count the kinds of error in pairs with a significant error, each kind once per pair."""
    kinds = Counter[str | None]()
    for number, verdict in verdicts.items():
        if verdict == "significant":
            kinds.update({answer.kind for answer in answered[number]})
    counts = {kind: kinds[kind] for kind in KINDS}
    return _table("Significant errors by kind", "kind", counts, len(verdicts))


def _table(title: str, head: str, counts: dict[str, int], total: int) -> Table:
    rows = [
        (name, count, f"{count / total:.1%}", interval(count, total))
        for name, count in counts.items()
    ]
    heads = (head, "pairs", "share", "95 % interval")
    return Table(title=f"{title} (of {total})", head=heads, rows=rows)


def interval(count: int, total: int) -> str:
    """Format Wilson's interval of a share in percent: `12.0 - 18.5%`."""
    low, high = wilson(count, total)
    return f"{100 * low:.1f} - {high:.1%}"


def _annotators(files: Sequence[AnswerFile], items: Sequence[AssessmentItem]) -> Table:
    rows = []
    for file in files:
        controls = _answers(file, items, is_control=True)
        passed = sum(map(_passes_control, controls))
        answered = f"{len(file.answers)} of {len(items)}"
        counted = "no"
        if _is_trusted(file, items):
            counted = "yes"
        rows.append((file.annotator, answered, f"{passed} of {len(controls)}", counted))
    note = (
        "An annotator is counted who scored fewer than "
        f"{_CONTROL_SHARE:.0%} of the control items above {_CONTROL_SCORE}."
    )
    head = ("annotator", "answered", f"control items scored {_CONTROL_SCORE} or less", "counted")
    return Table(title="Annotators", head=head, rows=rows, note=note)


def _agreement(files: Sequence[AnswerFile], items: Sequence[AssessmentItem], ask: Ask) -> str:
    """Return a sentence on how far the annotators agree in their verdicts and scores.

    Verdicts are compared as ranks, from best to worst.
    """
    order = list(VERDICTS[ask])
    verdicts, scores = [], []
    for file in files:
        for answer in _answers(file, items, is_control=False):
            if answer.verdict is not None:
                verdicts.append((file.annotator, answer.item, order.index(answer.verdict)))
            scores.append((file.annotator, answer.item, answer.score))
    agreements = {"verdicts": alpha(verdicts), "scores": alpha(scores)}
    parts = [f"{value:.2f} of {name}" for name, value in agreements.items() if value is not None]
    if not parts:
        return "No pair was answered twice, so agreement cannot be computed."
    return f"Krippendorff's alpha (interval scale): {', '.join(parts)}."
