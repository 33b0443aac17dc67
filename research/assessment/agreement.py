"""How far judges of pairs, such as language models, agree with annotators who read the same sample."""

from collections.abc import Mapping, Sequence

from bitext_pivot.core.tables import Table
from bitext_pivot.research.assessment.report import VERDICTS, Answers, alpha, interval, settled
from bitext_pivot.research.assessment.sampling import Question

_ERRORS = VERDICTS["errors"]
"""The verdicts of annotators, from the best to the worst."""


def table(
    items: Sequence[Question],
    files: Sequence[Answers],
    grades: Mapping[str, Sequence[float]],
    min_grade: float,
) -> Table:
    """Return what each judge would reject of the pairs that annotators called perfect, minor, or an error.

    `grades` are those of each judge for all items, from 0 to 1; a pair with less than `min_grade` is
    rejected. A grade of 1 is the verdict perfect, 0 a significant error. Control items are errors that
    nobody has to read.
    """
    verdicts = settled(items, files)
    groups = {
        label: [number for number, verdict in verdicts.items() if verdict == name]
        for name, label in _ERRORS.items()
    }
    groups["control item"] = [
        number for number, item in enumerate(items, start=1) if item.is_control
    ]
    rows = []
    for judge, of_items in grades.items():
        rejected = {number for number, grade in enumerate(of_items, start=1) if grade < min_grade}
        cells = [_share(numbers, rejected) for numbers in groups.values()]
        rows.append((judge, *cells, _agreement(verdicts, of_items)))
    head = ("judge", *(f"rejects, {label}" for label in groups), "alpha")
    note = (
        "Of the pairs with each verdict of the annotators, with 95 % intervals. Alpha: Krippendorff's, "
        "between annotators and judge (perfect, minor, error; 0 is chance)."
    )
    return Table(
        title=f"The judge beside the annotators (of {len(verdicts)})",
        head=head,
        rows=rows,
        note=note,
    )


def _share(numbers: Sequence[int], rejected: set[int]) -> str:
    """Return how many of some items are rejected: `3 of 12 (8.9 - 53.2%)`."""
    if not numbers:
        return "none"
    count = len(rejected.intersection(numbers))
    return f"{count} of {len(numbers)} ({interval(count, len(numbers))})"


def _agreement(verdicts: Mapping[int, str], grades: Sequence[float]) -> str:
    """Return Krippendorff's alpha of two raters: the annotators together, and a judge."""
    worst = len(_ERRORS) - 1
    order = list(_ERRORS)
    ratings: list[tuple[str, int, float]] = []
    for number, verdict in verdicts.items():
        ratings.append(("annotators", number, order.index(verdict)))
        ratings.append(("judge", number, worst * (1 - grades[number - 1])))
    if len({rating for _, _, rating in ratings}) == 1:
        return "all the same"
    return f"{alpha(ratings):.2f}"
