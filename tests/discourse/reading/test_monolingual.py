"""Documents of one language: paragraphs, positions, ids and licences are the same for every kind of source."""

import gzip
import json
import os
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from messages import Golden

from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.discourse.reading.monolingual import (
    DocumentFiles,
    JsonLinesFile,
    TextFolder,
    inspect_beginning,
    locate_documents,
    release_documents,
)

XML = """<?xml version="1.0"?><document><P id="1"><s id="1">The fair opens.</s><s id="2"/><s id="3">We go.</s></P>
<P id="2"><s id="4">It rains &amp; pours.</s></P></document>"""


def rows(source: DocumentFiles) -> tuple[list[tuple[str, int, int, str]], Counter[str]]:
    skips = Counter[str]()
    return [
        (row.source.document, row.paragraph, row.position, row.text)
        for document in source.sentences(skips)
        for row in document
    ], skips


def test_documents_of_a_zip_come_in_order(tmp_path: Path) -> None:
    path = tmp_path / "OPUS-Fair/v2/raw/en.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Fair/raw/en/a.xml", XML)
        archive.writestr("Fair/raw/en/b.xml", "<document><s id='1'>No end")
        archive.writestr("Fair/raw/en/c.xml", "<document><s id='1'>Alone.</s></document>")
        archive.writestr("Fair/INFO", "no document")
    release = Release.parse("Fair/v2", "en", "en")
    archives = fetch(release, Site(opus=str(tmp_path), home=tmp_path))
    source = release_documents(archives, skip_damaged=False)
    assert rows(source) == (
        [
            ("en/a.xml", 1, 1, "The fair opens."),
            ("en/a.xml", 1, 2, "We go."),
            ("en/a.xml", 2, 3, "It rains & pours."),
            ("en/c.xml", 1, 1, "Alone."),
        ],
        {"unreadable document: not well-formed": 1},
    )
    first = next(source.sentences(Counter()))[0]
    assert (first.id, first.source.licence) == ("Fair/v2/en/en/a.xml:1", "unknown")


TWO = [(1, "A dog barks."), (1, "It runs."), (2, "Night falls.")]
GERMAN = [(1, "Der Hund bellt."), (2, "Érik dort."), (2, "Übermorgen kommt er.")]


def test_files_of_other_kinds_are_counted_not_read(tmp_path: Path) -> None:
    others = ("page.html", "rows.JSONL", "song.mp3", "old.docx.gz", "notes.md")
    for name in (*others, "chapter.2", "README", "last.text", "more.TXT.GZ"):
        content = b"# Head.\n\nIt rains."
        (tmp_path / name).write_bytes(
            gzip.compress(content) if name.lower().endswith(".gz") else content
        )
    found, skips = rows(locate_documents(TextFolder(name="own", path=tmp_path), "en"))
    assert [(document, text) for document, _, _, text in found] == [
        ("README", "# Head."), ("README", "It rains."), ("chapter.2", "# Head."), ("chapter.2", "It rains."),
        ("last.text", "# Head."), ("last.text", "It rains."), ("more.TXT.GZ", "# Head."), ("more.TXT.GZ", "It rains."),
    ]  # fmt: skip
    assert skips == {
        f"file that is no text ({end})": 1 for end in (".html", ".jsonl", ".mp3", ".docx", ".md")
    }


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("one.txt", "A dog barks. It runs.\n\nNight falls.", TWO),
        ("sub/three.txt", "Der Hund bellt.\r\nÉrik dort. Übermorgen kommt er.", GERMAN),
    ],
)
def test_files_of_a_folder_are_documents(
    tmp_path: Path, name: str, text: str, expected: list[tuple[int, str]]
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    source = locate_documents(TextFolder(name="Mine", path=tmp_path, licence="CC0-1.0"), "de")
    assert rows(source)[0] == [
        (name, paragraph, n, text) for n, (paragraph, text) in enumerate(expected, 1)
    ]
    assert all(
        row.source.licence == "CC0-1.0"
        for document in source.sentences(Counter())
        for row in document
    )


def test_json_lines_are_documents_and_bad_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    texts_of_x = "It rains. We\u2028stay.\r\nNight falls.\rWe\u00a0sleep.", "Again."
    rows_of_x = [json.dumps({"id": "x", "text": text}) for text in texts_of_x]
    lines = [rows_of_x[0], "{", "[]", '{"text": 5}', json.dumps({"text": "No id."}), rows_of_x[1]]
    path.write_text("\n".join(lines), encoding="utf-8")
    found, skips = rows(locate_documents(JsonLinesFile(name="Lines", path=path), "en"))
    assert found == [
        ("x", 1, 1, "It rains."),
        ("x", 1, 2, "We stay."),
        ("x", 2, 3, "Night falls."),
        ("x", 3, 4, "We sleep."),
        ("5", 1, 1, "No id."),
    ]
    assert skips == {
        "row without a text": 3,
        "document of the same name": 1,
    }


def test_the_identity_changes_with_content_and_not_with_place(tmp_path: Path) -> None:
    def identity(folder: str, text: str) -> list[object]:
        path = tmp_path / folder
        path.mkdir()
        (path / "a.txt").write_text(text, encoding="utf-8")
        return locate_documents(TextFolder(name="Mine", path=path), "en").identity

    assert identity("one", "Rain.") == identity("two", "Rain.") != identity("three", "Snow.")


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.txt", "\n\n"), ("a.html", "<p>Rain.</p>"), ("a.jsonl", ""), ("a.jsonl", "{}\n[]\n")],
)
def test_documents_without_text_are_refused_before_anything_is_built(
    name: str, text: str, tmp_path: Path, golden: Golden
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    settings: Any = TextFolder(name="M", path=tmp_path)
    if path.suffix == ".jsonl":
        settings = JsonLinesFile(name="M", path=path)
    with golden.refused(SettingsError):
        inspect_beginning(settings, "en")


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        (TextFolder(name="M", path="none"), "not there"),
        (TextFolder(name="M", path=__file__), "a file"),
        (JsonLinesFile(name="M", path="."), "a folder"),
    ],
)
def test_a_path_of_another_kind_is_refused(
    settings: TextFolder | JsonLinesFile, found: str
) -> None:
    with pytest.raises(SettingsError, match=rf"of M is {found}; expected a f.* Correct the path"):
        locate_documents(settings, "en")


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It rains.")
    (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8\n\xe9")  # is not read
    inspect_beginning(TextFolder(name="M", path=tmp_path), "fr")
    (tmp_path / "b.txt").write_bytes("Où êtes-vous ?".encode("cp1252"))
    with pytest.raises(SettingsError, match=r"b\.txt is not UTF-8 .*line 1"):
        inspect_beginning(TextFolder(name="M", path=tmp_path), "fr")
    (tmp_path / "c.jsonl").write_bytes('{"text": "Où êtes-vous ?"}'.encode("utf-16"))
    with pytest.raises(SettingsError, match=r"c\.jsonl is UTF-16"):
        inspect_beginning(JsonLinesFile(name="M", path=tmp_path / "c.jsonl"), "fr")


def linked(folder: Path) -> TextFolder:
    """Two texts beside what is not read: links out of the folder, to a folder, to nothing, to itself; a FIFO."""
    texts, beside = folder / "texts", folder / "beside"
    texts.mkdir()
    beside.mkdir()
    (beside / "diary.txt").write_text("Secret.")
    (texts / "a.txt").write_text("It rains.")
    links = {
        "b.txt": "a.txt",
        "out.txt": str(beside / "diary.txt"),
        "dots.txt": "../beside/diary.txt",
        "zero.txt": "/dev/zero",
        "folder": str(beside),
        "loop": str(texts),
        "nothing.txt": "nowhere.txt",
        "itself.txt": "itself.txt",
    }
    for name, target in links.items():
        (texts / name).symlink_to(target)
    os.mkfifo(texts / "d.txt")
    Path(os.fsdecode(bytes(texts) + b"/\xe9.txt")).write_text("Never.")
    return TextFolder(name="M", path=texts)


def test_links_out_of_a_folder_are_counted_not_followed(tmp_path: Path) -> None:
    found, skips = rows(locate_documents(linked(tmp_path), "en"))
    assert [(document, text) for document, _, _, text in found] == [
        ("a.txt", "It rains."),
        ("b.txt", "It rains."),
    ]
    assert skips == {
        "link that leaves the folder": 4,
        "link to a folder": 1,
        "link to nothing": 2,
        "no regular file": 1,
        "file name that is not UTF-8": 1,
    }


def test_a_folder_may_be_a_link(tmp_path: Path) -> None:
    direct = linked(tmp_path)
    (tmp_path / "link").symlink_to("texts")
    through_link = direct.model_copy(update={"path": tmp_path / "link"})
    found = [locate_documents(settings, "en") for settings in (direct, through_link)]
    assert found[0].identity == found[1].identity
    assert rows(found[0]) == rows(found[1])


def test_names_and_borders_of_documents_are_part_of_the_identity(tmp_path: Path) -> None:
    folders: list[dict[str, str]] = [
        {"a": "x", "b": "y"},
        {"a": "y", "b": "x"},
        {"a": "xy"},
        {"a": "x", "c": "y"},
        {"a": "x"},
    ]
    digests = set()
    for number, texts in enumerate(folders):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text)
        digests.add(locate_documents(TextFolder(name="M", path=folder), "en").sha256)
    assert len(digests) == len(folders)


def test_sentences_without_text_are_counted_and_leave_a_gap(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(
        b"The caf\xe9 is closed. It rains.\nWe \x07 go.\r\nThey stay.\n\xc3\x89t\xc3\xa9.\n\xc3\x89t\xc3\xa9."
    )
    source = locate_documents(TextFolder(name="Days", path=tmp_path), "en")
    assert rows(source) == (
        [
            ("latin.txt", 1, 2, "It rains."),
            ("latin.txt", 3, 4, "They stay."),
            ("latin.txt", 4, 5, "Été."),
            ("latin.txt", 5, 6, "Été."),
        ],
        {"undecodable characters": 1, "control characters": 1},
    )
