"""A path alone stands for settings of user-supplied bitext."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.custom_bitext import LineFiles, MosesZip, TableFile, TranslationMemory
from bitext_pivot.alignments.custom_paths import settings_from_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "news.en",
        "news.fr.gz",
        "memory.tmx",
        "my memory (2).tmx.xz",
        "OPUS.en-fr.txt.zip",
        "table.csv.gz",
        "alone.en",
    ):
        (tmp_path / name).touch()
    for language in ("en", "fr"):
        (tmp_path / "stories" / language).mkdir(parents=True)
    return tmp_path


def own(*paths: Path, **settings: object) -> Bitext:
    return Bitext.model_validate({"own": [str(path) for path in paths], **settings})


def test_the_name_tells_the_kind(folder: Path) -> None:
    names = ("memory.tmx", "OPUS.en-fr.txt.zip", "table.csv.gz", "news")
    memory, moses, table, lines = own(*(folder / name for name in names)).own
    assert memory == TranslationMemory(name="memory", file=folder / "memory.tmx")
    assert moses == MosesZip(name="OPUS", file=folder / "OPUS.en-fr.txt.zip")
    assert table == TableFile(name="table", file=folder / "table.csv.gz")
    assert lines == LineFiles(
        name="news", language_file=folder / "news.en", pivot_file=folder / "news.fr.gz"
    )


def test_the_files_follow_the_languages(folder: Path) -> None:
    (lines,) = own(folder / "news.fr", language="fr", pivot="en").own
    assert isinstance(lines, LineFiles)
    assert (lines.language_file.name, lines.pivot_file.name) == ("news.fr.gz", "news.en")


def test_a_name_is_made_valid(folder: Path) -> None:
    (memory,) = own(folder / "my memory (2).tmx.xz").own
    assert memory.name == "my-memory-2-"


@pytest.mark.parametrize("name", ["alone", "alone.en", "news.txt", "nothing"])
def test_anything_else_is_refused_with_what_is_expected(folder: Path, name: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not bitext in 'en' and 'fr'; expected memory\.tmx, a Moses \.zip"
    ):
        settings_from_path(folder / name, "en", "fr")
    with pytest.raises(ValidationError, match="is not bitext in 'en' and 'fr'"):
        own(folder / name)


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_path_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="is a folder; expected a file"):
        own(Path(name))


@pytest.mark.parametrize("name", ["stories", "stories/en"])
def test_a_folder_is_refused_with_what_aligns_documents(folder: Path, name: str) -> None:
    with pytest.raises(ValidationError, match=r"is a folder; .* hunalign or vecalign, write TMX"):
        own(folder / name)


def test_own_bitext_alone_reads_no_corpus_of_opus(folder: Path) -> None:
    assert own(folder / "memory.tmx").corpora == []
    assert own(folder / "memory.tmx", corpora=["Europarl/v7"]).corpora == ["Europarl/v7"]
    assert Bitext().corpora == ["Europarl/v8"]
    assert Bitext(own=[]).corpora == ["Europarl/v8"]
