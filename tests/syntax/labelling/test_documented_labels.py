"""Labels of the examples in docs/categories.md, with the quickstart's parser, are those that the document says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.reading.pair_files import read_values
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.labelling.categories import label_pair
from bitext_pivot.syntax.labelling.edits import edit_labels
from bitext_pivot.syntax.labelling.released import first_matching_rule

ROOT = Path(__file__).parents[3]
Cells = list[str]


def rows(section: str) -> Iterator[Cells]:
    """The cells of the table of a section, without its head."""
    document = (ROOT / "docs" / "categories.md").read_text(encoding="utf-8")
    text = document.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] not in {"category", "rule", "construction", ""}:
            yield cells


def parsed_pair(long: str, split: str, pipeline: Any) -> ParsedPair:
    """A documented pair, parsed: `long` with a slash at the split, and its two halves."""
    from bitext_pivot.syntax.parsing import parse_pairs

    first, _, second = split.partition(". ")
    [line] = read_values([(long.replace("/ ", ""), [f"{first}.", second])], "en")
    assert line.pair
    [parsed], _skips = parse_pairs([line.pair], pipeline)
    return parsed


def shown(parsed: ParsedPair, at: int | None) -> str:
    """`long` with a slash at the split position."""
    tokens = parsed.long.tokens
    if at is None:
        return " ".join(tokens)
    return " ".join([*tokens[:at], "/", *tokens[at:]])


def spaced(text: str) -> str:
    """A text as `shown` has it: punctuation is a token."""
    for mark in ".,;:":
        text = text.replace(mark, f" {mark}")
    return text


@pytest.mark.parametrize("cells", [*rows("`category`")])
def test_examples_of_categories(cells: Cells, pipeline: Any) -> None:
    category, _, long, split = cells
    parsed = parsed_pair(long, split, pipeline)
    labels = label_pair(parsed)
    assert (labels.category, shown(parsed, labels.split_at)) == (category, spaced(long))


@pytest.mark.parametrize("cells", [*rows("`construction`")])
def test_examples_of_constructions(cells: Cells, pipeline: Any) -> None:
    construction, _, long, split = cells
    parsed = parsed_pair(long, split, pipeline)
    labels = label_pair(parsed)
    assert (labels.construction, shown(parsed, labels.split_at)) == (construction, spaced(long))


@pytest.mark.parametrize("cells", [*rows("`category_bisect`")])
def test_examples_of_rules(cells: Cells, pipeline: Any) -> None:
    rule, category, _, long = cells
    parsed = parsed_pair(long, "The town lost its mill. The mill had fed it.", pipeline)
    labels = label_pair(parsed)
    sentence = clauses.analyse_clauses(parsed.long, "en")
    assert (first_matching_rule(sentence, parsed), labels.category_bisect) == (rule, category)


def test_the_example_of_edit_labels() -> None:
    source, target, delta = rows("Edit labels")
    long = " ".join(source[2:-1]).replace(" [FILL]", "")
    halves = " ".join(target[2:-1]).split(" [SEP] ")
    labels = edit_labels(
        long.split(), (halves[0].split(), halves[1].split()), "Changes Near Split", str.split
    )
    assert list(labels.source) == source[1:]
    assert list(labels.target) == target[1:]
    assert [str(number) for number in labels.delta] == delta[1:]
