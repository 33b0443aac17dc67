import json
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest
from messages import Golden
from pydantic import TypeAdapter, ValidationError

from bitext_pivot.alignments import custom_bitext as own_bitext
from bitext_pivot.alignments.custom_bitext import (
    CustomBitextFiles,
    CustomBitextRequest,
    CustomBitextSetting,
    LineFiles,
    MosesZip,
    TableFile,
    TranslationMemory,
)
from bitext_pivot.alignments.extraction import AlignmentBatch, Extraction
from bitext_pivot.alignments.sources import identity
from bitext_pivot.core.errors import SettingsError

EN = ["It rained. We left.", "Good.", "When the bell had rung, they ate."]
FR = ["Comme il pleuvait, nous sommes partis.", "Bien.", "La cloche sonna. Ils mangèrent."]


def resolve(own: Any, language: str, pivot: str) -> CustomBitextFiles:
    return own_bitext.locate_files(CustomBitextRequest(own, language, pivot))


def check(own: Any) -> None:
    own_bitext.inspect_beginning(CustomBitextRequest(own, "en", "fr"))


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


def memory(folder: Path) -> TranslationMemory:
    units = "".join(
        f'<tu><tuv xml:lang="fr"><seg>{fr}</seg></tuv><tuv xml:lang="en-GB"><seg>{en}</seg></tuv></tu>'
        for en, fr in zip(EN, FR, strict=True)
    )
    (folder / "memory.tmx").write_text(f"<tmx><body>{units}</body></tmx>", encoding="utf-8")
    return TranslationMemory(name="Mine", file=folder / "memory.tmx")


def table(folder: Path) -> TableFile:
    texts = zip(EN, FR, strict=True)
    rows = [json.dumps({"translation": {"fr": fr, "en": en}}) for en, fr in texts]
    (folder / "table.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return TableFile(name="Mine", file=folder / "table.jsonl")


KINDS = [lines, moses, memory, table]
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
def test_sides_in_another_language_are_named(
    tmp_path: Path, en: str, fr: str, words: list[str]
) -> None:
    bitext = lines(tmp_path, [en] * 9, [fr] * 9)
    found = own_bitext.inspect_beginning(CustomBitextRequest(bitext, "en", "fr"))
    assert len(found) == len(words)
    assert all(word in warning for word, warning in zip(words, found, strict=True))


def test_swapped_sides_are_named_whatever_their_number(tmp_path: Path) -> None:
    (warning,) = own_bitext.inspect_beginning(
        CustomBitextRequest(lines(tmp_path, [FRENCH], [ENGLISH]), "en", "fr")
    )
    assert "swapped" in warning
    bitext = lines(tmp_path, [FRENCH], [FRENCH])
    assert own_bitext.inspect_beginning(CustomBitextRequest(bitext, "en", "fr")) == []


def test_a_corpus_without_a_name_has_that_of_its_file() -> None:
    assert ANY.validate_python({"kind": "table", "file": "my table.csv.gz"}).name == "my-table"
    lines = {"kind": "lines", "language_file": "news.en", "pivot_file": "news.fr"}
    assert ANY.validate_python(lines).full_name == "news/v1"


@pytest.mark.parametrize(
    ("bring", "words"),
    [
        (lines, "files"),
        (moses, "languages in the names"),
        (memory, "language codes"),
        (table, "names of its columns"),
    ],
)
def test_swapped_sides_of_one_file_are_exchanged_in_it(
    bring: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        own_bitext, "detect_other_language", lambda _, side, min_texts: {"en": "fr"}.get(side, "en")
    )
    (warning,) = own_bitext.inspect_beginning(CustomBitextRequest(bring(tmp_path), "en", "fr"))
    assert words in warning.partition("swapped. Exchange ")[2]


def read(found: CustomBitextFiles, **settings: int) -> list[AlignmentBatch]:
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
    if isinstance(own, LineFiles):
        files = {"language_file": own.pivot_file, "pivot_file": own.language_file}
        swapped = own.model_copy(update=files)
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


def test_the_columns_of_a_table_are_part_of_the_identity(tmp_path: Path) -> None:
    own = table(tmp_path)
    other = own.model_copy(update={"columns": {"en": "fr", "fr": "en"}})
    turned = [
        alignment for batch in read(resolve(other, "en", "fr")) for alignment in batch.alignments
    ]
    assert [alignment.one_language for alignment in turned] == ["en", "fr"]
    assert resolve(other, "en", "fr").identity != resolve(own, "en", "fr").identity


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


def test_lines_are_counted_while_they_are_read(tmp_path: Path, golden: Golden) -> None:
    found = resolve(lines(tmp_path, EN[:2]), "en", "fr")
    with golden.refused(SettingsError):
        read(found)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("bring", [lines, moses])
def test_another_encoding_is_refused_before_anything_is_built(
    bring: Any,
    encoding: str,
    tmp_path: Path,
    golden: Golden,
) -> None:
    own = bring(tmp_path)
    check(own)
    if isinstance(own, MosesZip):
        with zipfile.ZipFile(own.file, "w") as archive:
            archive.writestr("Any.en-fr.en", "\n".join(EN))
            archive.writestr("Any.en-fr.fr", "\n".join(FR).encode(encoding))
    else:
        path = tmp_path / "text.fr"
        path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    with golden.refused(SettingsError):
        check(own)


@pytest.mark.parametrize("bring", KINDS)
def test_empty_files_are_refused_before_anything_is_built(
    bring: Any, tmp_path: Path, golden: Golden
) -> None:
    own = bring(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    with golden.refused(SettingsError):
        check(own)


def test_a_memory_without_one_of_the_languages_is_refused_before_anything_is_built(
    tmp_path: Path, golden: Golden
) -> None:
    with golden.refused(SettingsError):
        own_bitext.inspect_beginning(CustomBitextRequest(memory(tmp_path), "en", "de"))


def test_a_path_must_be_a_file(tmp_path: Path, golden: Golden) -> None:
    own = LineFiles(name="Mine", language_file=tmp_path / "nowhere", pivot_file=tmp_path)
    with golden.refused(SettingsError):
        resolve(own, "en", "fr")
    (tmp_path / "nowhere").touch()
    with golden.refused(SettingsError):
        resolve(own, "en", "fr")
    os.mkfifo(tmp_path / "pipe")
    with golden.refused(SettingsError):
        resolve(own.model_copy(update={"pivot_file": tmp_path / "pipe"}), "en", "fr")


def test_a_language_without_splitting_rules_is_refused(tmp_path: Path, golden: Golden) -> None:
    with golden.refused(SettingsError):
        resolve(lines(tmp_path), "en", "zh")


ANY: TypeAdapter[Any] = TypeAdapter(CustomBitextSetting)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "xliff"}, "does not match any of the expected tags"),
        ({"kind": "tmx", "name": "a/b", "file": "x"}, "is not a valid name: expected letters"),
        (
            {"kind": "tmx", "name": "a", "fille": "x"},
            "'fille' is not a setting. Did you mean 'file'?",
        ),
        ({"kind": "tmx", "name": "a"}, "Field required"),
        ({"kind": "tmx", "name": "a", "file": "x", "licence": ""}, "at least 1 character"),
    ],
)
def test_a_form_filled_in_wrongly_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ANY.validate_python(fields)
