"""Names of pickle files, in which weights are often saved: a model is named by its folder or on the hub instead.

A pickle is a program for Python's unpickler (docs.python.org/3/library/pickle.html, its first warning). Of a model's
folder `pairs/checkpoints/weights.py` reads pytorch_model.bin, with torch's restricted unpickler, and no other pickle.
"""

from pathlib import PurePath

from pairs.errors import SettingsError

SUFFIXES = frozenset({".bin", ".ckpt", ".joblib", ".pickle", ".pkl", ".pt", ".pth", ".t7", ".th"})
"""Endings under which torch, scikit-learn and others save pickles."""


def refuse_pickle(name: str, setting: str) -> None:
    """Raise SettingsError if `name`, the value of `setting`, names a pickle file. Nothing is opened or downloaded."""
    suffix = PurePath(name).suffix.lower()
    if suffix in SUFFIXES:
        raise SettingsError(
            f"{setting} is {name!r}, which names a file of weights ({suffix}). Give the model's folder or its name on "
            "the hub instead."
        )
