"""The files of the languages: each has sections that a reader reads, and changes the keys of what they decide."""

from pathlib import Path
from typing import get_args

import pytest
from generate import WITHOUT

from bitext_pivot.core import languages
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import (
    NAMES,
    LanguageCode,
    digest,
    english_name,
    language_data,
    languages_with,
    section,
)

CODES = get_args(LanguageCode)


def test_every_language_has_a_name() -> None:
    assert sorted(NAMES.values()) == sorted(CODES)
    assert english_name("pt") == "Portuguese" and english_name("lb") == "lb"


@pytest.mark.parametrize("code", ["ko", "lb", "xx", "", "../languages/en", "en.toml", "EN"])
def test_what_has_no_file_has_no_data(code: str) -> None:
    assert language_data(code) == {} and section(code, "numbers") == {}


def test_a_file_that_is_no_toml_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sv.toml").write_text('[clauses]\njoining = ["och",')
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    monkeypatch.setattr(languages, "language_data", languages.language_data.__wrapped__)
    with pytest.raises(SettingsError, match=r"sv\.toml is not valid TOML \(Invalid value"):
        section("sv", "clauses")


def test_english_has_every_section_and_each_says_what_a_language_lacks_without_it() -> None:
    assert {name for code in CODES for name in language_data(code)} == set(language_data("en"))
    assert list(language_data("en")) == list(WITHOUT)


@pytest.mark.parametrize("code", [code for code in CODES if language_data(code)])
def test_a_section_is_complete(code: str) -> None:
    """What all languages with full data have in a section; some have number words or the word order alone."""
    for name, entries in language_data(code).items():
        if name not in {"grammar", "numbers", "boilerplate", "invented"}:
            full = [section(other, name) for other in ("en", "fr", "de", "es")]
            needed = set.intersection(*(set(entries) for entries in full if entries))
            assert needed - {"own"} <= set(entries), name  # what a treebank has shown


def test_languages_of_a_section_begin_with_english() -> None:
    codes = languages_with("clauses")
    assert codes[0] == "en" and sorted(codes[1:]) == list(codes[1:])
    assert languages_with("no such section") == ()


def test_a_digest_changes_with_the_data_of_its_sections_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, numbers, joint = digest("de"), digest("de", "numbers"), digest("de", "joint")
    assert len({whole, numbers, joint}) == 3 and digest("de", "numbers", "joint") not in {
        numbers,
        joint,
    }
    monkeypatch.setitem(section("de", "numbers"), "decade", "nie")
    assert (
        digest("de") != whole
        and digest("de", "numbers") != numbers
        and digest("de", "joint") == joint
    )
