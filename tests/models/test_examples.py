"""Rows of files and data sets as examples: every format, what is skipped and why, what leaks."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.models import data, files
from bitext_pivot.models.data import Example
from bitext_pivot.models.settings import Task

RELATIONS = """doc\tunit1_txt\tunit2_txt\trel_type\tlabel
d1\tIt rained .\tWe stayed .\timplicit\tcause
d1\tIt rained .\tSo we stayed .\texplicit\tcause
d2\t____ __\t_ ____\timplicit\tcause
d2\tIt rained .\tWe stayed .\timplicit\tcause\t9\t9
"""
FUSED = """coherent_first_sentence\tcoherent_second_sentence\tincoherent_first_sentence\tincoherent_second_sentence\t\
discourse_type
It rained , so we stayed .\t\tIt rained .\tWe stayed .\tSINGLE_S_COORD
It rained .\tSo we stayed .\tIt rained .\tWe stayed .\tPAIR_CONN
"""
PAIR = "It rained , so we stayed .", "It rained . <SEP> We stayed ."


def examples(path: Path, task: Task) -> tuple[list[tuple[str, ...]], Counter[str]]:
    skips = Counter[str]()
    found = data.examples(files.rows(path, task, skips), task, skips, licence="CC0-1.0")
    return [(row.source, row.second, row.target, row.label, row.group) for row in found], skips


@pytest.mark.parametrize(
    ("name", "task", "text", "expected", "skipped"),
    [
        ("a.tsv", "split", "\t".join(PAIR), [(PAIR[0], "", PAIR[1], "", "")], {}),
        ("a.tsv", "split", "\t".join(PAIR).replace("<SEP>", "<::::>"), [(PAIR[0], "", PAIR[1], "", "")], {}),
        ("a.tsv", "split", "no tab", [], {"no tab between the long sentence and its two sentences": 1}),
        ("a.tsv", "split", "one\tone . <SEP> two . <SEP> three .", [], {"not two sentences": 1}),
        ("a.jsonl", "split", '{"long": "a b", "split": ["a", "b"]}\nx', [("a b", "", "a <SEP> b", "", "")],
         {"not JSON": 1}),
        ("a.tsv", "split", FUSED, [(PAIR[0], "", PAIR[1], "", "")], {"a text of two sentences": 1}),
        ("a.tsv", "fuse", FUSED, [
            ("It rained . We stayed .", "", PAIR[0], "", "SINGLE_S_COORD"),
            ("It rained . We stayed .", "", "It rained . So we stayed .", "", "PAIR_CONN"),
        ], {}),
        ("a.tsv", "markers", "sentence1\tsentence2\tlabel\na\tb\tsadly,", [("a", "b", "", "sadly,", "")], {}),
        ("a.tsv", "markers", "a\tb\tsadly,\n1\t2\tx", [("a", "b", "", "sadly,", "")], {"first without a letter": 1}),
        ("a.rels", "relations", RELATIONS, [("It rained .", "We stayed .", "", "cause", "")],
         {"no implicit relation": 1, "first without a letter": 1, "another number of columns than the header": 1}),
    ],
)  # fmt: skip
def test_every_format_becomes_examples(
    tmp_path: Path, name: str, task: Task, text: str, expected: list[tuple[str, ...]], skipped: dict[str, int]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert examples(tmp_path / name, task) == (expected, skipped)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert examples(tmp_path / f"{name}.gz", task) == (expected, skipped)


def test_sources_and_targets_in_two_files(tmp_path: Path) -> None:
    for side, text in zip(("src", "dst"), PAIR, strict=True):
        (tmp_path / f"train.{side}").write_text(f"{text}\n", encoding="utf-8")
    assert examples(tmp_path / "train.src", "split")[0] == [(PAIR[0], "", PAIR[1], "", "")]
    (tmp_path / "train.dst").write_text("", encoding="utf-8")
    assert examples(tmp_path / "train.src", "split") == ([], {"not two sentences": 1})


@pytest.mark.parametrize("content", [b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    if content:
        (tmp_path / "a.tsv").write_bytes(content)
    with pytest.raises(SettingsError, match=r"a\.tsv cannot be read"):
        examples(tmp_path / "a.tsv", "split")


def test_a_row_with_a_category_gets_the_hybrid_target() -> None:
    row = {"long": "It rained, so we all stayed.", "split": ["It poured.", "We stayed."], "split_at": 11}
    row["category_bisect"] = "Direct Insertion"
    losses: tuple[data.Loss, ...] = ("plain", "targets", "adaptive")
    plain, targets, adaptive = (next(data.examples([row], "split", Counter(), loss=loss)) for loss in losses)
    assert (plain.target, plain.label) == ("It poured. <SEP> We stayed.", "Direct Insertion")
    assert adaptive.target == targets.target == "It rained. <SEP> So we all stayed."
    assert data.without_leaks([adaptive], ["It poured. We stayed."], Counter()) == []  # the row's own text counts


def test_rows_that_a_test_set_has_are_left_out() -> None:
    rows = [Example(id="1", source="It's  late.", target="x", licence=""), Example(id="2", source="b", target="B!",
            licence=""), Example(id="3", source="c", target="d", licence="")]  # fmt: skip
    skips = Counter[str]()
    assert [row.id for row in data.without_leaks(rows, ["its LATE", "b <SEP>", "..."], skips)] == ["3"]
    assert skips == {"in a test set": 2}


def test_about_one_row_in_fifty_is_for_validation() -> None:
    drawn = sum(data.for_validation(Example(id=str(row), source="", licence="")) for row in range(5_000))
    assert 70 < drawn < 130
