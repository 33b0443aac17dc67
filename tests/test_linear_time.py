"""Four times the text takes about four times as long, whatever a stranger writes."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from factories import pair

from bitext_pivot.alignments.screening import identify, length_screen, scripts
from bitext_pivot.alignments.screening.boilerplate import BoilerplateScreen
from bitext_pivot.alignments.texts import tmx
from bitext_pivot.core import list_marks, splitting, text_damage, untrusted, white_space
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import delimited_text, row_files
from bitext_pivot.core.records import Parse, ParsedPair
from bitext_pivot.corpus import reading
from bitext_pivot.filters import numerals
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.view import View, strip_accents

CHARACTERS = ["[", "<", "&", "%", "(", '"', "0", "-", ".", " ", "a", "0 ", "1:", "1,"]
LONG, SHORT = 24_000, 6_000
AT_MOST = 8
"""Times as long as a quarter of the text: 4 of what is linear, 16 of what is square."""
FLOOR = 0.01
"""Seconds of a short text below which its time says nothing."""


def parse(text: str) -> Parse:
    tokens = tuple(text.split()) or ("x",)
    starts = [0]
    for token in tokens[:-1]:
        starts.append(starts[-1] + len(token) + 1)
    names = ("X",) * len(tokens)
    return Parse(
        tokens=tokens, starts=tuple(starts), lemmas=tokens, tags=names, pos=names,
        deps=("dep",) * len(tokens), heads=(0,) * len(tokens), morphs=("",) * len(tokens), scheme="ud",
    )  # fmt: skip


def view(text: str) -> View:
    side = parse(text)
    return View(ParsedPair(pair=pair(text, text, text), long=side, split=(side, side)))


def card(text: str, folder: Path) -> None:
    (folder / "README.md").write_text(f"---\nlicense: {text}\n---\n\nText.\n", encoding="utf-8")
    try:
        reading.read_card_fields(folder)
    except SettingsError:
        pass


def numbers(language: str, text: str) -> object:
    return numerals.find_numbers(text, language), numerals.find_possible_numbers(text, language)


BOILERPLATE = BoilerplateScreen()
FUNCTIONS: dict[str, Callable[[str], object]] = {
    "boilerplate": lambda text: BOILERPLATE.text_skip_reason(text, "en"),
    "boilerplate inside": lambda text: BOILERPLATE._find_inside(text, "en"),
    "boilerplate cut": lambda text: BOILERPLATE._strip_sentence(text, "en", []),
    "words": length_screen.count_words,
    "width": length_screen.weighted_length,
    "other script": lambda text: scripts.is_in_other_script(text, "en"),
    "evidence": identify.count_lowercase_word_letters,
    "language": lambda text: identify.LanguageScreen().is_in_other_language(text, "en"),
    "break": tmx._is_break,
    "mojibake": text_damage.is_mojibake,
    "markup": text_damage.markup_start,
    "list mark": list_marks.is_list_mark,
    "split": lambda text: splitting.splitter("en").split(text),
    "starts": lambda text: splitting.sentence_starts(text, "en"),
    "safe": untrusted.safe,
    "squeezed": white_space.squeezed,
    "separators": row_files.without_separators,
    "texts of rows": lambda text: row_files.require_text(text, "long"),
    "cells": lambda text: delimited_text._problem(text.split("\t"), [], is_csv=False),
    "accents": strip_accents,
    "view": view,
    **{f"numbers {language}": partial(numbers, language) for language in sorted(numerals.TEXT2NUM_LANGUAGES)},
}  # fmt: skip
FILTERS: dict[str, Any] = {
    name: rule for name, rule in Filters().advanced if isinstance(rule, RuleFilter)
}


def seconds(function: Callable[[Any], object], value: Any) -> float:
    begun = time.process_time()
    function(value)
    return time.process_time() - begun


def check(function: Callable[[Any], object], make: Callable[[str], Any] = str) -> None:
    function(make("It rained."))
    slow = {}
    for characters in CHARACTERS:
        short = make(characters * (SHORT // len(characters)))
        long = make(characters * (LONG // len(characters)))
        for _ in range(3):  # what else runs may hold one of them up
            before, after = FLOOR, seconds(function, long)
            if after > AT_MOST * FLOOR:
                before = max(FLOOR, seconds(function, short))
            if after <= AT_MOST * before:
                break
        else:
            slow[characters] = (before, after)
    assert slow == {}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_time_of_a_function_grows_with_its_text(name: str) -> None:
    check(FUNCTIONS[name])


@pytest.mark.parametrize("name", FILTERS)
def test_the_time_of_a_filter_grows_with_its_texts(name: str) -> None:
    check(FILTERS[name].measure, view)


def test_the_time_of_a_card_grows_with_its_fields(tmp_path: Path) -> None:
    check(lambda text: card(text, tmp_path))


def test_fields_of_a_card_have_a_limit(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"---\na: {'b' * (1 << 18)}\n---\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="more than 262,144 characters"):
        reading.read_card_fields(tmp_path)
