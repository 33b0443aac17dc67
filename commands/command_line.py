"""Help and error messages of the command line, and the source that reads its options."""

import json
import re
import textwrap
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_settings import CliSettingsSource

from bitext_pivot.core.refused_values import joined, located, short
from bitext_pivot.core.settings import Word

_WIDTH = 80
_SETTING = re.compile(r"(?<![\w./-])\w+(?:\.\w+)+")
"""The path of a setting in a group, such as `translation.model`."""
_IN_JSON = ("{", "[")


def environment(model: type[BaseModel], prefix: str) -> str:
    """Return the help text on environment variables: names, descriptions and defaults.

    The variables are the fields of `model`; `prefix` is the beginning of their names.
    """
    lines = ["environment variables:"]
    for name, field in model.model_fields.items():
        default = "" if field.default is None else f" (default: {field.default})"
        lines.append(f"  {prefix}{name.upper()}")
        lines += textwrap.wrap(
            f"{field.description}{default}",
            _WIDTH,
            initial_indent=" " * 6,
            subsequent_indent=" " * 6,
        )
    return "\n".join(lines)


def with_options(message: str, options: Collection[str]) -> str:
    """Return a message with options such as `--a.b` in place of paths of settings such as `a.b`."""

    def option(match: re.Match[str]) -> str:
        name = f"--{match[0]}"
        if name in options:
            return name
        return match[0]

    return _SETTING.sub(option, message)


def option_problems(error: ValidationError, options: Collection[str]) -> Iterator[str]:
    """Yield one line per refused value. The line names the option as a user types it."""
    for problem in error.errors():
        # The first part is the name of the command, and integers are indices of list entries.
        where = joined(problem["loc"][1:])
        names = [name for name in problem["loc"][1:] if isinstance(name, str)]
        option = f"--{joined(names)}"
        yield located(option if option in options else where, problem)


class OptionSource(CliSettingsSource[Any]):
    """A settings source of command-line options that keeps the backslashes in JSON lists.

    pydantic-settings doubles the backslashes in lists, which breaks the escapes of JSON.
    """

    def __call__(self, **parsed: Any) -> Any:
        """Return the parsed values, with all strings as `Word`.

        With arguments to parse, pydantic-settings returns the source itself.
        """
        return _words(super().__call__(**parsed))

    def _merged_list_to_str(self, merged_list: list[str], field_name: str) -> str:
        plain = ["null" if item.startswith(_IN_JSON) else item for item in merged_list]
        text = super()._merged_list_to_str(plain, field_name)
        if plain == merged_list:
            return text
        values = zip(merged_list, json.loads(text), strict=True)
        return json.dumps(
            [value if value is not None else json.loads(item) for item, value in values]
        )


def _words(value: Any) -> Any:
    """Return a copy of a nested value in which all strings are of the class `Word`."""
    if isinstance(value, dict):
        return {name: _words(part) for name, part in value.items()}
    if isinstance(value, list):
        return [*map(_words, value)]
    return Word(value) if isinstance(value, str) else value


def unreadable(arguments: Sequence[str], error: Exception) -> str:
    """Return the message for invalid JSON in a value, or an unreadable Prefect settings file."""
    words = [argument.rpartition("=")[2] for argument in arguments]
    values = [word for word in words if word.startswith(_IN_JSON)]
    reason = error.__cause__ or error
    if not values:
        return (
            "pyproject.toml, prefect.toml or .env in the working folder, which may contain settings of Prefect, cannot "
            f"be read ({reason}). Correct that file, or run the command in another folder."
        )
    return f"{short(' '.join(values))}: expected a word, a number, or JSON ({reason})."
