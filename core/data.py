"""Data files that come with the code: word lists, labels, sentences of self-checks, calibrated thresholds."""

import functools
import tomllib
from pathlib import Path
from typing import Any


@functools.cache
def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file as a dictionary that callers do not change; each file is read once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))
