"""Targets: the key of a shard is that of its parts' values, and what of it changed is named."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Pair
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import shards
from bitext_pivot.filters.chain import Filters

ENGINE = "marian opus-mt-fr-en@371e9f1f1faf56f1 direction=fr-en beam=4"


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "fr-en"


def written(builds: Path, stage: str, source: str = "Tiny-v1", **parts: Any) -> Any:
    """Write a shard of a stage with its key, and return its target."""
    from bitext_pivot.tasks.run.targets import Stage

    target = Stage(stage, stage, parts).in_folder(builds, f"{source}-00000.parquet", {})
    if not target.path.exists():
        shards.write(target.path, Pair, [], target.facts())
    return target


@pytest.fixture
def changed(builds: Path, caplog: pytest.LogCaptureFixture) -> Callable[..., str]:
    """Build a shard and return the part of its key that is logged."""
    caplog.set_level(logging.INFO)

    def log(stage: str, **parts: Any) -> str:
        target = written(builds, stage, **parts)
        target.log_change()
        folder = target.path.parent.name
        return "".join(caplog.messages).removeprefix(f"{folder}: built again after a change of ")

    return log


def test_names_of_parts_do_not_enter_the_key(builds: Path) -> None:
    from bitext_pivot.tasks.run.targets import Stage

    shard = builds / "pairs-01234567" / "Tiny-v1-00000.parquet"
    target = Stage("parse", "parsed", {"parser": "spacy", "version": 3}).target(shard)
    assert target.path == builds / f"parsed-{key('pairs-01234567', 'spacy', 3)}" / shard.name


@given(st.lists(st.one_of(st.integers(), st.text(max_size=5), st.booleans()), max_size=5))
def test_every_key_is_that_of_the_values_in_order(values: list[Any]) -> None:
    from bitext_pivot.tasks.run.targets import Stage

    parts = {f"part {number}": value for number, value in enumerate(values)}
    target = Stage("pairs", "pairs", parts).in_folder(Path("fr-en"), "a.parquet", {})
    assert target.path.parent.name == f"pairs-{key(*values)}"


def strict(**names: Any) -> Filters:
    return Filters.model_validate({"advanced": {"names": names}})


CHANGES = [
    ({"filters": strict(max_changed=1)}, {"filters": strict(max_changed=0)}, "filters.advanced.names.max_changed"),
    ({"engine": "marian int8"}, {"engine": "echo"}, "engine"),
    ({"engine": "a b"}, {"engine": "b a"}, "engine"),
    ({"computed by": {"names": "names"}}, {"computed by": {"names": "names", "new": "new"}}, "computed by.new"),
    ({"extraction": {"max_links": None}}, {"extraction": {"max_links": 90}}, "extraction.max_links"),
    ({"files": ["a"]}, {"files": ["a", "b"]}, "files"),
    ({"input": "pairs-01234567"}, {"input": "pairs-89abcdef"}, "input"),
    ({"input": "pairs-01234567", "a": 1, "b": 1}, {"input": "pairs-89abcdef", "a": 1, "b": 2}, "b"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "part"), CHANGES)
def test_the_part_that_changed_is_named(
    old: dict[str, Any],
    new: dict[str, Any],
    part: str,
    builds: Path,
    changed: Callable[..., str],
) -> None:
    written(builds, "judged", **old)
    assert changed("judged", **new) == part


def test_shards_there_with_the_most_similar_key_are_compared(
    builds: Path, changed: Callable[..., str]
) -> None:
    written(builds, "scored", a=1, b=1, c=1)
    written(builds, "scored", a=1, b=1, c=2)
    written(builds, "scored", a=2, b=2, c=2)
    assert changed("scored", a=1, b=3, c=2) == "b"


@pytest.mark.parametrize("lost", ["stage", "source", "own", "damaged", "not the first"])
def test_shards_of_something_else_are_not_compared(
    lost: str, builds: Path, changed: Callable[..., str]
) -> None:
    stage = "parsed" if lost == "stage" else "scored"
    source = "Other-v1" if lost == "source" else "Tiny-v1"
    shard = written(builds, stage, source, a=1 if lost == "own" else 2).path
    if lost == "damaged":
        shard.write_bytes(shard.read_bytes()[:-1])
    if lost == "not the first":
        written(builds, "scored", "Other-v1", a=1)
    assert changed("scored", a=1) == ""
