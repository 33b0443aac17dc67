"""The languages that a user can choose, and the data of each language: the file `<code>.toml` in this folder.

The languages are those of OPUS with a two-letter ISO 639-1 code. A file has one section for each part of the program
that reads it; en.toml describes all sections. A file is read only when it is needed.
"""

import functools
from pathlib import Path
from typing import Any, Literal, get_args

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import key

_FOLDER = Path(__file__).parent

LanguageCode = Literal[
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi", "hr",
    "hu", "id", "is", "it", "ja", "ko", "lt", "lv", "mk", "mt", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq",
    "sr", "sv", "tr", "uk", "vi", "zh",
]  # fmt: skip

NAMES: dict[str, str] = read_toml(_FOLDER / "names.toml")
"""Codes by the English names of the languages in lower case."""


Sections = dict[str, dict[str, Any]]
"""The sections of a language's data file, by name of the section."""


@functools.cache
def language_data(code: str) -> Sections:
    """Return all sections of a language's data file, or an empty dictionary if there is no file."""
    path = _FOLDER / f"{code}.toml"
    if code not in get_args(LanguageCode) or not path.is_file():
        return {}
    try:
        return read_toml(path)
    except ValueError as error:  # happens while somebody adds a language
        raise SettingsError(f"{path} is not valid TOML ({error}). Correct the file.") from error


def section(code: str, name: str) -> dict[str, Any]:
    """Return a section of a language's data file, or an empty dictionary if it is missing."""
    return language_data(code).get(name, {})


@functools.cache
def word_list(code: str, section_name: str, name: str) -> frozenset[str]:
    """Return a word list from a section of a language's data file, or an empty set if it is missing.

    In the file, a list is an array or one string of words separated by spaces.
    """
    words = section(code, section_name).get(name, ())
    if isinstance(words, str):
        words = words.split()
    return frozenset(words)


def languages_with(name: str) -> tuple[str, ...]:
    """Return the languages whose data files have the section `name`, English first.

    This reads the files of all languages.
    """
    codes = [code for code in get_args(LanguageCode) if name in language_data(code)]
    return tuple(sorted(codes, key=lambda code: (code != "en", code)))


def digest(code: str, *names: str) -> str:
    """Return a digest of a language's data file, which becomes part of shard keys.

    If `names` are given, only these sections are included.
    """
    data = language_data(code)
    if not names:
        return key(data)
    return key({name: data.get(name) for name in names})


def english_name(code: str) -> str:
    """Return the English name of a language, or its code if the language is not in `NAMES`."""
    for name, listed in NAMES.items():
        if listed == code:
            return name.capitalize()
    return code


def check_different(first: str, second: str) -> None:
    """Raise SettingsError if both languages of a pair are the same."""
    if first == second:
        raise SettingsError(f"Both languages are {first!r}: name two different languages.")
