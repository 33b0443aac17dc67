"""The formats chat and preference: lines, sets, counts, and that `datasets` loads them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factories import assigned, judged

from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus.data_set_export import export_records
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.division import Assignment
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas

LONG = "It rained, so we stayed."
KEPT = judged(1, LONG, "It rained.", "We stayed.")
OTHER = judged(2, "Snow fell \u2028 and\nstayed.", "Snow fell.", "It stayed.")


def rejected(number: int, first: str, reason: str = "overlap", long: str = LONG) -> JudgedPair:
    return judged(number, long, first, "We stayed.", rejected_by=reason)


def write(
    folder: Path, records: list[tuple[JudgedPair, Assignment]], **settings: Any
) -> tuple[DataSetFiles, Any]:
    """Write pairs in the formats chat and preference; return the files and what was counted."""
    form = PairExportSettings.model_validate(
        {"formats": ["parquet", "chat", "preference"], **settings}
    )
    files = DataSetFiles(folder, form, schemas(BISECT.rows.classes, ("overlap", "bertscore")))
    return files, export_records(files, BISECT, records)


def lines(path: Path) -> list[dict[str, Any]]:
    return [parse_json(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answers(row: dict[str, Any], part: str) -> list[str]:
    return [message["content"] for message in row[part]]


def test_a_conversation_is_a_question_and_an_answer(tmp_path: Path) -> None:
    records = assigned([KEPT, rejected(3, "Rain."), OTHER], ["train", "train", "test"])
    files, counts = write(tmp_path, records, instruction="Split:")
    (row,) = lines(tmp_path / "chat" / "train-00000.jsonl")
    assert row == {
        "messages": [
            {"role": "user", "content": f"Split:\n\n{LONG}"},
            {"role": "assistant", "content": "It rained. We stayed."},
        ],
        "id": KEPT.pair.id,
        "licence": "CC0-1.0",
    }
    (row,) = lines(tmp_path / "chat" / "test-00000.jsonl")
    assert row["messages"][0]["content"] == f"Split:\n\n{OTHER.pair.long}"
    assert counts.below("kinds") == {"pairs": 2, "rejected": 1, "chat": 2, "preference": 1}
    assert files.rows["chat/train-00000.jsonl"] == 1 and not counts.below("skipped")


def test_without_an_instruction_the_question_is_the_sentence(tmp_path: Path) -> None:
    write(tmp_path, assigned([KEPT]), instruction="")
    (row,) = lines(tmp_path / "chat" / "train-00000.jsonl")
    assert answers(row, "messages")[0] == LONG


def test_a_rejected_split_of_the_same_sentence_is_the_other_answer_with_its_reason(
    tmp_path: Path,
) -> None:
    records = assigned([rejected(3, "Rain.", "meaning"), OTHER, KEPT], ["train", "train", "test"])
    write(tmp_path, records)
    assert [path.name for path in (tmp_path / "preference").iterdir()] == ["test-00000.jsonl"]
    (row,) = lines(tmp_path / "preference" / "test-00000.jsonl")
    assert answers(row, "chosen") == ["It rained. We stayed."]
    assert answers(row, "rejected") == ["Rain. We stayed."]
    assert row["prompt"][0]["content"].endswith(LONG)
    assert (row["rejected_by"], row["id"]) == ("meaning", KEPT.pair.id)
    assert row["rejected_id"] == "Everyday/v1/en-fr:3"


@pytest.mark.parametrize(("others", "expected"), [
    ([], []),
    ([rejected(3, "Rain.")], ["Rain."]),
    ([rejected(3, "Rain."), rejected(4, "Rain.")], ["Rain."]),
    ([rejected(3, "Rain."), rejected(4, "Water.")], ["Rain.", "Water."]),
    ([rejected(3, "It rained.")], []),
    ([rejected(3, "Rain.", long=LONG.lower())], []),
    ([rejected(3, "Rain.", long=f"{LONG} ")], []),
], ids=["none", "one", "twice", "two", "the kept one", "other case", "a space more"])  # fmt: skip
def test_each_other_split_is_there_once(
    others: list[JudgedPair], expected: list[str], tmp_path: Path
) -> None:
    _, counts = write(tmp_path, assigned([KEPT, *others]))
    path = tmp_path / "preference" / "train-00000.jsonl"
    rows = lines(path) if path.exists() else []
    assert [answers(row, "rejected")[0].split(" We")[0] for row in rows] == expected
    assert counts["kinds", "preference"] == len(expected)


def test_each_kept_split_is_preferred_and_none_is_the_worse_one(tmp_path: Path) -> None:
    second = judged(5, LONG, "Rain fell.", "We stayed.")
    write(tmp_path, assigned([KEPT, second, rejected(6, "Rain."), rejected(7, "Rain fell.")]))
    rows = lines(tmp_path / "preference" / "train-00000.jsonl")
    assert [answers(row, "chosen")[0] for row in rows] == [
        "It rained. We stayed.",
        "Rain fell. We stayed.",
    ]
    assert {answers(row, "rejected")[0] for row in rows} == {"Rain. We stayed."}


def test_what_the_division_rejects_is_neither_better_nor_worse(tmp_path: Path) -> None:
    duplicate = Assignment(subset="train", rejected_by="duplicate of test")
    again = replace(judged(8, LONG, "Rain.", "We stayed."))
    _, counts = write(tmp_path, [(KEPT, Assignment(subset="test")), (again, duplicate)])
    assert counts["kinds", "preference"] == 0
    _, counts = write(
        tmp_path / "b", [(again, duplicate), (rejected(9, "Water."), Assignment(subset="train"))]
    )
    assert counts["kinds", "preference"] == 0


def test_a_format_of_lines_is_made_of_rows_not_of_other_lines(tmp_path: Path) -> None:
    files, _ = write(tmp_path, assigned([KEPT]), formats=["chat", "bisect", "jsonl"])
    names = [f"pairs/train-00000.{ending}" for ending in ("dst", "jsonl", "src")]
    assert sorted(files.rows) == ["chat/train-00000.jsonl", *names]
