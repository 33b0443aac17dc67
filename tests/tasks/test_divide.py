"""The stage that divides: shards that resume, equal assignments for any cut into shards, names that no record has."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from factories import judged

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.storage import shards
from bitext_pivot.corpus.division import Division
from bitext_pivot.corpus.recipes.bisect import BISECT

if TYPE_CHECKING:
    from bitext_pivot.tasks.divide import DividedShards

RAIN = "It rained, so we stayed at home."
PAIRS = [
    judged(
        number,
        RAIN if number in (3, 8) else f"Sentence {word} is long.",
        f"{word} is short.",
        "It ends.",
        verdict,
    )
    for number, (word, verdict) in enumerate(
        [
            ("one", None),
            ("two", "verbs"),
            ("東京", None),
            ("four", None),
            ("fünf", None),
            ("six", None),
        ]
        * 2
    )
]


@pytest.fixture
def divide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Callable[..., DividedShards]":
    """Return a function that writes pairs in shards of some rows and divides them."""
    from bitext_pivot.tasks import divide as stage

    def divide(division: Division, rows: int = 5) -> "DividedShards":
        paths = []
        for start in range(0, len(PAIRS), rows):
            paths.append(tmp_path / "fr-en" / f"judged-{rows}" / f"Days-v1-{start:05d}.parquet")
            if not paths[-1].exists():
                shards.write(
                    paths[-1], JudgedPair, PAIRS[start : start + rows], {"before": {}, "skips": {}}
                )
        held_out = stage.hold_out(BISECT, paths, division, tmp_path / "fr-en")
        states: list[Any] = [stage.divide(path, BISECT, division, held_out) for path in paths]
        names.extend("Completed" if state.is_new else "Reused" for state in states)
        return stage.DividedShards(paths, [state.output for state in states])

    names: list[str] = []
    divide.names = names  # type: ignore[attr-defined]
    return divide


def assigned(divided: "DividedShards") -> list[tuple[str, str | None, str]]:
    """Return id, reason and set of each pair."""
    return [
        (one.pair.id, one.rejected_by or assignment.rejected_by, assignment.subset)
        for one, assignment in divided.read(BISECT, lambda rows: None)
    ]


def test_assignments_do_not_depend_on_the_cut_into_shards(
    divide: "Callable[..., DividedShards]", tmp_path: Path
) -> None:
    (tmp_path / "test.txt").write_text(f"A\n{RAIN}\n", encoding="utf-8")
    division = Division(validation=0.3, test=0.3, contamination=[tmp_path / "test.txt"])
    cuts = [divide(division, rows) for rows in (5, 12)]
    few, many = map(assigned, cuts)
    assert few == many
    assert [one for one, *_ in few] == [one.pair.id for one in PAIRS]
    assert [name for _, name, _ in few].count("in test.txt") == 2
    assert cuts[0].contamination() == cuts[1].contamination() != ""


def test_divided_shards_are_kept_until_what_made_them_changes(
    divide: "Callable[..., DividedShards]",
) -> None:
    first = divide(Division())
    times = [path.stat().st_mtime_ns for path in first.assignments]
    assert divide(Division()) == first
    assert [path.stat().st_mtime_ns for path in first.assignments] == times
    first.assignments[1].unlink()
    assert divide(Division()) == first
    assert divide.names == ["Completed"] * 3 + ["Reused"] * 3 + ["Reused", "Completed", "Reused"]  # type: ignore[attr-defined]
    assert not {*divide(Division(test=0.2)).assignments} & {*first.assignments}
    assert not {*divide(Division(), rows=6).assignments} & {*first.assignments}


def test_names_that_no_pair_has_are_reported(
    divide: "Callable[..., DividedShards]", tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    document = BISECT.records.item(PAIRS[0]).document
    (tmp_path / "dev.txt").write_text(f"{document}\nen/z.xml\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "test"):
        found = divide(Division(validation_documents=tmp_path / "dev.txt"))
    assert caplog.messages == ["The division names 1 documents without pairs: en/z.xml ..."]
    assert {subset for *_, subset in assigned(found)} == {"validation"}
