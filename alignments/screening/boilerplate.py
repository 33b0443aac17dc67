"""Detect text that is not a sentence: speaker tags, headings, menus, tables, left-over markup.

Patterns for all languages are in boilerplate.toml, patterns for one language in the section `boilerplate` of its data
file (core/languages). A rule either removes a tag from the start or end of a sentence, or rejects the alignment. Each
sentence is handled on its own, so no text moves from one sentence to another, and no sentence becomes empty.
"""

import functools
import re
from dataclasses import replace
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Literal, NamedTuple

import regex  # type: ignore[import-untyped]
from pydantic import Field, field_validator

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.languages import digest, section
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings, misspelt
from bitext_pivot.core.text_damage import is_mojibake, markup_start, signature

RulePosition = Literal["start", "end", "whole", "inside"]
_MEASURED_RULES = ("markup", "mojibake", "no letters", "few letters", "upper case", "lead-in")
_CODE_VERSION = 3
"""Version of the rules that are written in Python, which is part of shard keys. Increase it when these rules find other
text."""
_DATELINE = re.compile(r"(?:[A-ZÀ-ÖØ-Þ][\w.’'-]*,?\s?){1,3}\.")
_DASH = re.compile(r"[-–—]\s")
_MAX_TAGS = 4  # at the start of a sentence; no real sentence has more
_MIN_CAPITALS = 12  # letters; a text with fewer may be an acronym or a name
_TABLE = Path(__file__).with_suffix(".toml")


class BoilerplateRule(NamedTuple):
    """A rule of boilerplate.toml, with its patterns for all languages and for one language."""

    name: str
    pattern: re.Pattern[str] | regex.Pattern[str]


class BoilerplateScreen(Settings):
    """Which text is removed from sentences, and which text rejects an alignment."""

    enabled: bool = Field(default=True, title="On")
    """Skip alignments with a heading, a menu, a list of numbers, left-over markup and the like."""
    clean: bool = Field(default=True, title="Remove tags")
    """Remove language tags such as (DE), speaker tags, dashes and subtitle symbols from a sentence. If this
    is off, such sentences stay as they are. Sentences that consist of tags only are skipped in any case."""
    without: list[str] = Field(default=[], max_length=50, title="Rules switched off")
    """Names of rules that are not applied, for instance `dash`; docs/screening.md lists them."""
    min_letters: float = Field(default=0.4, ge=0.0, le=1.0, title="Minimum share of letters")
    """Skip a sentence if a smaller share of its characters, spaces excluded, are letters."""
    max_upper_case: float = Field(default=0.7, ge=0.0, le=1.0, title="Maximum share of capitals")
    """Skip a sentence as a heading if a larger share of its letters are capitals."""

    @field_validator("without")
    @classmethod
    def _known(cls, names: list[str]) -> list[str]:
        for name in names:
            if name not in rule_names():
                raise ValueError(misspelt(name, rule_names(), what="rule of boilerplate"))
        return names

    def remove_tags(self, alignment: Alignment) -> tuple[Alignment, list[str]]:
        """Return the alignment without tags, and the name of the rule for each removed tag.

        A sentence that consists of tags only is not changed: `skip_reason` rejects it.
        """
        if not (self.enabled and self.clean):
            return alignment, []
        removed: list[str] = []
        one_text = self._strip_sentence(alignment.one, alignment.one_language, removed)
        first, second = (
            self._strip_sentence(text, alignment.two_language, removed) for text in alignment.two
        )
        return (
            replace(alignment, one=one_text, two=(first, second)) if removed else alignment
        ), removed

    def skip_reason(self, alignment: Alignment) -> str | None:
        """Return the name of the first rule that rejects the alignment, or None.

        Pass the alignment as it was before `remove_tags`: a dash at the start of a sentence may show that the previous
        sentence is a speaker tag.
        """
        if not self.enabled:
            return None
        if "lead-in" not in self.without and self._is_lead_in(
            *alignment.two, alignment.two_language
        ):
            return "lead-in"
        sentences = (
            (alignment.one, alignment.one_language),
            *((text, alignment.two_language) for text in alignment.two),
        )
        for text, language in sentences:
            name = self.text_skip_reason(text, language)
            if name:
                return name
        return None

    def text_skip_reason(self, text: str, language: str) -> str | None:
        """Return the name of the first rule that rejects a text as a sentence of `language`, or None."""
        rest, removed = _strip_tags(text, language, tuple(self.without))
        if removed and not _has_letters(rest):
            return removed[0]
        for rule in self._rules("whole", language):
            if rule.pattern.fullmatch(rest):
                return rule.name
        inside = self._find_inside(rest, language)
        if inside:
            return min(inside, key=itemgetter(0))[1]
        if "mojibake" not in self.without and is_mojibake(rest):
            return "mojibake"
        measured = self._measured_skip_reason(rest)
        return None if measured in self.without else measured

    def _find_inside(self, text: str, language: str) -> list[tuple[int, str]]:
        """Return offset and name of every rule that matches inside a sentence, for its first match."""
        matches = (
            (rule.pattern.search(text), rule.name) for rule in self._rules("inside", language)
        )
        inside = [(match.start(), name) for match, name in matches if match]
        markup = markup_start(text)
        if markup is not None and "markup" not in self.without:
            inside.append((markup, "markup"))
        return inside

    def _rules(self, where: RulePosition, language: str) -> list[BoilerplateRule]:
        return _rules(where, language, tuple(self.without))

    def _measured_skip_reason(self, text: str) -> str | None:
        letters = sum(map(str.isalpha, text))
        if not letters:
            return "no letters"
        if letters < self.min_letters * (len(text) - text.count(" ")) and not _has_combining_marks(
            text
        ):
            return "few letters"
        upper = sum(map(str.isupper, text))
        return (
            "upper case"
            if upper >= _MIN_CAPITALS and upper > self.max_upper_case * letters
            else None
        )

    def _is_lead_in(self, first: str, second: str, language: str) -> bool:
        """Return True if `first` is only a speaker's name or a dateline, and `second` begins with a dash.

        Example: `Paris.` and `- The minister has resigned.`
        """
        if not _DASH.match(second):
            return False
        text = f"{first} {second[:40]}"
        tag = next(
            (
                match
                for _, pattern in self._rules("start", language)
                if (match := pattern.match(text))
            ),
            None,
        )
        return (tag is not None and tag.end() > len(first) + 1) or _DATELINE.fullmatch(
            first
        ) is not None

    def _strip_sentence(self, text: str, language: str, removed: list[str]) -> str:
        rest, names = _strip_tags(text, language, tuple(self.without))
        if not names or not _has_letters(rest):
            return text
        removed += names
        return rest


def rule_sources(*languages: str) -> str:
    """Return the text of boilerplate.toml, and the versions of all other rules, for some languages.

    They become part of shard keys, because they decide which text is found.
    """
    digests = " ".join(digest(language, "boilerplate") for language in languages)
    tables = [_TABLE.read_text(encoding="utf-8"), signature()]
    return "\n".join([*tables, f"# code {_CODE_VERSION}, ftfy {version('ftfy')}, {digests}"])


def rule_names() -> list[str]:
    """Return the names of all rules: first those of boilerplate.toml, then those that count characters."""
    return [*(rule["name"] for rule in read_toml(_TABLE)["rule"]), *_MEASURED_RULES]


@functools.cache
def _rules(where: RulePosition, language: str, without: tuple[str, ...]) -> list[BoilerplateRule]:
    """Return the rules for one position in the text and one language, except those named in `without`."""
    rules = []
    for rule in read_toml(_TABLE)["rule"]:
        patterns = [
            *rule.get("patterns", []),
            *section(language, "boilerplate").get(rule["name"], []),
        ]
        if rule["where"] == where and patterns and rule["name"] not in without:
            rules.append(BoilerplateRule(rule["name"], _compile("|".join(patterns), where)))
    return rules


def _compile(pattern: str, where: RulePosition) -> re.Pattern[str] | regex.Pattern[str]:
    if where == "end":  # search backwards, which fails at once in most texts
        return regex.compile(rf"(?r)(?:{pattern})\s*\Z")
    # Case distinguishes speaker tags from sentences. Headings and dates are matched in any case.
    return re.compile(f"(?:{pattern})", re.NOFLAG if where == "start" else re.IGNORECASE)


@functools.lru_cache(maxsize=8)  # each of the three sentences of an alignment is checked twice
def _strip_tags(text: str, language: str, without: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the text without tags at its start and end, and the rules that removed them."""
    text, removed = _strip_start_tags(text, _rules("start", language, without))
    for name, pattern in _rules("end", language, without):
        match = pattern.search(text)
        if match:
            removed.append(name)
            text = text[: match.start()].rstrip()
    return text, tuple(removed)


def _strip_start_tags(text: str, rules: list[BoilerplateRule]) -> tuple[str, list[str]]:
    """Return the text without the tags at its start, and the rules that removed them."""
    removed: list[str] = []
    while len(removed) < _MAX_TAGS:
        cut = next(
            ((name, match.end()) for name, pattern in rules if (match := pattern.match(text))),
            None,
        )
        if cut is None:
            break
        removed.append(cut[0])
        text = text[cut[1] :].lstrip()
    return text, removed


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _has_combining_marks(text: str) -> bool:
    """Return True for scripts such as Devanagari and Thai, whose combining marks `isalpha` does not count."""
    return any("\u0300" <= letter <= "\u036f" or "\u0590" <= letter <= "\u0eff" for letter in text)
