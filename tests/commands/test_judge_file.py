"""Judged pairs: one row for each row of the file, in the format that the output's name says."""

import csv
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from bitext_pivot.commands.judge_file import judge_file, warn_of_language
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.parsing import SpacyPipeline

PAIRS = (
    "long,s1,s2\n"
    '"The cat slept, and the dog ran.",The cat slept.,The dog ran.\n'
    "The cat slept.,,\n"
    '"The cat ""slept"", and the dog ran.","The cat ""slept"".",The dog ran.\n'
)


def read_csv(path: Path) -> list[dict[str, Any]]:
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    return [
        row | {"split": row["split"].split(" <SEP> ") if row["split"] else None} for row in rows
    ]


READERS: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "out.jsonl": lambda path: list(map(json.loads, path.read_text(encoding="utf-8").splitlines())),
    "out.csv": read_csv,
    "out.parquet": lambda path: pq.read_table(path).to_pylist(),
}


@pytest.mark.parametrize("name", READERS)
def test_the_ending_of_the_output_chooses_its_format(
    name: str, pipeline: SpacyPipeline, tmp_path: Path
) -> None:
    path, out = tmp_path / "pairs.csv", tmp_path / name
    path.write_text(PAIRS, encoding="utf-8")
    verdicts = judge_file(
        read_pairs(path, "en"),
        out,
        filters=Filters.model_validate({"preset": "rules"}),
        pipeline=pipeline,
        runtime=Runtime.of(Site(device="cpu")),
    )
    rows: list[dict[str, Any]] = READERS[name](out)
    assert [int(row["line"]) for row in rows] == [2, 3, 4] and verdicts.total() == 3
    assert [row.get("rejected_by") == "unreadable" for row in rows] == [False, True, False]
    assert rows[1]["problem"] == "first half is empty"
    assert rows[2]["long"] == 'The cat "slept", and the dog ran.'
    assert rows[2]["split"] == ['The cat "slept".', "The dog ran."]
    again = [line.pair and line.pair.texts for line in read_pairs(out, "en")]
    assert again == [line.pair and line.pair.texts for line in read_pairs(path, "en")]


def test_pairs_in_another_language_are_named_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "Il pleuvait toute la journée, donc nous sommes restés.\tIl pleuvait toute la journée.\t"
        "Nous sommes donc restés à la maison.\n" * 3,
        encoding="utf-8",
    )
    with caplog.at_level(logging.WARNING):
        lines = list(warn_of_language(read_pairs(path, "fr"), "fr", "pairs.tsv"))
        assert not caplog.messages and len(lines) == 3
        lines = list(warn_of_language(read_pairs(path, "en"), "en", "pairs.tsv"))
    (message,) = caplog.messages
    assert "--language fr" in message and len(lines) == 3
