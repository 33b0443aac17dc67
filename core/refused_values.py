"""Messages for values that pydantic refuses: the path of the setting, the expected value and the given value."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from bitext_pivot.core.languages import NAMES
from bitext_pivot.core.similar import question

_ADDRESS = re.compile(" at 0x[0-9a-f]+")
_LONGEST = 200
"""Maximum length of a refused value in a message, in characters."""


def problems(error: ValidationError) -> Iterator[str]:
    """Yield one line for each refused value, with its path, the expected value and the given value."""
    for problem in error.errors():
        yield located(joined(problem["loc"]), problem)


def joined(place: Iterable[str | int]) -> str:
    """Return the path of a value in the settings, with dots: `filters.preset`, `corpora.0`."""
    return ".".join(map(str, place))


def located(where: str, problem: Mapping[str, Any]) -> str:
    """Return the line of a message about a refused value.

    `where` is the name of an option or a setting, or "" if the settings as a whole are refused.
    """
    value = problem["input"]
    text = expected(problem)
    is_absent = problem["type"] == "missing"
    is_group = isinstance(value, dict | BaseModel)
    if not is_absent and not is_group:
        text = f"{text} (given: {short(_ADDRESS.sub('', repr(value)))})"
    if not where:
        return text
    return f"{where}: {text}"


def expected(problem: Mapping[str, Any]) -> str:
    """Return the text that describes the expected value, given an entry of `ValidationError.errors()`."""
    text: str = problem["msg"]
    if problem["type"] == "union_tag_invalid":
        return "expected {discriminator} to be one of {expected_tags}".format(**problem["ctx"])
    if problem["type"] == "literal_error":
        value = str(problem["input"] or "")
        words = problem["ctx"]["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        meant = question(NAMES.get(value.casefold(), value), words)
        if meant:
            return f"this value is not known.{meant}"
    return (
        text.removeprefix("Value error, ")
        .replace("Input should be ", "expected ")
        .replace("Instance is frozen", "settings are fixed")
    )


def short(text: str) -> str:
    """Return a text for a message, truncated if it is long."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]} ..."
