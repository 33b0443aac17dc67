"""Targets: the key of a shard is that of its parts' values, and what of it changed is named."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.settings import key
from bitext_pivot.filters.chain import Filters

ENGINE = "marian opus-mt-fr-en@371e9f1f1faf56f1 direction=fr-en beam=4"


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "fr-en"


def written(builds: Path, stage: str, source: str = "Tiny-v1", **parts: Any) -> Path:
    """Write a shard of a stage with its key, and return it."""
    from bitext_pivot.tasks.run.targets import Target

    target = Target.in_folder(builds, stage, f"{source}-00000.parquet", parts)
    target.path.parent.mkdir(parents=True, exist_ok=True)
    target.path.touch()
    target.record()
    return target.path


def change(builds: Path, stage: str, **parts: Any) -> Any:
    from bitext_pivot.tasks.run import targets

    return targets.change(
        targets.Target.in_folder(builds, stage, "Tiny-v1-00000.parquet", parts), "Tiny-v1"
    )


def test_names_of_parts_do_not_enter_the_key(builds: Path) -> None:
    from bitext_pivot.tasks.run.targets import Stage

    shard = builds / "pairs-01234567" / "Tiny-v1-00000.parquet"
    target = Stage("parse", "parsed", {"parser": "spacy", "version": 3}).target(shard)
    assert target.path == builds / f"parsed-{key('pairs-01234567', 'spacy', 3)}" / shard.name


@given(st.lists(st.one_of(st.integers(), st.text(max_size=5), st.booleans()), max_size=5))
def test_every_key_is_that_of_the_values_in_order(values: list[Any]) -> None:
    from bitext_pivot.tasks.run.targets import Target

    parts = {f"part {number}": value for number, value in enumerate(values)}
    target = Target.in_folder(Path("fr-en"), "pairs", "a.parquet", parts)
    assert target.path.parent.name == f"pairs-{key(*values)}"


def strict(**names: Any) -> Filters:
    return Filters.model_validate({"advanced": {"names": names}})


CHANGES = [
    ({"filters": strict(max_changed=1)}, {"filters": strict(max_changed=0)},
     ["filters.advanced.names.max_changed: 1 -> 0"]),
    ({"filters": strict()}, {"filters": Filters(preset="rules")}, ["filters.preset: strict -> rules"]),
    ({"engine": ENGINE}, {"engine": ENGINE.replace("371e9f1f1faf56f1", "0123")},
     ["engine: opus-mt-fr-en@371e9f1f1faf56f1 -> opus-mt-fr-en@0123"]),
    ({"engine": ENGINE}, {"engine": f"{ENGINE} int8"}, ["engine: nothing -> int8"]),
    ({"engine": f"{ENGINE} int8"}, {"engine": ENGINE}, ["engine: int8 -> nothing"]),
    ({"engine": ENGINE}, {"engine": "apertium fra-eng"}, [f"engine: {ENGINE} -> apertium fra-eng"]),
    ({"engine": f"{ENGINE} int8"}, {"engine": "echo"}, [f"engine: {ENGINE[:57]}... -> echo"]),
    ({"parser": "spacy 3.8.18 en_core_web_sm 3.8.0"}, {"parser": "spacy 3.8.19 en_core_web_sm 3.8.0"},
     ["parser: 3.8.18 -> 3.8.19"]),
    ({"version of the labels": 3}, {"version of the labels": 4}, ["version of the labels: 3 -> 4"]),
    ({"computed by": {"names": "names", "old": "old"}}, {"computed by": {"names": "names 2", "new": "new"}},
     ["computed by.names: nothing -> 2", "computed by.new: not there before", "computed by.old: there before"]),
    ({"extraction": {"max_links": None}}, {"extraction": {"max_links": 90}}, ["extraction.max_links: null -> 90"]),
    ({"files": ["a"]}, {"files": ["a", "b"]}, ['files: ["a"] -> ["a", "b"]']),
    ({"records": ["judged-01234567/a.parquet"]}, {"records": ["judged-89abcdef/a.parquet"]},
     ["records: other shards"]),
    ({"input": "pairs-01234567"}, {"input": "pairs-89abcdef"}, ["input: other shards of pairs"]),
    ({"held out": "held-out-01234567"}, {"held out": "held-out-89abcdef"},
     ["held out: held-out-01234567 -> held-out-89abcdef"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "changes"), CHANGES)
def test_what_changed_is_named(
    old: dict[str, Any], new: dict[str, Any], changes: list[str], builds: Path
) -> None:
    there = written(builds, "judged", **old)
    found = change(builds, "judged", **new)
    assert (found.against, found.changes) == (there.parent.name, changes)


def test_equal_words_in_another_order_are_a_change(builds: Path) -> None:
    written(builds, "judged", engine="a b")
    assert change(builds, "judged", engine="b a").changes == ["engine: a b -> b a"]


def test_shards_there_with_the_most_similar_key_are_compared(builds: Path) -> None:
    written(builds, "scored", a=1, b=1, c=1)
    near = written(builds, "scored", a=1, b=1, c=2)
    written(builds, "scored", a=2, b=2, c=2)
    assert change(builds, "scored", a=1, b=3, c=2).against == near.parent.name


@pytest.mark.parametrize("lost", ["stage", "source", "own"])
def test_shards_of_something_else_are_not_compared(lost: str, builds: Path) -> None:
    stage = "parsed" if lost == "stage" else "scored"
    source = "Other-v1" if lost == "source" else "Tiny-v1"
    written(builds, stage, source, a=1 if lost == "own" else 2)
    assert change(builds, "scored", a=1) is None


def test_shards_of_an_earlier_version_are_named_only_without_others(builds: Path) -> None:
    from bitext_pivot.tasks.run.targets import NAME

    old = written(builds, "scored", a=1)
    old.with_name(NAME).unlink()
    found = change(builds, "scored", a=3)
    assert (found.against, str(found)) == (
        old.parent.name,
        "unknown: an earlier version built these shards",
    )
    new = written(builds, "scored", a=2, b=2, c=2)
    assert change(builds, "scored", a=3).against == new.parent.name


def test_a_folder_in_a_key_is_compared_by_its_own_key(builds: Path) -> None:
    one = written(builds, "held-out", "texts", division={"test": 0.05}).parent.name
    two = written(builds, "held-out", "texts", division={"test": 0.1}).parent.name
    written(builds, "divided", **{"held out": one})
    assert change(builds, "divided", **{"held out": two}).changes == [
        "held out.division.test: 0.05 -> 0.1"
    ]


def test_many_changes_are_counted(builds: Path) -> None:
    parts: dict[str, Any] = {f"p{number}": 1 for number in range(8)}
    written(builds, "scored", **parts)
    text = str(change(builds, "scored", **{name: 2 for name in parts}))
    assert text.splitlines()[-2:] == ["p4: 1 -> 2", "and 3 more"]
