"""The scores of random pairs, by which BERTScore is rescaled: bert_score's own, or a file of that form."""

import csv
import functools
import hashlib
import importlib.metadata
import importlib.util
from pathlib import Path

from filters.neural.matching import Comparison
from pairs.errors import SettingsError


def is_shipped(model: str) -> bool:
    """Tell whether bert_score ships the baseline of a model for any language."""
    return any(_shipped().glob(f"*/{model}.tsv"))


def shipped(model: str, language: str) -> Path:
    """Return the file that bert_score ships for a model and a language; raises SettingsError when there is none."""
    path = _shipped() / language / f"{model}.tsv"
    if not path.is_file():
        raise SettingsError(
            f"bert_score ships no baseline of {model!r} for {language!r}. Switch `rescale` off, or give `baseline`."
        )
    return path


@functools.cache
def read(path: Path, layer: int) -> Comparison:
    """Return precision, recall and F of random pairs at a layer, out of a table with the columns LAYER, P, R, F.

    Raises SettingsError when it is no such table or has no such layer.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = {int(row["LAYER"]): [float(row[name]) for name in ("P", "R", "F")] for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SettingsError(
            f"{str(path)!r} is no baseline ({error!r}). Expected bert_score's form: a line `LAYER,P,R,F`, then a "
            "line of numbers for each layer."
        ) from error
    if layer not in rows:
        raise SettingsError(f"The baseline {str(path)!r} has no layer {layer}. It has {', '.join(map(str, rows))}.")
    return Comparison(*rows[layer])


def signature(path: Path | None) -> str:
    """Tell the baseline: a file by its digest, those that are shipped by the package's version.

    Raises SettingsError when there is no such file.
    """
    if path is None:
        return f"bert_score-{importlib.metadata.version('bert_score')}"
    if not path.is_file():
        raise SettingsError(f"There is no file {str(path)!r} to take as `baseline`. Name one, or leave it empty.")
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _shipped() -> Path:
    found = importlib.util.find_spec("bert_score")
    folders = found.submodule_search_locations if found else None
    return Path(folders[0] if folders else ".") / "rescale_baseline"
