"""Files that can run code when they are opened, as weights are often saved: refused by their names, before any loading.

A pickle is a program for Python's unpickler (docs.python.org/3/library/pickle.html, its first warning). Weights are
read here from safetensors and from CTranslate2's own format, which hold numbers only.
"""

from pathlib import PurePath

from pairs.errors import SettingsError

SUFFIXES = frozenset({".bin", ".ckpt", ".joblib", ".pickle", ".pkl", ".pt", ".pth", ".t7", ".th"})
"""Endings under which torch, scikit-learn and others save pickles."""


def refuse_pickle(name: str, setting: str) -> None:
    """Raise SettingsError when `name`, the value of `setting`, is that of a pickle; nothing is opened or fetched."""
    suffix = PurePath(name).suffix.lower()
    if suffix in SUFFIXES:
        raise SettingsError(
            f"{name!r} is named as a pickle ({suffix}), which can run code when it is opened, so it is neither fetched "
            f"nor opened. Expected a folder or a hub name whose weights are in safetensors format; name one with "
            f"{setting}."
        )


def pickles_in(names: list[str]) -> str:
    """Return those of some file names that are named as pickles, for a message; "" when there is none.

    >>> pickles_in(["config.json", "pytorch_model.bin"])
    'pytorch_model.bin'
    """
    return ", ".join(sorted(name for name in names if PurePath(name).suffix.lower() in SUFFIXES))
