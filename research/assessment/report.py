"""Report on the answers of annotators: shares with confidence intervals, agreement, control items."""

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
from bitext_pivot.research.assessment.sampling import Ask, Design, Question, fingerprint

VERDICTS: Mapping[Ask, Mapping[str, str]] = {
    "errors": {"perfect": "perfect", "minor": "minor issue", "significant": "significant error"},
    "quality": {
        "perfect": "perfect", "minor": "minor issues", "disfluency": "disfluencies", "several": "several errors",
    },
    "rating": {},
}  # fmt: skip
"""The verdicts of each question, from the best to the worst, and their names in tables."""
KINDS = ("missing", "added", "changed", "grammar", "split", "other")
_CONTROL_SCORE, _CONTROL_SHARE = 50, 0.2  # of BiSECT's Mechanical Turk script
_RESAMPLES = 1000
_OUTSIDE = 0.05  # probability outside of an interval
_Value = TypeVar("_Value")
_Name = TypeVar("_Name", str, tuple[str, str])


class Answer(Settings):
    """The answer to one item."""

    item: int = Field(ge=1)
    """Number of the pair on the page, from 1."""
    verdict: Literal["perfect", "minor", "significant", "disfluency", "several"] | None
    """What is said of the pair, of the verdicts of the question; None if it asks for a number alone."""
    kind: Literal["missing", "added", "changed", "grammar", "split", "other"] | None
    """Most serious error; None without a significant one."""
    score: int = Field(ge=0, le=100)
    """How good the pair is, from 0 (useless) to 100 (perfect)."""


class Answers(Settings):
    """The file that the annotation page saves."""

    annotator: str
    """Name that the annotator entered."""
    design: Design
    """How the sample was drawn, to draw it again."""
    sha256: str
    """Digest of the items, which are the same if the sample is drawn again."""
    answers: list[Answer]
    """Answers to the items that the annotator answered, in their order."""

    @model_validator(mode="after")
    def _fit_the_question(self) -> Self:
        """Refuse verdicts of another question."""
        verdicts: tuple[str | None, ...] = tuple(VERDICTS[self.design.ask]) or (None,)
        for answer in self.answers:
            if answer.verdict not in verdicts:
                raise ValueError(
                    f"item {answer.item} has verdict {answer.verdict!r}, asked was {self.design.ask!r}"
                )
        return self


def read(paths: Sequence[Path]) -> list[Answers]:
    """Read files of answers to one sample. Raises SettingsError for files that are not, or two of one annotator."""
    files = [_read(path) for path in paths]
    if len({(file.sha256, file.design.ask) for file in files}) > 1:
        raise SettingsError(
            "The files answer different samples. Expected answers to one page; read the others alone."
        )
    twice = [name for name, count in Counter(file.annotator for file in files).items() if count > 1]
    if twice:
        raise SettingsError(
            f"Two files are of annotator {twice[0]!r}. Expected one each: leave out the older one."
        )
    return files


def _read(path: Path) -> Answers:
    try:
        return Answers.model_validate_json(
            "\n".join(utf8_lines(path, "Name files that the page saved."))
        )
    except ValidationError as error:
        problem = next(refused_values.problems(error))
        raise SettingsError(
            f"{path} is no file of answers ({problem}). Save it from the page."
        ) from error


def report(title: str, items: Sequence[Question], files: Sequence[Answers]) -> Page:
    """Return the tables of an assessment.

    Annotators who scored a fifth of their control items above 50 are left out of all other tables, as in BiSECT's
    Mechanical Turk script. Several verdicts on a pair count as their median, the worse one of two. Raises SettingsError
    if the sample that was drawn again is not the one that was answered, or if no annotator is left.
    """
    if any(file.sha256 != fingerprint(items) for file in files):
        raise SettingsError(
            "The answers are about another data set, or it was built again since. Name that data set."
        )
    trusted = [file for file in files if _is_trusted(file, items)]
    answered = _by_item(trusted, items)
    if not answered:
        raise SettingsError(
            "No answers are left: every annotator failed the control items, or no pair was answered."
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
    """Return Wilson's 95 % score interval of a share (Wilson 1927, JASA 22, p. 209)."""
    z = NormalDist().inv_cdf(1 - _OUTSIDE / 2)
    share = count / total
    centre = share + z * z / (2 * total)
    margin = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    low = (centre - margin) / scale
    high = (centre + margin) / scale
    return max(0.0, low), min(1.0, high)


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean: percentiles of 1,000 means of resamples, the same in every run."""
    random = Random(1)  # noqa: S311 (no secret)
    means = sorted(fmean(random.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    cut = round(_RESAMPLES * _OUTSIDE / 2)
    return means[cut], means[-1 - cut]


def alpha(ratings: Iterable[tuple[str, int, float]]) -> float | None:
    """Return Krippendorff's alpha of `(annotator, item, rating)` on an interval scale; None if nothing is rated twice.

    It is 1 for full agreement and 0 for chance.
    """
    ratings = list(ratings)
    times = Counter(item for _, item, _ in ratings)
    if max(times.values(), default=0) < 2:
        return None
    optional_packages.require("nltk", "research", "Krippendorff's alpha")
    from nltk.metrics.agreement import AnnotationTask  # imports scikit-learn: two seconds
    from nltk.metrics.distance import interval_distance

    return float(AnnotationTask(ratings, distance=interval_distance).alpha())


def _is_trusted(file: Answers, items: Sequence[Question]) -> bool:
    controls = _answers(file, items, is_control=True)
    failed = sum(not _is_noticed(answer) for answer in controls)
    return failed < _CONTROL_SHARE * len(controls) or not controls


def _is_noticed(control: Answer) -> bool:
    return control.score <= _CONTROL_SCORE


def _item(items: Sequence[Question], answer: Answer) -> Question:
    if answer.item > len(items):
        raise SettingsError(
            f"There is an answer to item {answer.item}, but the sample has {len(items)}. Save it again."
        )
    return items[answer.item - 1]


def _by_item(files: Sequence[Answers], items: Sequence[Question]) -> dict[int, list[Answer]]:
    """Return all answers by item, without control items."""
    answered: dict[int, list[Answer]] = {}
    for file in files:
        for answer in _answers(file, items, is_control=False):
            answered.setdefault(answer.item, []).append(answer)
    return answered


def _answers(file: Answers, items: Sequence[Question], *, is_control: bool) -> list[Answer]:
    """Return the answers of a file to control items, or those to all others."""
    return [one for one in file.answers if _item(items, one).is_control == is_control]


def _verdicts(
    answered: Mapping[int, Sequence[Answer]], items: Sequence[Question], ask: Ask
) -> list[Table]:
    """Return the shares of the verdicts: of all pairs, by category and by system; and the kinds of errors."""
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
    items: Sequence[Question],
    names: Callable[[Mapping[str, Any]], Iterable[_Name]],
) -> list[tuple[_Name, list[_Value]]]:
    """Return the values of items by the names of their pairs."""
    groups: dict[_Name, list[_Value]] = {}
    for number, value in values.items():
        for name in names(items[number - 1].pair):
            groups.setdefault(name, []).append(value)
    return sorted(groups.items())


def _category(pair: Mapping[str, Any]) -> Iterable[str]:
    return filter(None, [pair["category"]])


def _systems(pair: Mapping[str, Any]) -> Iterable[str]:
    """Return the systems of an output; none of a pair of a data set."""
    return list(pair.get("systems", ()))


def _cells(pair: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    return [(pair["category"], system) for system in _systems(pair)]


def _ratings(scores: Mapping[int, float], items: Sequence[Question]) -> list[Table]:
    """Return the mean scores of each system: of all its outputs, and by the group of their sources."""
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
    """Count each kind that an annotator named for a pair with a significant error, once per pair."""
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
    """Return Wilson's interval of a share in percent."""
    low, high = wilson(count, total)
    return f"{100 * low:.1f} - {high:.1%}"


def _annotators(files: Sequence[Answers], items: Sequence[Question]) -> Table:
    rows = []
    for file in files:
        controls = _answers(file, items, is_control=True)
        seen = sum(map(_is_noticed, controls))
        answered = f"{len(file.answers)} of {len(items)}"
        counted = "no"
        if _is_trusted(file, items):
            counted = "yes"
        rows.append((file.annotator, answered, f"{seen} of {len(controls)}", counted))
    note = f"Counted: fewer than {_CONTROL_SHARE:.0%} of the control items are scored above {_CONTROL_SCORE}."
    head = ("annotator", "answered", f"control items scored {_CONTROL_SCORE} or less", "counted")
    return Table(title="Annotators", head=head, rows=rows, note=note)


def _agreement(files: Sequence[Answers], items: Sequence[Question], ask: Ask) -> str:
    """Return the agreement of the annotators on verdicts, by their order, and on scores, in a sentence."""
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
        return "No pair was answered twice, so there is no agreement to report."
    return f"Krippendorff's alpha (interval scale): {', '.join(parts)}."
