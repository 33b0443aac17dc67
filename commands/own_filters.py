"""Filters and engines of the user's own on a command line: their code is loaded."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from bitext_pivot.core.data import parse_json

_OWN = "--filters.own"
_ENGINE = "--translation.engine"
_GROUP = "--filters.advanced"
_SETTING = re.compile(rf"{re.escape(_GROUP)}\.(\w+)\.(\w+)")


def with_own_code(arguments: Sequence[str]) -> list[str]:
    """Allow filters and engines that a command line names; return it with the settings of filters in JSON.

    The options of a command are known before its line is read, so `--filters.advanced.no_museum.max_words 3`
    becomes `--filters.advanced {"no_museum": {"max_words": 3}}`.
    """
    options = list(_options(arguments))
    engines = [value for option, value, _ in options if option == _ENGINE]
    if engines:
        from bitext_pivot.translation.models import OUTSIDE

        OUTSIDE.allow(engines)
    listed = (_listed(value) for option, value, _ in options if option == _OWN)
    filters = [*chain.from_iterable(listed)]
    if filters:
        from bitext_pivot.filters import own

        own.KIND.allow(filters)
    if not any(_SETTING.fullmatch(option) for option, _, _ in options):
        return [*arguments]
    from bitext_pivot.filters.chain import FilterSettings

    rest: list[str] = []
    settings: dict[str, dict[str, Any]] = {}
    for option, value, words in options:
        setting = _SETTING.fullmatch(option)
        if setting is None or setting[1] in FilterSettings.model_fields:
            rest += words
        else:
            settings.setdefault(setting[1], {})[setting[2]] = _value(value)
    if settings:
        rest += [_GROUP, json.dumps(settings)]
    return rest


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield each option with its value and its words on the line; other words alone."""
    rest = [*arguments]
    while rest:
        option, is_whole, value = rest[0].partition("=")
        words = rest[:1]
        if option.startswith(("--filters.", _ENGINE)) and not is_whole:
            words = rest[:2]
            value = "".join(rest[1:2])
        yield option, value, words
        del rest[: len(words)]


def _listed(value: str) -> list[str]:
    """Return the names in an option's value: one, several with commas, or a list in JSON."""
    names = _value(value)
    if isinstance(names, list):
        return [*map(str, names)]
    return value.split(",")


def _value(text: str) -> Any:
    """Return the value of a list or a group in JSON, other values as they are."""
    if not text.startswith(("[", "{")):
        return text
    try:
        return parse_json(text)
    except ValueError:
        return text
