"""Draw a blind sample of the outputs of several systems, each shown with its source sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from bitext_pivot.core.sampling import rank
from bitext_pivot.research.assessment.sample_design import AssessmentItem, SampleDesign
from bitext_pivot.research.metrics.segmentation import joined
from bitext_pivot.research.metrics.splits import split_outputs


def sample(
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    groups: Sequence[str],
    design: SampleDesign,
    *,
    language: str = "en",
) -> list[AssessmentItem]:
    """Draw source lines and return the outputs of all systems for them, shuffled.

    Control items, broken on purpose to check the annotators, are added. `sources`, `groups` and the outputs of each
    system have one entry per line; `groups` has the name of the group in whose scores a line counts. Lines are drawn by
    a hash: as many as `design.pairs` divided by the number of systems, so that there are about `design.pairs` items.
    Systems with the same output for a line share an item.
    """
    line_design = _design_of_lines(design, len(sources), len(systems))
    order = _draw_lines(sources, line_design)
    chosen = order[: line_design.pairs]
    control_lines = order[line_design.pairs :]
    outputs = {name: split_outputs(texts, language) for name, texts in systems.items()}
    items: list[AssessmentItem] = []
    for number in chosen:
        items += _items(number, sources[number], outputs, groups[number])
    for number, donor in zip(control_lines[::2], control_lines[1::2], strict=True):
        items.append(_control(number, donor, sources, outputs, groups))
    Random(design.seed).shuffle(items)  # noqa: S311 (not a secret: the order only hides the systems from view)
    return [replace(item, pair={**item.pair, "language": language}) for item in items]


def _design_of_lines(design: SampleDesign, sources: int, systems: int) -> SampleDesign:
    """Return the design for drawing source lines instead of pairs.

    Each line yields up to one item per system, so `pairs` is divided by the number of `systems`. If there are too few
    `sources`, fewer lines and control items are drawn.
    """
    lines = max(1, design.pairs // systems)
    return design.model_copy(update={"pairs": lines}).within(sources)


def _draw_lines(sources: Sequence[str], design: SampleDesign) -> list[int]:
    """Return the indices of the drawn lines: one per pair, then two per control item."""
    order = sorted(
        range(len(sources)), key=lambda number: rank(f"{number}/{sources[number]}", design.seed)
    )
    return order[: design.pairs + 2 * design.controls]


def _items(
    number: int, source: str, outputs: Mapping[str, Sequence[list[str]]], group: str
) -> list[AssessmentItem]:
    """Return an item for each distinct output of a line, with the systems that produced it."""
    systems: dict[tuple[str, ...], list[str]] = {}
    for name, texts in outputs.items():
        systems.setdefault(tuple(texts[number]), []).append(name)
    rows = [
        {"long": joined(source), "split": list(texts), "category": group, "systems": names}
        for texts, names in systems.items()
    ]
    return [AssessmentItem(pair=row, is_control=False) for row in rows]


def _control(
    number: int,
    donor: int,
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[list[str]]],
    groups: Sequence[str],
) -> AssessmentItem:
    """Return a control item: the output of a line with the last sentence of the line `donor`."""
    texts = list(outputs.values())[number % len(outputs)]
    broken = [*texts[number][:-1], *texts[donor][-1:]]
    row = {
        "long": joined(sources[number]),
        "split": broken,
        "category": groups[number],
        "systems": [],
    }
    return AssessmentItem(pair=row, is_control=True)
