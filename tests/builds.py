"""Builds of the quickstart corpus, as several tests make them."""

from pathlib import Path
from typing import Any


def tree(folder: Path) -> dict[str, bytes]:
    """All files of a data set, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def quickstart(**changes: Any) -> dict[str, Any]:
    """Settings of a build of the quickstart's French bitext with its own models."""
    return {
        "pivot": "fr", "corpora": ["Everyday/v1"], "shard_rows": 40,
        "translation": {"model": "quickstart/models/marian-frdees-en"},
        "parser": {"pipeline": "quickstart/models/spacy-en-ud"}, "sieve": {"preset": "strict"}, **changes,
    }  # fmt: skip
