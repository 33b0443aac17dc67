"""Data files that come with the code (word lists, labels, calibrated thresholds), and JSON that comes from outside."""

import functools
import json
import tomllib
from pathlib import Path
from typing import Any


@functools.cache
def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file as a dictionary that callers do not change; each file is read once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def parse_json(text: str) -> Any:
    """Return the value of a JSON text of anyone; raises ValueError also for one that is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
