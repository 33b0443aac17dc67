"""The text side of a form: paths stand for settings, and what cannot be read is refused."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bitext_pivot.alignments.release import Release
from bitext_pivot.discourse.reading.monolingual import JsonLinesFile, TextFolder
from bitext_pivot.discourse.reading.running_text import RunningText


def form(**values: Any) -> RunningText:
    return RunningText.model_validate(values)


def test_a_path_alone_is_a_folder_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "my letters").mkdir()
    (tmp_path / "mails.jsonl.gz").touch()
    paths = [str(tmp_path / name) for name in ("my letters", "mails.jsonl.gz", "wiki.parquet")]
    texts = form(own=paths, language="fr")
    assert texts.documents == [
        TextFolder(name="my-letters", path=tmp_path / "my letters"),
        JsonLinesFile(name="mails", path=tmp_path / "mails.jsonl.gz"),
        JsonLinesFile(name="wiki", path=tmp_path / "wiki.parquet"),
    ]
    assert texts.title == "documents-fr: my-letters/v1, mails/v1, wiki/v1"


def test_without_own_documents_a_corpus_of_opus_is_read() -> None:
    assert form().documents == [Release("Europarl", "v8", "en", "en")]
    assert form(
        corpora=["Fair/v2"], own=[{"kind": "folder", "name": "Days", "path": "x"}]
    ).names == [
        "Fair/v2",
        "Days/v1",
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"corpora": []}, "at least one corpus"),
        ({"corpora": ["Europarl"]}, "such as Europarl/v8"),
        ({"corpora": ["Europarl/latest"]}, "such as Europarl/v8"),
        ({"corpora": ["Fair/v2", "Fair/v2"]}, "name each release once"),
        # Both names would give My-Fair-v2-00000.parquet.
        (
            {"corpora": ["My-Fair/v2", "My/Fair-v2"]},
            "difference between - and /",
        ),
        (
            {"corpora": ["Days/v1"], "own": [{"kind": "folder", "name": "Days", "path": "x"}]},
            "name each release once",
        ),
        ({"language": "en", "pivot": "fr"}, "'pivot' is not a setting"),
    ],
)
def test_a_form_without_clear_names_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        form(**values)


@pytest.mark.parametrize("name", ["days.txt", "pages-articles.xml"])
def test_a_single_text_is_refused_with_what_is_expected(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("It rains.", encoding="utf-8")
    with pytest.raises(
        ValidationError,
        match=rf"{name} is a single text file; expected .* a folder of text files: name its folder",
    ):
        form(own=[path])
