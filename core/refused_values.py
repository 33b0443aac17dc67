"""What a settings model refuses, in our words: pydantic's own are for programmers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from bitext_pivot.core.languages import NAMES
from bitext_pivot.core.similar import question

Context = Mapping[str, Any]
_FEW = 12
"""Values that a message lists; of more it names some."""
_LISTED = 4
_LONGEST = 200
"""Characters of a refused value that a message repeats."""
_NUMBER = "expected a number"
_WHOLE_NUMBER = "expected a whole number"
_TEXT = "expected a text"
_LIST = "expected a list"
_SWITCH = "expected true or false"
_GROUP = "expected a group of settings"
_PATH = "expected the path of a file or folder"
_KINDS = {
    "missing": "must be given",
    "extra_forbidden": "is no setting",
    "int_parsing": _WHOLE_NUMBER,
    "int_parsing_size": _WHOLE_NUMBER,
    "int_type": _WHOLE_NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "finite_number": "expected a finite number",
    "bool_parsing": _SWITCH,
    "bool_type": _SWITCH,
    "string_type": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _GROUP,
    "model_type": _GROUP,
    "model_attributes_type": _GROUP,
    "path_type": _PATH,
}
"""What is said of a kind of problem (pydantic's error types), where it does not depend on bounds."""


def problems(error: ValidationError) -> Iterator[str]:
    """Yield one line for each refused value: where it is, what was expected, what was given."""
    for problem in error.errors():
        yield located(joined(problem["loc"]), problem)


def joined(place: Iterable[str | int]) -> str:
    """Return the place of a value as it is written: `filters.preset`, `corpora.0`."""
    return ".".join(map(str, place))


def located(where: str, problem: Mapping[str, Any]) -> str:
    """Return the line for a refused value. `where`: an option, a setting, or "" for the whole form."""
    value = problem["input"]
    text = expected(problem)
    is_absent = problem["type"] == "missing"
    is_group = isinstance(value, dict | BaseModel)
    if not is_absent and not is_group:
        text = f"{text} (given: {_short(repr(value))})"
    if not where:
        return text
    return f"{where}: {text}"


def expected(problem: Mapping[str, Any]) -> str:
    """Return what was expected in place of a refused value: an entry of `ValidationError.errors()`."""
    kind = problem["type"]
    context = problem.get("ctx", {})
    if kind == "literal_error":
        return _choice(str(problem["input"] or ""), context["expected"])
    if kind in _KINDS:
        return _KINDS[kind]
    if kind in _BOUNDS:
        return _BOUNDS[kind](context)
    text: str = problem["msg"]
    return text.removeprefix("Value error, ").replace("Input should be ", "expected ")


def _choice(value: str, listed: str) -> str:
    """Name the word that is meant among those that pydantic lists, also a language by its English name."""
    words = _words(listed)
    if meant := question(NAMES.get(value.casefold(), value), words):
        return f"this value is not known.{meant}"
    return f"this value is not known; expected {_some(words)}"


def _words(listed: str) -> list[str]:
    """Return the words of pydantic's lists: `'a', 'b' or 'c'`."""
    return listed.replace(" or ", ", ").replace("'", "").split(", ")


def _some(words: Sequence[str]) -> str:
    if len(words) == 1:
        return words[0]
    if len(words) <= _FEW:
        return f"{', '.join(words[:-1])} or {words[-1]}"
    return f"one of {len(words)}, such as {', '.join(words[:_LISTED])}"


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]} ..."


def _plain(bound: float) -> str:
    """Return a bound without the `.0` of a whole number."""
    if bound == int(bound):
        return f"{int(bound):,}"
    return str(bound)


def _characters(number: int) -> str:
    if number == 1:
        return "1 character"
    return f"{number:,} characters"


def _entries(number: int) -> str:
    if number == 1:
        return "1 entry"
    return f"{number:,} entries"


def _tag(context: Context) -> str:
    words = _words(context["expected_tags"])
    return f"{context['discriminator']} {context['tag']!r} is not known; expected {_some(words)}"


_BOUNDS: Mapping[str, Callable[[Context], str]] = {
    "greater_than": lambda context: f"expected more than {_plain(context['gt'])}",
    "greater_than_equal": lambda context: f"expected at least {_plain(context['ge'])}",
    "less_than": lambda context: f"expected less than {_plain(context['lt'])}",
    "less_than_equal": lambda context: f"expected at most {_plain(context['le'])}",
    "string_too_short": lambda context: f"expected at least {_characters(context['min_length'])}",
    "string_too_long": lambda context: f"expected at most {_characters(context['max_length'])}",
    "too_short": lambda context: f"expected at least {_entries(context['min_length'])}",
    "too_long": lambda context: f"expected at most {_entries(context['max_length'])}",
    "json_invalid": lambda context: f"this is no JSON ({context['error']})",
    "union_tag_invalid": _tag,
    "union_tag_not_found": lambda context: f"{context['discriminator']} must be given",
}
"""What is said of a kind of problem, given its bounds."""
