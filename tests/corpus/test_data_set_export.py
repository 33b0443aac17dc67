"""The files of a data set: what a row holds, which files there are, what each format leaves out."""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from factories import assigned, judged
from pydantic import ValidationError

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus import trust as ranks
from bitext_pivot.corpus.data_set_export import ExampleSample, export_records, rank_kept_records
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.division import Assignment
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.recipe import add_rest_kind
from bitext_pivot.corpus.recipes.bisect import BISECT, SplitRow, row
from bitext_pivot.corpus.schema import schemas

SCORES = ("overlap", "bertscore", "verbs")
PAIRS = [
    judged(1, "It rained, so we stayed.", "It rained.", "We stayed."),
    judged(2, "Le café — naïve 🐱 e\u0301t\u2028é.", "Le café.", "Naïve."),
    judged(3, "Nothing in common.", "A.", "B.", rejected_by="overlap"),
    judged(4, "It says <SEP> itself.", "It says.", "Itself."),
    judged(5, "雨 が 降り\t家 に いた。", "雨が降った。", "家に <::::> いた。"),
]
FULL = [
    f"{kind}/train-00000.{ending}"
    for kind in ("pairs", "rejected")
    for ending in ("jsonl", "parquet")
]


def write(folder: Path, pairs: Iterable[JudgedPair] = PAIRS, **settings: Any) -> DataSetFiles:
    """Write pairs with settings of the export; return the files."""
    files = DataSetFiles(
        folder, PairExportSettings.model_validate(settings), schemas(BISECT.rows.classes, SCORES)
    )
    export_records(files, BISECT, ((pair, Assignment(subset="train")) for pair in pairs))
    return files


def names(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_a_row_has_the_pair_and_its_source() -> None:
    assert row(PAIRS[0]) == {
        "id": "Everyday/v1/en-fr:1",
        "language": "en",
        "long": "It rained, so we stayed.",
        "split": ["It rained.", "We stayed."],
        "category": "Direct Insertion",
        "category_bisect": "Changes Near Split",
        "construction": "other",
        "split_at": 11,
        "trust": None,
        "pivot": "fr",
        "translated": "split",
        "foreign": ["Un.", "Deux."],
        "engine": "echo",
        "corpus": "Everyday",
        "release": "v1",
        "licence": "CC0-1.0",
        "document": "en/a.xml",
        "foreign_document": "fr/a.xml",
        "sentence_ids": ["4"],
        "foreign_sentence_ids": ["5", "6"],
        "link": [],
        "scores": {"bertscore": 0.9, "overlap": 0.512346},
    }


def with_pair(one: JudgedPair, **changes: Any) -> JudgedPair:
    pair = replace(one.pair, **changes)
    return replace(one, scored=replace(one.scored, parsed=replace(one.scored.parsed, pair=pair)))


def test_the_original_is_one_sentence_if_long_was_translated() -> None:
    assert PAIRS[0].pair.alignment is not None
    alignment = replace(
        PAIRS[0].pair.alignment,
        one_language="fr",
        two_language="en",
        attributes={"certainty": "0.7"},
    )
    found = row(with_pair(PAIRS[0], translated="long", alignment=alignment))
    assert found["foreign"] == ["It rained, so we stayed."]
    assert (found["document"], found["sentence_ids"]) == ("fr/a.xml", ["5", "6"])
    assert (found["foreign_document"], found["foreign_sentence_ids"]) == ("en/a.xml", ["4"])
    assert found["link"] == [{"name": "certainty", "value": "0.7"}]


def test_an_existing_pair_has_the_same_columns_without_a_source() -> None:
    found = row(with_pair(PAIRS[0], pivot=None, translated=None, engine=None, alignment=None))
    assert found.keys() == row(PAIRS[0]).keys() == SplitRow.__annotations__.keys()
    assert (found["corpus"], found["foreign"], found["link"]) == (None, [], [])


class Seen:
    def __init__(self) -> None:
        self.records: list[Any] = []

    def add(self, record: Any, row: Any, rejected_by: str | None) -> None:
        self.records.append((record, row["id"], rejected_by))


def test_watchers_get_every_record_row_and_verdict(tmp_path: Path) -> None:
    seen, rejection = Seen(), Assignment(subset="test", rejected_by="duplicate of test")
    counts = export_records(DataSetFiles(tmp_path, PairExportSettings(), schemas(BISECT.rows.classes, SCORES)), BISECT,
                    [*assigned(PAIRS[:3]), (PAIRS[3], rejection)], seen)  # fmt: skip
    verdicts = [None, None, "overlap", "duplicate of test"]
    assert seen.records == [
        (one, one.pair.id, verdict) for one, verdict in zip(PAIRS, verdicts, strict=False)
    ]
    assert (counts["rejected", "overlap"], counts["divided", "duplicate of test"]) == (1, 1)
    assert counts.below("subset") == {"train": 2} and counts.below("kinds") == {
        "pairs": 2,
        "rejected": 2,
    }
    assert counts.nested()["verdicts"] == {
        "Everyday/v1": {"kept": 2, "overlap": 1, "duplicate of test": 1}
    }


def test_of_equal_pairs_of_several_corpora_the_first_kept_one_is_a_row(tmp_path: Path) -> None:
    texts = ("It rained, so we stayed.", "It rained.", "We stayed.")
    pairs = [
        judged(1, *texts, rejected_by="overlap"),
        judged(2, *texts),
        judged(3, *texts),
        judged(4, texts[0], "It rained. We", "stayed."),
    ]
    files = DataSetFiles(tmp_path, PairExportSettings(), schemas(BISECT.rows.classes, SCORES))
    counts = export_records(files, BISECT, assigned(pairs))
    kept = [row["id"] for row in files.read("pairs", columns=["id"])]
    assert kept == [pairs[1].pair.id, pairs[3].pair.id]
    verdicts = [row["rejected_by"] for row in files.read("rejected", columns=["rejected_by"])]
    assert verdicts == ["overlap", "equal pair"]
    assert counts["divided", "equal pair"] == 1 and counts["subset", "train"] == 2


def test_examples_are_drawn_of_each_group_in_any_order(tmp_path: Path) -> None:
    pairs = [judged(number, f"It rained {number} .", "It .", "So .") for number in range(40)]
    pairs += [
        replace(judged(41, "雨 が 降り 。", "雨 。", "家 。"), category="Changes Near Split"),
        PAIRS[2],
    ]
    drawn = []
    for order in (pairs, pairs[::-1]):
        examples = ExampleSample(BISECT)
        for one in order:
            examples.add(one, row(one), one.rejected_by)
        drawn.append(examples.groups())
    assert drawn[0] == drawn[1]
    assert {name: len(texts) for name, texts in drawn[0].items()} == {
        "Changes Near Split": 1,
        "Direct Insertion": 10,
    }
    assert drawn[0]["Changes Near Split"][0].startswith("Everyday/v1/en-fr:41")


@pytest.mark.parametrize(("at", "offset"), [(2, 11), (None, None)])
def test_the_split_is_an_offset_in_long_or_nowhere(at: int | None, offset: int | None) -> None:
    assert row(replace(PAIRS[0], split_at=at))["split_at"] == offset


def test_kept_and_rejected_pairs_have_equal_columns_in_full_formats(tmp_path: Path) -> None:
    files = write(tmp_path, formats=["parquet", "jsonl"])
    assert names(tmp_path) == sorted(files.rows) == FULL
    assert list(files.rows.values()) == [4, 4, 1, 1]
    kept = [json.loads(line) for line in (tmp_path / FULL[0]).read_bytes().decode().splitlines()]
    assert kept == [row(one) for one in PAIRS if one.rejected_by is None]
    rejected: list[dict[str, Any]] = [{**row(PAIRS[2]), "rejected_by": "overlap"}]
    for name, source in ((FULL[1], kept), (FULL[3], rejected)):
        table = pq.read_table(tmp_path / name)
        assert table.to_pylist() == [
            {**one, "scores": {"verbs": None, **one["scores"]}} for one in source
        ]
        assert (
            str(table.schema.field("scores").type)
            == "struct<bertscore: double, overlap: double, verbs: double>"
        )
        assert pq.ParquetFile(tmp_path / name).metadata.row_group(0).column(0).compression == "ZSTD"
    assert pq.read_schema(tmp_path / FULL[3]).names == [
        *pq.read_schema(tmp_path / FULL[1]).names,
        "rejected_by",
    ]


@pytest.mark.parametrize(("name", "files", "ids"), [
    ("bisect", {"src": ["It rained, so we stayed.", "雨 が 降り\t家 に いた。"],
                "dst": ["It rained. <SEP> We stayed.", "雨が降った。 <SEP> 家に <::::> いた。"]}, 2),
    ("wikisplit", {"wikisplit.tsv": ["It rained, so we stayed.\tIt rained. <::::> We stayed.",
                                     "It says <SEP> itself.\tIt says. <::::> Itself."]}, 2),
    ("tsv", {"tsv": ["It rained, so we stayed.\tIt rained. <SEP> We stayed."]}, 1),
])  # fmt: skip
def test_text_formats_leave_out_what_would_be_misread(
    name: str, files: dict[str, list[str]], ids: int, tmp_path: Path
) -> None:
    form = PairExportSettings.model_validate({"formats": ["parquet", name]})
    written = DataSetFiles(tmp_path, form, schemas(BISECT.rows.classes, SCORES))
    counts = export_records(written, BISECT, assigned(PAIRS))
    for ending, lines in files.items():
        assert (tmp_path / f"pairs/train-00000.{ending}").read_text(encoding="utf-8").split(
            "\n"
        ) == [*lines, ""]
        assert written.rows[f"pairs/train-00000.{ending}"] == ids
    assert counts.below("skipped") == {
        f"not in the files of {name}: separator or line break in the text": 4 - ids
    }
    assert not list(tmp_path.glob(f"rejected/*.{next(iter(files))}"))


def test_pairs_that_are_not_among_the_best_are_another_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "FEWEST", 4)
    recipe = add_rest_kind(BISECT, 0.5)
    files = DataSetFiles(tmp_path, PairExportSettings(), schemas(recipe.rows.classes, SCORES))
    pairs = []
    for number, overlap in enumerate((0.4, 0.9, 0.6, 0.8), 1):
        pair = judged(number, f"It rained {number}, we stayed.", "It rained.", "We stayed.")
        pairs.append(replace(pair, scored=replace(pair.scored, scores={"overlap": overlap})))
    records = [*assigned([pairs[0], PAIRS[2], *pairs[1:]])]
    counts = export_records(
        files, recipe, records, trust=rank_kept_records(recipe.rows, records, 0.5)
    )
    trust = {kind: [row["trust"] for row in files.read(kind)] for kind in recipe.rows.classes}
    assert trust == {"pairs": [0.875, 0.625], "rest": [0.125, 0.375], "rejected": [None]}
    assert counts.below("kinds") == {"pairs": 2, "rest": 2, "rejected": 1}
    assert counts["subset", "train"] == 2


def test_tsv_is_read_by_judge_and_by_csv(tmp_path: Path) -> None:
    write(tmp_path, formats=["jsonl", "tsv"])
    path = tmp_path / "pairs" / "train-00000.tsv"
    assert [line.pair.split for line in read_pairs(path, "en") if line.pair] == [
        ("It rained.", "We stayed.")
    ]
    with path.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))) == 1


@pytest.mark.parametrize(("rows", "sizes"), [(1, [1] * 7), (3, [3, 3, 1]), (7, [7]), (8, [7])])
def test_files_are_cut_by_rows_and_keep_the_order(
    rows: int, sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitext_pivot.corpus.data_set_files._BATCH", 2)
    pairs = [
        judged(number, f"Es regnete {number}, wir blieben.", "Es regnete.", "Wir blieben.")
        for number in range(7)
    ]
    files = write(tmp_path, pairs, formats=["parquet", "bisect"], file_rows=rows)
    paths = sorted(tmp_path.glob("pairs/*.parquet"))
    assert [pq.read_metadata(path).num_rows for path in paths] == sizes
    assert [one["id"] for path in paths for one in pq.read_table(path).to_pylist()] == [
        one.pair.id for one in pairs
    ]
    for number, size in enumerate(sizes):
        assert {
            files.rows[f"pairs/train-{number:05d}.{ending}"] for ending in ("parquet", "src", "dst")
        } == {size}


def test_only_the_kind_of_kept_rows_has_an_empty_file(tmp_path: Path) -> None:
    rejected = [replace(PAIRS[0], rejected_by="overlap")]
    for records, rows in ((rejected, {"pairs": 0, "rejected": 1}), ([], {"pairs": 0})):
        files = write(tmp_path / str(len(records)), records)
        assert files.rows == {
            f"{kind}/train-00000.{ending}": number
            for kind, number in rows.items()
            for ending in ("parquet", "jsonl")
        }
        assert names(files.folder) == sorted(files.rows)


def many(numbers: Iterable[int]) -> list[JudgedPair]:
    """Return pairs whose texts have no two words in common."""
    words = [hashlib.sha256(str(number).encode()).hexdigest() * 6 for number in numbers]
    return [
        judged(number, f"{word} a b", word[:99], word[99:])
        for number, word in zip(numbers, words, strict=True)
    ]


def test_parquet_has_equal_bytes_each_time_and_an_index_of_its_pages(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        write(tmp_path / name, many(range(30)), formats=["parquet"])
        contents.append((tmp_path / name / "pairs" / "train-00000.parquet").read_bytes())
    assert contents[0] == contents[1]
    column = (
        pq.read_metadata(tmp_path / "one" / "pairs" / "train-00000.parquet").row_group(0).column(2)
    )
    assert column.has_offset_index and column.has_column_index
    assert not column.has_dictionary_page


def broken() -> Iterator[JudgedPair]:
    yield from PAIRS[:3]
    raise RuntimeError


def test_a_failure_midway_leaves_no_file_that_was_open(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        write(tmp_path, broken())
    assert names(tmp_path) == []
    with pytest.raises(RuntimeError):
        write(tmp_path, broken(), formats=["jsonl"], file_rows=1)
    assert names(tmp_path) == ["pairs/train-00000.jsonl"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("no folder", encoding="utf-8")
    with pytest.raises(ShardError, match=r"pairs/train-00000.parquet cannot be written"):
        write(tmp_path)


@pytest.mark.parametrize(("settings", "words"), [
    ({"formats": ["bisect"]}, "neither parquet nor jsonl"),
    ({"formats": ["json"]}, "jsonl"),
    ({"formats": ["jsonl", "bisect", "jsonl"]}, r"names a format twice \(jsonl, bisect, jsonl\): name each once"),
    ({"file_rows": 0}, "greater than or equal to 1"),
])  # fmt: skip
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        PairExportSettings.model_validate(settings)
