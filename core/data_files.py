"""Data files that come with the code (word lists, labels, calibrated thresholds), and JSON that comes from outside."""

import functools
import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from bitext_pivot.core import text_files

_LONGEST = 40  # characters of a name in a message


@functools.cache
def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file as a dictionary that callers do not change; each file is read once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def parse_json(text: str) -> Any:
    """Return the value of a JSON text of anyone.

    Raises ValueError also for one that is nested too deeply, or has a name twice in an object: which value
    counts is not defined (RFC 8259, section 4).
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def parse_row(line: str) -> dict[str, Any] | str:
    """Return the object in a line of JSON, or what is wrong with the line."""
    if not text_files.is_utf8(line):
        return text_files.NO_UTF8
    try:
        value = parse_json(line)
    except ValueError as error:
        return f"not JSON ({error})"
    return value if isinstance(value, dict) else "no JSON object"


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Raises ValueError for a name that it has twice."""
    values = dict(members)
    if len(values) < len(members):
        names = Counter(name for name, _ in members)
        raise ValueError(f"{names.most_common(1)[0][0][:_LONGEST]!r} is named twice in an object")
    return values
