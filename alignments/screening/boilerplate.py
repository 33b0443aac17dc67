"""Text of a corpus that is no sentence: speaker tags, headings, menus, tables, left-over markup.

The patterns are data (boilerplate.toml). A rule either cuts something off at the beginning of a sentence or rejects the
whole alignment. Each sentence is treated by itself, so the split point cannot move, and none is ever cut to nothing.
"""

import functools
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from pairs.records import Alignment
from pairs.settings import Settings, misspelt

Where = Literal["start", "whole", "inside"]
_MEASURED = ("no letters", "few letters", "upper case", "lead-in")
_PLACE = re.compile(r"(?:[A-ZÀ-ÖØ-Þ][\w.’'-]*,?\s?){1,3}\.")
_DASH = re.compile(r"[-–—]\s")
_AGAIN = 4  # tags that one sentence may begin with; no real one has more
_LETTERS_TO_SHOUT = 12  # fewer capitals are an acronym or a name


class Boilerplate(Settings):
    """Which text that is no sentence is cut off, and which rejects an alignment."""

    enabled: bool = Field(
        default=True,
        title="On",
        description="Leave out alignments with a heading, a menu, a list of numbers, left-over markup and the like.",
    )
    clean: bool = Field(
        default=True,
        title="Cut off tags",
        description="Cut language tags such as (DE), speaker tags and dashes off the beginning of a "
        "sentence. Off: such sentences stay as they are; those that are nothing else are left out all the same.",
    )
    without: list[str] = Field(
        default=[],
        max_length=50,
        title="Rules switched off",
        description="Names of rules that are not applied, for instance `dash`; docs/screening.md lists them.",
    )
    min_letters: float = Field(
        default=0.4,
        ge=0.0,
        le=1.0,
        title="Least share of letters",
        description="A sentence in which less than this share of what is not blank are letters is no sentence.",
    )
    max_upper_case: float = Field(
        default=0.7,
        ge=0.0,
        le=1.0,
        title="Largest share of capitals",
        description="A sentence in which more than this share of the letters are capitals is a heading.",
    )

    @field_validator("without")
    @classmethod
    def _known(cls, names: list[str]) -> list[str]:
        for name in names:
            if name not in rule_names():
                raise ValueError(misspelt(name, rule_names(), what="rule of boilerplate"))
        return names

    def clean_up(self, alignment: Alignment) -> tuple[Alignment, list[str]]:
        """Return the alignment without what its sentences begin with, and the rule of each cut.

        A sentence that is nothing but such beginnings is left whole, for `fault` to find.
        """
        if not (self.enabled and self.clean):
            return alignment, []
        removed: list[str] = []
        one = self._cut(alignment.one, alignment.one_language, removed)
        first, second = (self._cut(text, alignment.two_language, removed) for text in alignment.two)
        return (replace(alignment, one=one, two=(first, second)) if removed else alignment), removed

    def fault(self, alignment: Alignment) -> str | None:
        """Return the name of the first rule that rejects the alignment, None when none does.

        Asked about the alignment as it was before `clean_up`, since a dash tells that a speaker tag stands before it.
        """
        if not self.enabled:
            return None
        if "lead-in" not in self.without and self._is_lead_in(*alignment.two, alignment.two_language):
            return "lead-in"
        sides = ((alignment.one, alignment.one_language), *((text, alignment.two_language) for text in alignment.two))
        return next((name for text, language in sides if (name := self.text_fault(text, language))), None)

    def text_fault(self, text: str, language: str) -> str | None:
        """Return the name of the first rule by which a text is no sentence of `language`, None when it may be one."""
        off = tuple(self.without)
        rest, removed = _without_start(text, language, off)
        if removed and not _has_letters(rest):
            return removed[0]
        for where, match in (("whole", re.Pattern.fullmatch), ("inside", re.Pattern.search)):
            rules = _compiled(where, language, off)
            if rules.pattern is not None and (found := match(rules.pattern, rest)) is not None:
                return rules.name(found)
        name = self._measured_fault(rest)
        return None if name in off else name

    def _measured_fault(self, text: str) -> str | None:
        letters = sum(map(str.isalpha, text))
        if not letters:
            return "no letters"
        if letters < self.min_letters * (len(text) - text.count(" ")) and not _marks_in_words(text):
            return "few letters"
        upper = sum(map(str.isupper, text))
        return "upper case" if upper >= _LETTERS_TO_SHOUT and upper > self.max_upper_case * letters else None

    def _is_lead_in(self, first: str, second: str, language: str) -> bool:
        """Whether the second half begins with the dash of a tag or dateline that the first half is."""
        if not _DASH.match(second):
            return False
        rules = _compiled("start", language, tuple(self.without))
        tag = rules.pattern.match(f"{first} {second[:40]}") if rules.pattern is not None else None
        return (tag is not None and tag.end() > len(first) + 1) or _PLACE.fullmatch(first) is not None

    def _cut(self, text: str, language: str, removed: list[str]) -> str:
        rest, names = _without_start(text, language, tuple(self.without))
        if not names or not _has_letters(rest):
            return text
        removed += names
        return rest


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of one place for one language as one expression."""

    pattern: re.Pattern[str] | None
    names: tuple[str, ...]

    def name(self, found: re.Match[str]) -> str:
        return self.names[int((found.lastgroup or "r0")[1:])]


@functools.cache
def _table() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = tomllib.loads(source())["rule"]
    return rules


def source() -> str:
    """Return boilerplate.toml as it is, so that a changed pattern can change a shard's key."""
    return Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")


def rule_names() -> list[str]:
    """Return the names of all rules: those of boilerplate.toml, then those that measure."""
    return [*(rule["name"] for rule in _table()), *_MEASURED]


@functools.cache
def _compiled(where: Where, language: str, without: tuple[str, ...]) -> _Rules:
    """Return the rules of a place; a rule has an `all` and lists by language, and other languages have `all` alone."""
    names: list[str] = []
    alternatives: list[str] = []
    for rule in _table():
        patterns = [*rule["patterns"].get("all", []), *rule["patterns"].get(language, [])]
        if rule["where"] == where and rule["name"] not in without and patterns:
            alternatives.append(f"(?P<r{len(names)}>{'|'.join(patterns)})")
            names.append(rule["name"])
    # Speaker tags tell by lower case what they are; headings and dates are written in any case.
    flags = re.NOFLAG if where == "start" else re.IGNORECASE
    return _Rules(re.compile("|".join(alternatives), flags) if alternatives else None, tuple(names))


def _without_start(text: str, language: str, without: tuple[str, ...]) -> tuple[str, list[str]]:
    """Cut the rules of the start off, one behind the other; return the rest and the names of what was cut."""
    rules = _compiled("start", language, without)
    removed: list[str] = []
    while rules.pattern is not None and len(removed) < _AGAIN and (found := rules.pattern.match(text)) is not None:
        removed.append(rules.name(found))
        text = text[found.end() :].lstrip()
    return text, removed


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _marks_in_words(text: str) -> bool:
    """Whether combining marks stand in the words, as in Hindi and Thai, which `isalpha` does not count."""
    return any("\u0300" <= letter <= "\u036f" or "\u0590" <= letter <= "\u0eff" for letter in text)
