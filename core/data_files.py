"""Read the data files of the package (word lists, labels, calibrated thresholds), and JSON from other sources."""

import functools
import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from bitext_pivot.core import text_files

_MAX_QUOTED = 40
"""Maximum length of a name in a message, in characters."""


@functools.cache
def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Each file is read once, so callers must not change the dictionary."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def parse_json(text: str) -> Any:
    """Return the value of a JSON text that anybody may have written.

    Raises ValueError if it is not JSON, if it is nested too deeply, or if an object repeats a name: which of the values
    counts is undefined (RFC 8259, section 4).
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_names)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def parse_row(line: str) -> dict[str, Any] | str:
    """Return the JSON object in a line, or a string that describes why the line is not an object."""
    if not text_files.is_utf8(line):
        return text_files.NO_UTF8
    try:
        value = parse_json(line)
    except ValueError as error:
        return f"not JSON ({error})"
    return value if isinstance(value, dict) else "no JSON object"


def _unique_names(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of a JSON object. Raises ValueError if a name is repeated."""
    values = dict(members)
    if len(values) < len(members):
        names = Counter(name for name, _ in members)
        raise ValueError(f"{names.most_common(1)[0][0][:_MAX_QUOTED]!r} occurs twice in an object")
    return values
