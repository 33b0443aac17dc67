"""Report on the answers of annotators: shares with confidence intervals, agreement, control items."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path
from statistics import NormalDist, fmean, median, median_high
from typing import Literal

from pydantic import Field, ValidationError

from bitext_pivot.core import extras
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.input_files import utf8_lines
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.corpus.judgement.sampling import Design, Question, fingerprint

VERDICTS = ("perfect", "minor", "significant")
LABELS = {"perfect": "perfect", "minor": "minor issue", "significant": "significant error"}
KINDS = ("missing", "added", "changed", "grammar", "split", "other")
_CONTROL_SCORE, _CONTROL_SHARE = 50, 0.2  # of BiSECT's Mechanical Turk script


class Answer(Settings):
    """The answer to one item."""

    item: int = Field(ge=1)
    """Number of the pair on the page, from 1."""
    verdict: Literal["perfect", "minor", "significant"]
    """Whether the two sentences say the same as the long one, in good sentences."""
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


def read(paths: Sequence[Path]) -> list[Answers]:
    """Read files of answers to one sample. Raises SettingsError for files that are not, or two of one annotator."""
    files = [_read(path) for path in paths]
    if len({file.sha256 for file in files}) > 1:
        raise SettingsError("The files answer different samples. Expected answers to one page; read the others alone.")
    twice = [name for name, count in Counter(file.annotator for file in files).items() if count > 1]
    if twice:
        raise SettingsError(f"Two files are of annotator {twice[0]!r}. Expected one each: leave out the older one.")
    return files


def _read(path: Path) -> Answers:
    try:
        return Answers.model_validate_json("\n".join(utf8_lines(path, "Name files that the page saved.")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise SettingsError(
            f"{path} is no file of answers ({where}: {first['msg']}). Save it from the page."
        ) from error


def report(title: str, items: Sequence[Question], files: Sequence[Answers]) -> Page:
    """Return the tables of an assessment.

    Annotators who scored a fifth of their control items above 50 are left out of all other tables, as in BiSECT's
    Mechanical Turk script. Several verdicts on a pair count as their median, the worse one of two. Raises SettingsError
    if the sample that was drawn again is not the one that was answered, or if no annotator is left.
    """
    if any(file.sha256 != fingerprint(items) for file in files):
        raise SettingsError("The answers are about another data set, or it was built again since. Name that data set.")
    trusted = [file for file in files if _is_trusted(file, items)]
    answered = _by_item(trusted, items)
    if not answered:
        raise SettingsError("No answers are left: every annotator failed the control items, or no pair was answered.")
    verdicts = {number: _verdict(answers) for number, answers in answered.items()}
    tables = [
        _annotators(files, items),
        _shares("All pairs", verdicts.values()),
        _kinds(answered, verdicts),
        *(_shares(name, group) for name, group in _by_category(verdicts, items)),
    ]
    mean = fmean(median(answer.score for answer in answers) for answers in answered.values())
    summary = (
        f"Pairs: {len(answered)}. Annotators: {len(trusted)}. Mean score: {mean:.1f}. {_agreement(trusted, items)}"
    )
    return Page(title=f"Assessment of {title}", summary=summary, tables=tables)


def wilson(count: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a share (Wilson 1927, JASA 22, p. 209)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = count / total
    centre = share + z * z / (2 * total)
    margin = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return max(0.0, (centre - margin) / (1 + z * z / total)), min(1.0, (centre + margin) / (1 + z * z / total))


def alpha(ratings: Iterable[tuple[str, int, float]]) -> float | None:
    """Return Krippendorff's alpha of `(annotator, item, rating)` on an interval scale; None if nothing is rated twice.

    It is 1 for full agreement and 0 for chance.
    """
    ratings = list(ratings)
    times = Counter(item for _, item, _ in ratings)
    if max(times.values(), default=0) < 2:
        return None
    extras.require("nltk", "evaluate", "Krippendorff's alpha")
    from nltk.metrics.agreement import AnnotationTask  # imports scikit-learn: two seconds
    from nltk.metrics.distance import interval_distance

    return float(AnnotationTask(ratings, distance=interval_distance).alpha())


def _is_trusted(file: Answers, items: Sequence[Question]) -> bool:
    controls = _controls(file, items)
    return sum(answer.score > _CONTROL_SCORE for answer in controls) < _CONTROL_SHARE * len(controls) or not controls


def _controls(file: Answers, items: Sequence[Question]) -> list[Answer]:
    return [answer for answer in file.answers if _item(items, answer).is_control]


def _item(items: Sequence[Question], answer: Answer) -> Question:
    if answer.item > len(items):
        raise SettingsError(
            f"There is an answer to item {answer.item}, but the sample has {len(items)}. Save it again."
        )
    return items[answer.item - 1]


def _by_item(files: Sequence[Answers], items: Sequence[Question]) -> dict[int, list[Answer]]:
    """Return all answers by item, without control items."""
    answered: dict[int, list[Answer]] = {}
    for answer in (answer for file in files for answer in file.answers):
        if not _item(items, answer).is_control:
            answered.setdefault(answer.item, []).append(answer)
    return answered


def _verdict(answers: Sequence[Answer]) -> str:
    return VERDICTS[median_high(VERDICTS.index(answer.verdict) for answer in answers)]


def _by_category(verdicts: dict[int, str], items: Sequence[Question]) -> list[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for number, verdict in verdicts.items():
        groups.setdefault(items[number - 1].pair["category"], []).append(verdict)
    return sorted(groups.items())


def _shares(title: str, verdicts: Iterable[str]) -> Table:
    counts = Counter(verdicts)
    return _table(title, "verdict", {LABELS[name]: counts[name] for name in VERDICTS}, counts.total())


def _kinds(answered: dict[int, list[Answer]], verdicts: dict[int, str]) -> Table:
    """Count each kind that an annotator named for a pair with a significant error, once per pair."""
    bad = [number for number, verdict in verdicts.items() if verdict == "significant"]
    kinds: Counter[str | None] = Counter(
        kind for number in bad for kind in {answer.kind for answer in answered[number]}
    )
    return _table("Significant errors by kind", "kind", {kind: kinds[kind] for kind in KINDS}, len(verdicts))


def _table(title: str, head: str, counts: dict[str, int], total: int) -> Table:
    rows = [(name, count, f"{count / total:.1%}", _interval(count, total)) for name, count in counts.items()]
    return Table(title=f"{title} (of {total})", head=(head, "pairs", "share", "95 % interval"), rows=rows)


def _interval(count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"{100 * low:.1f} - {high:.1%}"


def _annotators(files: Sequence[Answers], items: Sequence[Question]) -> Table:
    rows = []
    for file in files:
        controls = _controls(file, items)
        seen = sum(answer.verdict == "significant" for answer in controls)
        counted = "yes" if _is_trusted(file, items) else "no"
        rows.append((file.annotator, f"{len(file.answers)} of {len(items)}", f"{seen} of {len(controls)}", counted))
    note = f"Counted: fewer than {_CONTROL_SHARE:.0%} of the control items are scored above {_CONTROL_SCORE}."
    head = ("annotator", "answered", "control items called significant errors", "counted")
    return Table(title="Annotators", head=head, rows=rows, note=note)


def _agreement(files: Sequence[Answers], items: Sequence[Question]) -> str:
    def of(value: Callable[[Answer], float]) -> float | None:
        answers = ((file.annotator, answer) for file in files for answer in file.answers)
        return alpha(
            (name, answer.item, value(answer)) for name, answer in answers if not _item(items, answer).is_control
        )

    verdict, score = of(lambda answer: VERDICTS.index(answer.verdict)), of(lambda answer: answer.score)
    if verdict is None or score is None:
        return "No pair was answered twice, so there is no agreement to report."
    return f"Krippendorff's alpha (interval scale): {verdict:.2f} of verdicts, {score:.2f} of scores."
