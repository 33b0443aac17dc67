"""Draw outputs of several systems for assessment: blind, mixed, each with the source that it was made from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.sampling import HashSample
from bitext_pivot.corpus.judgement.sampling import Design, Question
from bitext_pivot.metrics.splits import split_outputs
from bitext_pivot.metrics.texts import joined


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
    equal outputs share an item. With `ask: original` a source is the original text, shown beside an output in an order
    drawn by the seed; outputs that are equal to it are left out. `groups` has a name for each line. Raises
    SettingsError if no item is left.
    """
    lines = max(1, design.pairs // len(systems))
    controls = 0 if design.ask == "original" else design.controls
    fitting = design.model_copy(update={"pairs": lines, "controls": controls}).within(len(sources))
    drawn = HashSample[int](fitting.pairs + 2 * fitting.controls, design.seed)
    for number, source in enumerate(sources):
        drawn.add(f"{number}/{source}", lambda number=number: number)  # type: ignore[misc]
    order = drawn.values()
    chosen = order[: fitting.pairs]
    outputs = {name: _texts(texts, design, language) for name, texts in systems.items()}
    items = [
        item
        for number in chosen
        for item in _items(number, sources[number], outputs, groups[number])
    ]
    if design.ask == "original":
        items = [
            _beside_the_original(item, design.seed)
            for item in items
            if item.pair["split"] != [item.pair["long"]]
        ]
    further = iter(order[fitting.pairs :])
    for number in islice(further, fitting.controls):
        items.append(_control(number, next(further), sources, outputs, groups))
    if not items:
        raise SettingsError(
            "Every output is equal to its original, so nothing is left to ask. Name other outputs."
        )
    Random(design.seed).shuffle(items)  # noqa: S311 (no secret: systems are only not to be told apart at a glance)
    return [replace(item, pair={**item.pair, "language": language}) for item in items]


def _texts(outputs: Sequence[str], design: Design, language: str) -> list[list[str]]:
    """Return the sentences of each output, or the whole text where it stands beside another."""
    if design.ask == "original":
        return [[joined(output)] for output in outputs]
    return split_outputs(outputs, language)


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


def _beside_the_original(item: Question, seed: int) -> Question:
    """Return an item that shows an output and its original, with no source above them."""
    original, output = item.pair["long"], item.pair["split"][0]
    is_first = Random(f"{seed}/{original}/{output}").random() < 1 / 2  # noqa: S311 (no secret)
    texts = [original, output] if is_first else [output, original]
    place = "first" if is_first else "second"
    return Question(
        pair={**item.pair, "long": "", "split": texts, "original": place}, is_control=False
    )


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
