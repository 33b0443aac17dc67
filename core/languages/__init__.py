"""The languages of the form, and the data of each: `<code>.toml` in this folder.

They are those of OPUS with a two-letter ISO 639-1 code. A file has a section per reader; en.toml describes them all.
Only the files that are asked for are read.
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
"""English names of the languages, lower case, with their codes."""


Sections = dict[str, dict[str, Any]]
"""The sections of a language's file by name."""


@functools.cache
def language_data(code: str) -> Sections:
    """Return all sections of a language; none for a language without a file."""
    path = _FOLDER / f"{code}.toml"
    if code not in get_args(LanguageCode) or not path.is_file():
        return {}
    try:
        return read_toml(path)
    except ValueError as error:  # a language that is being added
        raise SettingsError(f"{path} is no TOML ({error}). Mend it there.") from error


def section(code: str, name: str) -> dict[str, Any]:
    """Return a section of a language, empty if it has none."""
    return language_data(code).get(name, {})


@functools.cache
def word_list(code: str, section_name: str, name: str) -> frozenset[str]:
    """Return a list of words in a section, written as an array or as one text; empty if there is none."""
    words = section(code, section_name).get(name, ())
    if isinstance(words, str):
        words = words.split()
    return frozenset(words)


def languages_with(name: str) -> tuple[str, ...]:
    """Return the languages that have a section, English first. Reads the files of all languages."""
    codes = [code for code in get_args(LanguageCode) if name in language_data(code)]
    return tuple(sorted(codes, key=lambda code: (code != "en", code)))


def digest(code: str, *names: str) -> str:
    """Return digits that change with the data of a language, for the keys of shards.

    `names`: the sections that count; without names all.
    """
    data = language_data(code)
    if not names:
        return key(data)
    return key({name: data.get(name) for name in names})


def english_name(code: str) -> str:
    """Return the English name of a language, or its code if it is none of the form's."""
    for name, listed in NAMES.items():
        if listed == code:
            return name.capitalize()
    return code


def check_different(first: str, second: str) -> None:
    """Raise SettingsError if both sides of a language pair are the same language."""
    if first == second:
        raise SettingsError(f"Both languages are {first!r}: name two different ones.")
