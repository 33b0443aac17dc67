"""Names of corpora: of any script, safe in file names, and the same for one file name in both forms of Unicode."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bitext_pivot.alignments import corpus_names
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.custom_bitext import TranslationMemory
from bitext_pivot.alignments.release import Release
from bitext_pivot.discourse.reading.running_text import RunningText


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Мемуары", "Мемуары"),
        ("رسائل", "رسائل"),
        ("हिन्दी-पत्र", "हिन्दी-पत्र"),
        ("จดหมาย", "จดหมาย"),
        ("書簡集", "書簡集"),
        ("편지", "편지"),
        ("१२_٣", "१२_٣"),
        ("été", "été"),
        (unicodedata.normalize("NFD", "été"), "été"),
        (unicodedata.normalize("NFD", "편지"), "편지"),
        ("My_corpus-2.1", "My_corpus-2.1"),
        ("my memory (2)", "my-memory-2-"),
        ("two  words\u00a0and\u3000more", "two-words-and-more"),
        ("😀 letters", "letters"),
        ("😀", "own"),
        ("", "own"),
        ("...", "own"),
        (".hidden", "hidden"),
        ("-rf", "rf"),
        ("\u0301a", "a"),
        ('a<b>c:d"e/f\\g|h?i*j', "a-b-c-d-e-f-g-h-i-j"),
        ("a\nb\tc\0d\x7fe", "a-b-c-d-e"),
        ("[x](y) `z` #|~", "x-y-z-"),
        ("می\u200cخواهم", "میخواهم"),
        ("\u202eabc\u202c\u2066d\u2069\u200e\u200f\ufeff", "abcd"),
        ("a\u00adb\u034fc\u3164d\ufe0fe\U000e0100f", "abcdef"),
        ("a\udce9b", "a-b"),
        ("a" * 300, "a" * 120),
        ("ж" * 200, "ж" * 60),
        ("จ" * 200, "จ" * 40),
    ],
)
def test_a_file_name_gives_a_name(stem: str, name: str) -> None:
    assert corpus_names.name_from_stem(stem) == name
    assert corpus_names.check_name(name) == name


@given(st.text(max_size=80))
def test_any_file_name_gives_a_valid_name(stem: str) -> None:
    name = corpus_names.name_from_stem(stem)
    assert corpus_names.check_name(name) == name == corpus_names.name_from_stem(name)
    assert Release("x", "v1", "en", "fr").name
    assert Release(name, "v1", "en", "fr").name == f"{name}/v1/en-fr"


@pytest.mark.parametrize(
    "name",
    [".", "..", "a/b", "a\\b", "a b", "a:b", "-a", ".a", "a\n", "a\u200db", "a\u202eb", "\u0301a", "😀", "a" * 121,
     "ж" * 61, "a\u3164", "a|b"],
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="expected"):
        TranslationMemory(name=name, file=Path("x.tmx"))


def test_corpora_of_other_scripts_are_two(tmp_path: Path) -> None:
    paths = [tmp_path / "Мемуары.tmx", tmp_path / "Письма.tmx.zst"]
    bitext = Bitext.model_validate({"own": [str(path) for path in paths]})
    assert [own.full_name for own in bitext.own] == ["Мемуары/v1", "Письма/v1"]
    texts = RunningText.model_validate(
        {"own": [str(tmp_path / "Мемуары.jsonl"), str(tmp_path / "Письма.jsonl")]}
    )
    assert texts.names == ["Мемуары/v1", "Письма/v1"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("News", "news"),
        ("МЕМУАРЫ", "Мемуары"),
        ("a b", "a-b"),
        ("été", unicodedata.normalize("NFD", "été")),
        ("😀", "😈"),
        ("a\u200bb", "ab"),
        ("ж" * 61, "ж" * 62),
    ],
)
def test_files_that_become_one_corpus_are_refused_by_name(
    tmp_path: Path, first: str, second: str
) -> None:
    for form, ending in ((Bitext, "tmx"), (RunningText, "jsonl")):
        paths = [str(tmp_path / f"{stem}.{ending}") for stem in (first, second)]
        with pytest.raises(ValidationError) as error:
            form.model_validate({"own": paths})
        assert f"own: {paths[0]} and {paths[1]} would both be named" in str(error.value)


def test_corpora_that_differ_by_case_only_are_refused() -> None:
    own = [{"kind": "tmx", "name": name, "file": "x.tmx"} for name in ("News", "NEWS")]
    with pytest.raises(
        ValidationError, match="News/v1, NEWS/v1 would give rows and files the same names"
    ):
        Bitext.model_validate({"own": own})
