"""One file per recipe with its flow, and one with its settings model (`*settings.py`)."""

from importlib import import_module
from typing import Any


def load(name: str) -> Any:
    """Return the flow of a recipe, which has the name of its file. This imports Prefect."""
    return getattr(import_module(f"{__name__}.{name}"), name)
