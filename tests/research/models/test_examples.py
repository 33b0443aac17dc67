"""Rows of files and data sets as examples: every format, what is skipped and why, what leaks."""

import gzip
import json
import lzma
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.research.models import data, published_files
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.training_settings import Task

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
    found = data.examples(published_files.rows(path, task, skips), task, skips, licence="CC0-1.0")
    return [(row.source, row.second, row.target, row.label, row.group) for row in found], skips


@pytest.mark.parametrize(
    ("name", "task", "text", "expected", "skipped"),
    [
        ("a.tsv", "split", "\t".join(PAIR), [(PAIR[0], "", PAIR[1], "", "")], {}),
        ("a.tsv", "split", "\t".join(PAIR).replace("<SEP>", "<::::>"), [(PAIR[0], "", PAIR[1], "", "")], {}),
        ("a.tsv", "split", "no tab", [],
         {"no tab between the long sentence and its split": 1}),
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
         {"no implicit relation": 1, "first without a letter": 1, "another number of cells than the header": 1}),
        ("a.tsv", "entailment", "premise\thypothesis\tlabel\tsource\na\tb\te\tx\na\tb\tX\tx\na\tb\t0\tx\na\t1\te\tx",
         [("a", "b", "", "entailment", ""), ("a", "b", "", "not_entailment", "")],
         {"no label of entailment": 1, "hypothesis without a letter": 1}),
        ("a.tsv", "entailment", "a\tb\tneutral", [("a", "b", "", "neutral", "")], {}),
        ("a.tsv", "entailment", "sentence1\tsentence2\tlabel\na\tb\tno", [("a", "b", "", "not_entailment", "")], {}),
        ("a.jsonl", "entailment", '{"sentence1": "a", "sentence2": "b", "gold_label": "contradiction", "label": "x"}\n'
         '{"sentence1": "a", "sentence2": "b", "gold_label": "-"}\n{"premise": "a", "hypothesis": "b", "label": 0}',
         [("a", "b", "", "contradiction", "")], {"no label of entailment": 1, "label is not a text": 1}),
    ],
)  # fmt: skip
def test_every_format_becomes_examples(
    tmp_path: Path,
    name: str,
    task: Task,
    text: str,
    expected: list[tuple[str, ...]],
    skipped: dict[str, int],
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


def test_a_row_with_a_category_gets_the_hybrid_target() -> None:
    row = {
        "long": "It rained, so we all stayed.",
        "split": ["It poured.", "We stayed."],
        "split_at": 11,
    }
    row["category_bisect"] = "Direct Insertion"
    losses: tuple[data.Loss, ...] = ("plain", "targets", "adaptive")
    plain, targets, adaptive = (
        next(data.examples([row], "split", Counter(), loss=loss)) for loss in losses
    )
    assert (plain.target, plain.label) == ("It poured. <SEP> We stayed.", "Direct Insertion")
    assert adaptive.target == targets.target == "It rained. <SEP> So we all stayed."
    # The row's own text counts.
    assert data.without_leaks([adaptive], data.held_out(["It poured. We stayed."]), Counter()) == []


def test_rows_that_a_test_set_has_are_left_out() -> None:
    texts = [("It's  late.", "x"), ("b", "B!"), ("c", "d")]
    rows = [
        TrainingExample(id=str(number), source=source, target=target, licence="")
        for number, (source, target) in enumerate(texts, 1)
    ]
    skips = Counter[str]()
    assert [
        row.id
        for row in data.without_leaks(rows, data.held_out(["its LATE", "b <SEP>", "..."]), skips)
    ] == ["3"]
    assert skips == {"in a test set": 2}


LONG = (
    "The old mayor of the town saw ten white horses on the hill, and the crowd cheered for a while."
)
NEAR = [
    LONG.replace("ten", "nine"),
    LONG.upper(),
    LONG.replace("town", "ｔｏｗｎ"),
    LONG.replace("hill,", "hill <SEP>"),
    f"Yesterday {LONG}",
]
FAR = ["The old mayor of the town left.", "Ten white horses ran.", "The crowd cheered for a while."]


@pytest.mark.parametrize("text", NEAR)
def test_a_row_that_is_nearly_in_a_test_set_is_left_out(text: str) -> None:
    row = TrainingExample(id="1", source=text, target="A. <SEP> B.", licence="")
    skips = Counter[str]()
    assert data.without_leaks([row], data.held_out([LONG]), skips) == []
    assert skips.total() == 1 and all("in a test set" in reason for reason in skips)
    pair = TrainingExample(id="2", source=text[:40], second=text[40:], label="so", licence="")
    assert data.without_leaks([pair], data.held_out([LONG]), skips) == []


@pytest.mark.parametrize("text", FAR)
def test_a_row_that_shares_a_part_is_trained_on(text: str) -> None:
    row = TrainingExample(id="1", source=text, target="A. <SEP> B.", licence="")
    assert data.without_leaks([row], data.held_out([LONG]), Counter()) == [row]


def test_about_one_row_in_fifty_is_for_validation() -> None:
    drawn = sum(
        data.is_for_validation(TrainingExample(id=str(row), source="", licence=""))
        for row in range(5_000)
    )
    assert 70 < drawn < 130


ROW = {
    "long": "a b",
    "split": ["a", "b"],
    "first": "a",
    "second": "b",
    "marker": "so",
    "sense": "cause",
}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
)
COLUMNS = [
    *ROW,
    "text",
    "id",
    "licence",
    "category_bisect",
    "split_at",
    "discourse_type",
    "premise",
    "label",
]


@given(
    st.dictionaries(st.sampled_from(COLUMNS), VALUES),
    st.sampled_from(["split", "fuse", "markers", "relations", "entailment"]),
)
def test_every_row_is_an_example_or_counted(row: dict[str, object], task: Task) -> None:
    skips = Counter[str]()
    found = list(
        data.examples(
            [{**ROW, **row}], task, skips, loss="adaptive" if task == "split" else "plain"
        )
    )
    assert len(found) + skips.total() == 1
    for example in found:
        text = "".join(
            (
                example.id,
                example.source,
                example.second,
                example.target,
                example.label,
                example.licence,
            )
        )
        assert text.encode() and len(text.splitlines()) <= 1


def test_lines_of_json_that_are_none_are_counted(tmp_path: Path) -> None:
    good = json.dumps(ROW)
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        f"{good}\n{'[' * 100_000}\n[1]\n{good}\n".encode()
        + b'{"long": "caf\xe9"}\n'
        + "é\né\n".encode()
    )
    found, skips = examples(path, "split")
    assert len(found) == 2
    assert skips == {"not JSON": 3, "no JSON object": 1, "not UTF-8": 1}


@pytest.mark.parametrize("name", ["a.json", "a.JSON", "a.ndjson.xz", "a.jsonl.gz"])
def test_arrays_and_other_endings(tmp_path: Path, name: str) -> None:
    text = (
        json.dumps([ROW, ROW, 5], indent=1)
        if name.lower().endswith(".json")
        else f"{json.dumps(ROW)}\r" * 2 + "5\r"
    )
    compressions: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
    compress = compressions.get(Path(name).suffix, bytes)
    (tmp_path / name).write_bytes(compress(text.encode()))
    assert examples(tmp_path / name, "split") == (
        [("a b", "", "a <SEP> b", "", "")] * 2,
        {"no JSON object": 1},
    )


@pytest.mark.parametrize("header", ["unit1_txt\tunit2_txt\tlabel", "sentence1\tsentence2\tmarker"])
def test_a_header_without_a_column_is_refused(tmp_path: Path, header: str, golden: Golden) -> None:
    (tmp_path / "a.tsv").write_text(f"{header}\na\tb\tc\n", encoding="utf-8")
    with golden.refused(SettingsError):
        examples(tmp_path / "a.tsv", "markers")


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("rows.csv", {"long": "complex", "s1": "a", "s2": "b"}),
        ("rows.jsonl", {"long": "complex", "s1": "a", "s2": "b"}),
        ("saved", {"long": "complex", "s1": "a", "s2": "b"}),
    ],
)
def test_columns_with_other_names_are_rows_to_train_on(
    name: str, columns: dict[str, str], tmp_path: Path
) -> None:
    import datasets
    import pandas

    from bitext_pivot.core.site import Site
    from bitext_pivot.flows.train_settings import TrainModel
    from bitext_pivot.research.tasks.training_examples import digest, read

    halves = [{"complex": f"I sing {n}.", "a": f"I {n}.", "b": "Sing."} for n in "pqrstuvw"]
    path = tmp_path / name
    if name == "saved":
        datasets.Dataset.from_list(halves).save_to_disk(path)
    elif name == "rows.csv":
        pandas.DataFrame(halves).to_csv(path, index=False)
    else:
        pandas.DataFrame(halves).to_json(path, orient="records", lines=True)
    form = TrainModel.model_validate({"task": "split", "data": [str(path)], "columns": columns})
    _, parts = read(form, Site(), Counter())
    found = sorted(example.target for example in (*parts.train, *parts.validation))
    assert found == [f"I {n}. <SEP> Sing." for n in "pqrstuvw"]
    assert len(digest(path)) == 64
