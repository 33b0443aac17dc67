"""Draw outputs of several systems for assessment: blind, mixed, each with the source that it was made from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from bitext_pivot.core.sampling import rank
from bitext_pivot.research.assessment.sampling import Design, Question
from bitext_pivot.research.metrics.splits import split_outputs
from bitext_pivot.research.metrics.texts import joined


def sample(
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    groups: Sequence[str],
    design: Design,
    *,
    language: str = "en",
) -> list[Question]:
    """Return the items of a page in their order: lines drawn by a hash, each with the output of each system.

    There are about `design.pairs` items: as many lines as that gives, divided by the number of systems. Systems with
    equal outputs share an item. `groups` has a name for each line.
    """
    fitting = _fitting(design, len(sources), len(systems))
    order = _drawn(sources, fitting)
    chosen = order[: fitting.pairs]
    of_controls = order[fitting.pairs :]
    outputs = {name: split_outputs(texts, language) for name, texts in systems.items()}
    items: list[Question] = []
    for number in chosen:
        items += _items(number, sources[number], outputs, groups[number])
    for number, donor in zip(of_controls[::2], of_controls[1::2], strict=True):
        items.append(_control(number, donor, sources, outputs, groups))
    Random(design.seed).shuffle(items)  # noqa: S311 (no secret: systems are only not to be told apart at a glance)
    return [replace(item, pair={**item.pair, "language": language}) for item in items]


def _fitting(design: Design, sources: int, systems: int) -> Design:
    """Return a design with the number of lines to draw as its pairs, not more than there are sources."""
    lines = max(1, design.pairs // systems)
    return design.model_copy(update={"pairs": lines}).within(sources)


def _drawn(sources: Sequence[str], design: Design) -> list[int]:
    """Return the lines that are drawn, in the order of their hashes: one per pair, two per control item."""
    order = sorted(
        range(len(sources)), key=lambda number: rank(f"{number}/{sources[number]}", design.seed)
    )
    return order[: design.pairs + 2 * design.controls]


def _items(
    number: int, source: str, outputs: Mapping[str, Sequence[list[str]]], group: str
) -> list[Question]:
    """Return an item for each different output of a line, with the names of its systems."""
    systems: dict[tuple[str, ...], list[str]] = {}
    for name, texts in outputs.items():
        systems.setdefault(tuple(texts[number]), []).append(name)
    rows = [
        {"long": joined(source), "split": list(texts), "category": group, "systems": names}
        for texts, names in systems.items()
    ]
    return [Question(pair=row, is_control=False) for row in rows]


def _control(
    number: int,
    donor: int,
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[list[str]]],
    groups: Sequence[str],
) -> Question:
    """Return an output of one system whose last sentence is that of another line."""
    texts = list(outputs.values())[number % len(outputs)]
    broken = [*texts[number][:-1], *texts[donor][-1:]]
    row = {
        "long": joined(sources[number]),
        "split": broken,
        "category": groups[number],
        "systems": [],
    }
    return Question(pair=row, is_control=True)
