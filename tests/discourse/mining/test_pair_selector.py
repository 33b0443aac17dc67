"""The choice among candidates: thresholds, reasons, variants and the report, on pairs that are made up."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from factories import source
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import MarkedPair
from bitext_pivot.discourse.mining.pair_selector import PairSelector
from bitext_pivot.discourse.mining.selection import SelectionSettings
from bitext_pivot.discourse.mining.variants import VARIANTS

WORDS = ["lamp", "door", "tree", "river", "stone", "bread", "wind", "horse", "table", "cloud"]
NUMBERS = {"but": 30, "however": 30, "sadly,": 30, "then,": 12, "oddly,": 3}


def marked(number: int, marker: str, rejected_by: str | None = None) -> MarkedPair:
    """`sadly,` is given away by words of the second sentence."""
    draw = random.Random(number)
    texts = [" ".join(draw.choices(WORDS, k=6)) for _ in range(2)]
    second = texts[1] + " weeping" * 6 * (marker == "sadly,")
    return MarkedPair(
        id=f"C/v1/en/d{number % 10}:{number}-{number + 1}", language="en", marker=marker, first=texts[0], second=second,
        found="adverb" if marker.endswith("y,") else "list", original=f"{marker} {second}",
        source=source("C", f"d{number % 10}"), positions=(number, number + 1), rejected_by=rejected_by,
    )  # fmt: skip


def pairs() -> list[MarkedPair]:
    markers = [marker for marker, number in NUMBERS.items() for _ in range(number)]
    random.Random(1).shuffle(markers)
    rows = [marked(number, marker) for number, marker in enumerate(markers)]
    return [*rows, marked(998, "oddly,", "length"), marked(999, "but", "few letters")]


def choice(**settings: Any) -> PairSelector:
    selection = SelectionSettings(
        **{"min_count": 10, "max_count": 25, "per_marker": 5, "control": {"top": 1}} | settings
    )
    return PairSelector(lambda: iter(pairs()), selection)


def test_every_pair_has_variants_or_a_reason() -> None:
    drawn = choice()
    decided = [drawn.decide(pair) for pair in pairs()]
    reasons = Counter(
        (row.pair.marker, row.rejected_by) for row in decided if row.rejected_by != "in no variant"
    )
    del (
        reasons["but", None],
        reasons["however", None],
        reasons["sadly,", None],
        reasons["then,", None],
    )
    assert reasons == {
        ("oddly,", "rare marker"): 3, ("oddly,", "length"): 1, ("but", "few letters"): 1,
        **{(name, "frequent marker, not drawn"): 5 for name in ("but", "however", "sadly,")},
    }  # fmt: skip
    assert all(bool(row.variants) == (row.rejected_by is None) for row in decided)
    assert {row.rank is None for row in decided if row.rejected_by == "rare marker"} == {True}


def test_a_marker_given_away_by_words_is_not_hard() -> None:
    numbers = Counter(
        (name, row.pair.marker) for row in map(choice().decide, pairs()) for name in row.variants
    )
    frequent = [name for name, number in NUMBERS.items() if number >= 10 and name != "sadly,"]
    assert [numbers["hard", name] for name in frequent] == [5, 5, 5]
    assert not [name for name in VARIANTS if numbers[name, "sadly,"]]  # its pairs are all predicted


def test_report() -> None:
    report = choice().report()
    markers = report["markers"]
    assert {name: row["pairs"] for name, row in markers.items()} == NUMBERS
    assert [markers[name].get("drawn") for name in NUMBERS] == [25, 25, 25, 12, None]
    assert markers["sadly,"]["predicted"] > 20 and markers["then,"]["base"] == 5
    assert report["control"]["pairs"] == 87 and report["control"]["majority"] == pytest.approx(
        25 / 87
    )
    assert 0.3 < report["control"]["accuracy"] < 0.7


@pytest.mark.parametrize("settings", [{"min_count": 31}, {"per_marker": 26}])
def test_too_few(settings: dict[str, Any], golden: Golden) -> None:
    with golden.refused(SettingsError):
        choice(**settings)


def test_the_value_that_is_named_is_the_highest_that_works() -> None:
    with pytest.raises(SettingsError, match="Set selection.per_marker to ") as refused:
        choice(per_marker=26)
    most = int(str(refused.value).partition("per_marker to ")[2].partition(" ")[0])
    assert choice(per_marker=most).report()
    with pytest.raises(SettingsError, match=f"per_marker to {most} "):
        choice(per_marker=most + 1)


def test_no_value_is_named_where_all_markers_are_predicted() -> None:
    with pytest.raises(SettingsError, match=r"control.top\). .* Lower these settings or name"):
        choice(control={"top": 5})


def test_nothing_at_all() -> None:
    def read() -> Iterator[MarkedPair]:
        return iter(())

    with pytest.raises(SettingsError, match="markers: none. Lower these settings or name"):
        PairSelector(read, SelectionSettings())
