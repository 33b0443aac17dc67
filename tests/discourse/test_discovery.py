"""The rows, kinds and released formats of Discovery."""

import pytest
from factories import source

from bitext_pivot.core.records import MarkedPair, SelectedPair
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.discourse.mining.variants import VARIANTS
from bitext_pivot.discourse.recipes.discovery import DISCOVERY, DiscoveryFiles

PAIR = MarkedPair(
    id="C/v1/en/a.txt:4-5", language="en", marker="in_fact,", found="list", first="The bus was late.",
    second="It never came.", original="In fact, it never came.", source=source("C", "a.txt"),
    positions=(4, 5), rejected_by=None,
)  # fmt: skip
DRAWN = SelectedPair(pair=PAIR, rank=3, variants=("base", "adv"), rejected_by=None)
REPORT = {
    "control": {"accuracy": 0.25, "pairs": 8, "majority": 0.5, "accuracy_top": 0.75, "top": 2},
    "markers": {f"m{n}": {"pairs": 9, "drawn": 4, "predicted": n % 5} for n in range(25)}
    | {"rare": {"pairs": 1}},
}


def test_there_is_a_kind_for_each_variant() -> None:
    assert [*DISCOVERY.rows.classes] == [*VARIANTS, "rejected"]
    assert DISCOVERY.rows.kinds(DRAWN) == ("base", "adv")
    base = DISCOVERY.rows.row(DRAWN, "base")
    assert list(base) == list(DISCOVERY.rows.classes["base"].__annotations__)
    assert (base["rank"], base["positions"], base["marker"]) == (3, [4, 5], "in_fact,")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("tsv", ("The bus was late.\tIt never came.\tin_fact,",)),
        ("infersent", ("The bus was late.", "It never came.", "in_fact,")),
    ],
)
def test_released_formats(name: str, lines: tuple[str, ...]) -> None:
    files = DiscoveryFiles()
    one = files.TEXT[name]
    assert one.lines(DISCOVERY.rows.row(DRAWN, "base")) == [f"{line}\n" for line in lines]
    assert len(files.extensions(name)) == len(lines)
    assert one.header == ("sentence1\tsentence2\tlabel" if name == "tsv" else "")


@pytest.mark.parametrize(
    ("text", "accepted"), [("a\tb", ["infersent"]), ("a\nb", []), ("a\u2028b", [])]
)
def test_texts_that_a_released_format_cannot_hold_are_left_out(
    text: str, accepted: list[str]
) -> None:
    row = {**DISCOVERY.rows.row(DRAWN, "base"), "first": text}
    assert [name for name, one in DiscoveryFiles.TEXT.items() if one.accepts(row)] == accepted


def test_the_card_has_the_most_and_the_least_predictable_markers() -> None:
    notes = DISCOVERY.card.notes(BuildFacts(title="", signature={"markers": REPORT}))
    assert "25 markers are frequent enough" in notes and "25.0% of their 8 pairs" in notes
    assert "| m4 | 9 | 4 | 4 |" in notes and "| m0 | 9 | 4 | 0 |" in notes and "rare" not in notes
    assert notes.count("| m") == 21 and "| ... |" in notes
