"""Front matter of the card: what the hub and `datasets.load_dataset` read."""

from collections.abc import Iterable
from typing import Any

from huggingface_hub import DatasetCardData

from corpus.files import KINDS, DataFiles, Kind
from corpus.schema import features

_TAGS = ["bitext-pivot", "sentence-simplification", "split-and-rephrase"]


def front_matter(title: str, language: str, files: DataFiles) -> str:
    """Return the YAML block of a card, with a configuration for each kind of row that has files.

    A configuration names its sets and the pattern of their files. JSON lines need the types of the columns, too.
    """
    kinds = [kind for kind in KINDS if files.subsets(kind)]
    data = DatasetCardData(
        language=language,
        pretty_name=title,
        tags=_TAGS,
        configs=[_configuration(kind, files) for kind in kinds],
        **_types(files, kinds),
    )
    return f"---\n{data.to_yaml()}\n---\n\n"


def _types(files: DataFiles, kinds: Iterable[Kind]) -> dict[str, Any]:
    if files.export.loaded != "jsonl":
        return {}
    return {"dataset_info": [{"config_name": kind, "features": features(files.schemas[kind])} for kind in kinds]}


def without_front_matter(card: str) -> str:
    """Return the text of a card for readers."""
    return card.partition("\n---\n")[2].lstrip() if card.startswith("---\n") else card


def _configuration(kind: str, files: DataFiles) -> dict[str, Any]:
    ending = files.export.endings(files.export.loaded)[0]
    paths = [{"split": subset, "path": f"{kind}/{subset}-*{ending}"} for subset in files.subsets(kind)]
    default = {"default": True} if kind == "pairs" else {}
    return {"config_name": kind, **default, "data_files": paths}
