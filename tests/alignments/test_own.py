import json
import os
import pickle
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from messages import Golden
from pydantic import BaseModel, TypeAdapter, ValidationError

from bitext_pivot.alignments import own as own_bitext
from bitext_pivot.alignments.extraction import DocumentBatch, Extraction
from bitext_pivot.alignments.own import (
    DocumentFolders,
    LineFiles,
    MemoryFile,
    MosesZip,
    OwnArchives,
    OwnBitext,
    RequestedBitext,
    TableFile,
)
from bitext_pivot.alignments.sources import identity
from bitext_pivot.core.errors import SettingsError, SourceError

EN = ["It rained. We left.", "Good.", "When the bell had rung, they ate."]
FR = ["Comme il pleuvait, nous sommes partis.", "Bien.", "La cloche sonna. Ils mangèrent."]


def resolve(own: Any, language: str, pivot: str) -> OwnArchives:
    return own_bitext.resolve(RequestedBitext(own, language, pivot))


def find(own: Any) -> tuple[Path, ...]:
    return own_bitext.find(RequestedBitext(own, "en", "fr"))


def lines(folder: Path, en: list[str] = EN, fr: list[str] = FR) -> LineFiles:
    for language, side in (("en", en), ("fr", fr)):
        (folder / f"text.{language}").write_text(
            "".join(f"{line}\n" for line in side), encoding="utf-8"
        )
    return LineFiles(name="Mine", language_file=folder / "text.en", pivot_file=folder / "text.fr")


def moses(folder: Path) -> MosesZip:
    with zipfile.ZipFile(folder / "en-fr.txt.zip", "w") as archive:
        for language, side in (("en", EN), ("fr", FR)):
            archive.writestr(
                zipfile.ZipInfo(f"Any.en-fr.{language}"), "".join(f"{line}\n" for line in side)
            )
    return MosesZip(name="Mine", file=folder / "en-fr.txt.zip")


def memory(folder: Path) -> MemoryFile:
    units = "".join(
        f'<tu><tuv xml:lang="fr"><seg>{fr}</seg></tuv><tuv xml:lang="en-GB"><seg>{en}</seg></tuv></tu>'
        for en, fr in zip(EN, FR, strict=True)
    )
    (folder / "memory.tmx").write_text(f"<tmx><body>{units}</body></tmx>", encoding="utf-8")
    return MemoryFile(name="Mine", file=folder / "memory.tmx")


def documents(folder: Path, **settings: Any) -> DocumentFolders:
    for language, side in (("en", EN), ("fr", FR)):
        (folder / language).mkdir(exist_ok=True)
        for n, line in enumerate(side):
            (folder / language / f"{n}.txt").write_text(line, encoding="utf-8")
    return DocumentFolders(
        name="Mine", language_folder=folder / "en", pivot_folder=folder / "fr", **settings
    )


def table(folder: Path) -> TableFile:
    texts = zip(EN, FR, strict=True)
    rows = [json.dumps({"translation": {"fr": fr, "en": en}}) for en, fr in texts]
    (folder / "table.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return TableFile(name="Mine", file=folder / "table.jsonl")


KINDS = [lines, moses, memory, table, documents]
ENGLISH = "The children stayed at home because it had rained all night long."
FRENCH = "Les enfants sont restés à la maison parce qu'il avait plu toute la nuit."


@pytest.mark.parametrize(
    ("en", "fr", "words"),
    [
        (ENGLISH, FRENCH, []),
        (FRENCH, ENGLISH, ["swapped"]),
        (FRENCH, FRENCH, ["French, not English"]),
        (ENGLISH, ENGLISH, ["English, not French"]),
    ],
)
@pytest.mark.parametrize("is_folder", [False, True])
def test_sides_in_another_language_are_named(
    tmp_path: Path, en: str, fr: str, words: list[str], is_folder: bool
) -> None:
    bitext: Any = lines(tmp_path, [en] * 9, [fr] * 9)
    if is_folder:
        bitext = DocumentFolders(
            name="Mine", language_folder=bitext.language_file, pivot_folder=bitext.pivot_file
        )
    found = own_bitext.language_warnings(RequestedBitext(bitext, "en", "fr"))
    assert len(found) == len(words)
    assert all(word in warning for word, warning in zip(words, found, strict=True))


@pytest.mark.parametrize(
    ("bring", "words"),
    [
        (lines, "files"),
        (moses, "languages in the names"),
        (memory, "language codes"),
        (table, "names of its columns"),
        (documents, "folders"),
    ],
)
def test_swapped_sides_of_one_file_are_exchanged_in_it(
    bring: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_bitext, "other_language", lambda _, side: {"en": "fr"}.get(side, "en"))
    (warning,) = own_bitext.language_warnings(RequestedBitext(bring(tmp_path), "en", "fr"))
    assert words in warning.partition("swapped. Exchange ")[2]


def read(found: OwnArchives, **settings: int) -> list[DocumentBatch]:
    return list(found.batches(Extraction(**settings)))


@pytest.mark.parametrize("bring", KINDS)
def test_each_kind_gives_the_same_alignments(tmp_path: Path, bring: Any) -> None:
    found = resolve(bring(tmp_path), "en", "fr")
    alignments = [alignment for batch in read(found) for alignment in batch.alignments]
    assert [(a.id, a.one_language, a.two_language, a.one, a.two) for a in alignments] == [
        ("Mine/v1/en-fr:1", "fr", "en", FR[0], ("It rained.", "We left.")),
        ("Mine/v1/en-fr:3", "en", "fr", EN[2], ("La cloche sonna.", "Ils mangèrent.")),
    ]
    assert {(a.source.corpus, a.source.release, a.source.licence) for a in alignments} == {
        ("Mine", "v1", "unknown")
    }


@pytest.mark.parametrize("bring", KINDS)
def test_it_does_not_matter_which_side_is_the_pivot(tmp_path: Path, bring: Any) -> None:
    own = bring(tmp_path)
    swapped = own
    if not isinstance(own, MosesZip | MemoryFile | TableFile):
        one, other = [
            name for name in type(own).model_fields if name.endswith(("_file", "_folder"))
        ]
        swapped = own.model_copy(update={one: getattr(own, other), other: getattr(own, one)})
    straight, turned = resolve(own, "en", "fr"), resolve(swapped, "fr", "en")
    assert read(straight) == read(turned)
    assert straight.identity == turned.identity


@pytest.mark.parametrize("bring", KINDS)
def test_a_limit_of_links(tmp_path: Path, bring: Any) -> None:
    found = resolve(bring(tmp_path), "en", "fr")
    for number in range(1, 5):
        batches = read(found, max_links=number)
        assert sum(batch.shapes.total() for batch in batches) == min(number, 3)


@pytest.mark.parametrize("bring", KINDS)
def test_the_identity_is_that_of_the_contents(tmp_path: Path, bring: Any) -> None:
    folders = [tmp_path / "here", tmp_path / "there"]
    for folder in folders:
        folder.mkdir()
    here, there = (resolve(bring(folder), "en", "fr") for folder in folders)
    assert here.identity == there.identity
    assert str(identity(here)["splitter"]).startswith("sentence-splitter ")
    path = next(path for path in sorted(folders[1].rglob("*")) if path.is_file())
    path.write_bytes(b" " + path.read_bytes())
    assert resolve(there.own, "en", "fr").identity != here.identity


def test_names_and_borders_of_documents_are_part_of_the_identity(tmp_path: Path) -> None:
    digests = []
    for n, names in enumerate(
        [{"a": "x", "b": "y"}, {"a": "y", "b": "x"}, {"a": "xy"}, {"a": "x", "c": "y"}, {"a": "x"}]
    ):
        folder = tmp_path / str(n)
        for side in ("en", "fr"):
            (folder / side).mkdir(parents=True)
            for name, text in names.items():
                (folder / side / name).write_text(text)
        own = DocumentFolders(name="M", language_folder=folder / "en", pivot_folder=folder / "fr")
        digests.append(resolve(own, "en", "fr").sha256)
    assert len(set(digests)) == len(digests)


def test_alignment_settings_are_part_of_the_identity(tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"paragraphs": "blank lines"},
        {"band": 9},
        {"max_cost": 9.0},
    ]
    assert (
        len(
            {str(resolve(documents(tmp_path, **change), "en", "fr").identity) for change in changes}
        )
        == 4
    )


def test_the_columns_of_a_table_are_part_of_the_identity(tmp_path: Path) -> None:
    own = table(tmp_path)
    other = own.model_copy(update={"columns": {"en": "fr", "fr": "en"}})
    turned = [
        alignment for batch in read(resolve(other, "en", "fr")) for alignment in batch.alignments
    ]
    assert [alignment.one_language for alignment in turned] == ["en", "fr"]
    assert resolve(other, "en", "fr").identity != resolve(own, "en", "fr").identity


def test_an_unlikely_alignment_is_counted_and_left_out(tmp_path: Path) -> None:
    # lengths 10 + 8 against 38 cost 4.34, 33 against 16 + 14 cost 2.60
    found = read(resolve(documents(tmp_path, max_cost=3.0), "en", "fr"))
    assert [(len(batch.alignments), batch.skips) for batch in found] == [
        (0, {"unlikely by length": 1}),
        (0, {}),
        (1, {}),
    ]


def test_name_release_and_licence_are_on_every_row(tmp_path: Path) -> None:
    own = lines(tmp_path).model_copy(update={"release": "2024-01", "licence": "CC-BY-4.0"})
    found = resolve(own, "fr", "en")
    assert (found.release.corpus, found.release.version) == ("Mine", "2024-01")
    alignment = read(found)[0].alignments[0]
    assert alignment.id == "Mine/2024-01/en-fr:1"
    assert (alignment.source.release, alignment.source.licence) == ("2024-01", "CC-BY-4.0")


@pytest.mark.parametrize("bring", KINDS)
def test_what_was_found_can_be_sent_to_another_process(tmp_path: Path, bring: Any) -> None:
    found = resolve(bring(tmp_path), "en", "fr")
    assert read(pickle.loads(pickle.dumps(found))) == read(found)


def test_sides_of_unequal_length_are_no_corpus(tmp_path: Path, golden: Golden) -> None:
    with golden.refused(SettingsError):
        find(lines(tmp_path, EN[:2]))


def test_lines_of_large_files_are_counted_while_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr("bitext_pivot.alignments.texts.segments._READ_WHOLE", 1)
    found = resolve(lines(tmp_path, EN[:2]), "en", "fr")
    with golden.refused(SourceError):
        read(found)


@pytest.mark.parametrize("counted", [1, 1 << 20])
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "mac_roman", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("bring", [lines, moses, documents])
def test_another_encoding_is_refused_before_anything_is_built(
    bring: Any,
    encoding: str,
    counted: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Golden,
) -> None:
    monkeypatch.setattr("bitext_pivot.alignments.texts.segments._READ_WHOLE", counted)
    own = bring(tmp_path)
    find(own)
    if isinstance(own, MosesZip):
        with zipfile.ZipFile(own.file, "w") as archive:
            archive.writestr("Any.en-fr.en", "\n".join(EN))
            archive.writestr("Any.en-fr.fr", "\n".join(FR).encode(encoding))
    else:
        path = tmp_path / "text.fr" if isinstance(own, LineFiles) else tmp_path / "fr" / "2.txt"
        path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    with golden.refused(SettingsError):
        find(own)


@pytest.mark.parametrize("bring", KINDS)
def test_empty_files_are_refused_before_anything_is_built(
    bring: Any, tmp_path: Path, golden: Golden
) -> None:
    own = bring(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    with golden.refused(SettingsError):
        find(own)


def test_a_memory_without_one_of_the_languages_is_refused_before_anything_is_built(
    tmp_path: Path, golden: Golden
) -> None:
    with golden.refused(SettingsError):
        own_bitext.find(RequestedBitext(memory(tmp_path), "en", "de"))


@pytest.mark.parametrize("bring", [lines, documents])
def test_cr_ends_a_line(tmp_path: Path, bring: Any) -> None:
    own = bring(tmp_path)
    expected = read(resolve(own, "en", "fr"))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    assert read(resolve(own, "en", "fr")) == expected


def linked(folder: Path) -> DocumentFolders:
    """Documents beside what is not read: a link out of the folder, to a folder, to nothing, to itself; a FIFO."""
    own = documents(folder)
    (folder / "diary.txt").write_text("Secret. Very.", encoding="utf-8")
    (folder / "fr" / "out.txt").symlink_to(folder / "diary.txt")
    (folder / "fr" / "dots.txt").symlink_to("../diary.txt")
    (folder / "fr" / "other side.txt").symlink_to("../en/0.txt")
    (folder / "fr" / "folder").symlink_to(folder / "en")
    (folder / "fr" / "loop").symlink_to(folder / "fr")
    (folder / "fr" / "nothing.txt").symlink_to("nowhere.txt")
    (folder / "fr" / "itself.txt").symlink_to("itself.txt")
    (folder / "fr" / "zero.txt").symlink_to("/dev/zero")
    os.mkfifo(folder / "en" / "fifo.txt")
    (folder / "en" / "inside.txt").symlink_to("0.txt")
    Path(os.fsdecode(bytes(folder / "en") + b"/\xe9t\xe9.txt")).write_text(
        "Never.", encoding="utf-8"
    )
    return own


def test_links_out_of_a_folder_are_counted_not_followed(tmp_path: Path) -> None:
    first, *others = read(resolve(linked(tmp_path), "en", "fr"))
    assert first == DocumentBatch(
        (),
        Counter(),
        Counter({
            "link that leaves the folder": 5, "link to a folder": 1, "link to nothing": 2, "no regular file": 1,
            "file name that is not UTF-8": 1,
        }),
    )  # fmt: skip
    documents_read = {
        document for batch in others for a in batch.alignments for document in a.source.documents
    }
    assert documents_read == {"0.txt", "2.txt"}


def test_a_folder_may_be_a_link(tmp_path: Path) -> None:
    own = documents(tmp_path)
    for language in ("en", "fr"):
        (tmp_path / f"to-{language}").symlink_to(language)
    links = {"language_folder": tmp_path / "to-en", "pivot_folder": tmp_path / "to-fr"}
    direct, through_link = (
        resolve(settings, "en", "fr") for settings in (own, own.model_copy(update=links))
    )
    assert read(through_link) == read(direct)
    assert through_link.identity == direct.identity


def test_a_path_must_be_a_file(tmp_path: Path, golden: Golden) -> None:
    own = LineFiles(name="Mine", language_file=tmp_path / "nowhere", pivot_file=tmp_path)
    with golden.refused(SettingsError):
        resolve(own, "en", "fr")
    (tmp_path / "nowhere").touch()
    with golden.refused(SettingsError):
        resolve(own, "en", "fr")


def test_folders_must_exist_and_share_a_name(tmp_path: Path, golden: Golden) -> None:
    own = documents(tmp_path)
    for name in ("nowhere", "fr/0.txt"):
        with golden.refused(SettingsError):
            resolve(own.model_copy(update={"pivot_folder": tmp_path / name}), "en", "fr")
    for path in (tmp_path / "fr").iterdir():
        path.rename(path.with_suffix(".fr"))
    with golden.refused(SettingsError):
        resolve(own, "en", "fr")


def test_two_documents_can_be_named_themselves(tmp_path: Path) -> None:
    own = documents(tmp_path).model_copy(
        update={
            "language_folder": tmp_path / "en" / "0.txt",
            "pivot_folder": tmp_path / "fr" / "0.txt",
        }
    )
    assert [len(batch.alignments) for batch in read(resolve(own, "en", "fr"))] == [1]


def test_a_language_without_splitting_rules_is_refused(tmp_path: Path, golden: Golden) -> None:
    with golden.refused(SettingsError):
        resolve(lines(tmp_path), "en", "zh")


ANY: TypeAdapter[Any] = TypeAdapter(OwnBitext)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (LineFiles, {"kind": "lines", "language_file": "a", "pivot_file": "b"}),
        (MosesZip, {"kind": "moses", "file": "a"}),
        (MemoryFile, {"kind": "tmx", "file": "a"}),
        (DocumentFolders, {"kind": "documents", "language_folder": "a", "pivot_folder": "b"}),
    ],
)
def test_a_form_says_which_kind_it_is(kind: type[BaseModel], fields: dict[str, str]) -> None:
    own = ANY.validate_python({"name": "Mine", **fields})
    assert type(own) is kind
    assert ANY.validate_python(ANY.dump_python(own, mode="json")) == own
    assert [
        name for name, field in kind.model_fields.items() if not (field.description and field.title)
    ] == []


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "xliff"}, "does not match any of the expected tags"),
        ({"kind": "tmx", "name": "a/b", "file": "x"}, "is no name: expected letters"),
        (
            {"kind": "tmx", "name": "a", "fille": "x"},
            "'fille' is no setting of MemoryFile. Did you mean 'file'?",
        ),
        ({"kind": "tmx", "name": "a"}, "Field required"),
        ({"kind": "tmx", "name": "a", "file": "x", "licence": ""}, "at least 1 character"),
        (
            {
                "kind": "documents",
                "name": "a",
                "language_folder": "x",
                "pivot_folder": "y",
                "band": 0,
            },
            "greater than or",
        ),
    ],
)
def test_a_form_filled_in_wrongly_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ANY.validate_python(fields)
