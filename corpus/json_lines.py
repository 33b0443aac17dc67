"""JSON lines."""

from typing import Any

import orjson


def json_line(row: Any) -> str:
    """Return one line of JSON; line breaks of Unicode stay escaped so that every reader agrees on lines."""
    text = orjson.dumps(row).decode()
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
