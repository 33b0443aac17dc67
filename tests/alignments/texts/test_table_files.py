"""Tables of bitext: two columns of texts, in each format."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from messages import Golden

from bitext_pivot.alignments.texts.table_files import read_table
from bitext_pivot.core.errors import SettingsError, SourceError

Column = list[str | None]
EN: Column = ['He said "no", and left.', "It\nrained.", None]
FR: Column = ["Il dit « non » et partit.", "Il pleuvait.", "Oui."]


def csv_file(path: Path) -> None:
    path.write_text(
        'fr,note,en\nIl dit « non » et partit.,x,"He said ""no"", and left."\n'
        'Il pleuvait.,y,"It\nrained."\nOui.,,\n',
        encoding="utf-8",
    )


def tab_file(path: Path) -> None:
    path.write_text(
        'en\tfr\nHe said "no", and left.\tIl dit « non » et partit.\nIt\v rained.\tIl pleuvait.\n\tOui.\n',
        encoding="utf-8",
    )


def json_file(path: Path) -> None:
    rows = [{"en": en, "fr": fr} for en, fr in zip(EN, FR, strict=True)]
    path.write_text(json.dumps(rows), encoding="utf-8")


def parquet_file(path: Path) -> None:
    pq.write_table(pa.table({"en": EN, "fr": FR}), path)


FILES: dict[str, Callable[[Path], None]] = {
    "a.csv": csv_file,
    "a.tsv": tab_file,
    "a.json": json_file,
    "a.parquet": parquet_file,
}


@pytest.mark.parametrize("name", FILES)
def test_each_format_has_the_same_texts(name: str, tmp_path: Path) -> None:
    FILES[name](tmp_path / name)
    segments = list(read_table(tmp_path / name, ("en", "fr"), {}))
    first = 2 if name in {"a.csv", "a.tsv"} else 1  # a header is a row
    assert [segment.ids[0] for segment in segments] == [(str(first + n),) for n in range(3)]
    texts = [(" ".join(segment.texts[0].split()), segment.texts[1]) for segment in segments]
    assert texts == [
        ('He said "no", and left.', "Il dit « non » et partit."),
        ("It rained.", "Il pleuvait."),
        ("", "Oui."),
    ]
    assert not any(segment.is_unreadable for segment in segments)


def test_columns_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("source;target\nIl pleuvait.;It rained.\n", encoding="utf-8")
    (segment,) = read_table(path, ("en", "fr"), {"en": "target", "fr": "source"})
    assert segment.texts == ("It rained.", "Il pleuvait.")


def test_what_is_no_text_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        '{"en": "A.", "fr": "B."}',
        '{"en": 1, "fr": "B."}',
        "no JSON",
        '{"en": "\\ud800", "fr": "B."}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    segments = read_table(path, ("en", "fr"), {})
    assert [segment.is_unreadable for segment in segments] == [False, True, True, True]


@pytest.mark.parametrize(
    "text", ["source,target\nA.,B.\n", "A.,B.\nC.,D.\n", "en,fr\n", "", "en,fr\nA.,B.,C.\n"]
)
def test_a_table_without_the_columns_is_refused(tmp_path: Path, text: str, golden: Golden) -> None:
    path = tmp_path / "my pairs.csv"
    path.write_text(text, encoding="utf-8")
    with golden.refused(SourceError, SettingsError):
        list(read_table(path, ("en", "fr"), {}))


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("en,fr\nIt rained.,Il a plu tout l'été.\n".encode("utf-16"))
    with pytest.raises(SettingsError, match="UTF-16"):
        list(read_table(path, ("en", "fr"), {}))


def test_a_column_of_another_language_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("en,fr\nA.,B.\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="'de' is not a language"):
        list(read_table(path, ("en", "fr"), {"de": "fr"}))
