"""YAML front matter of the card (README.md), which the Hugging Face hub and `datasets.load_dataset` read."""

from typing import Any

from huggingface_hub import DatasetCardData

from bitext_pivot.core import licences
from bitext_pivot.corpus import citation
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.schema import features

_FIXED: dict[str, Any] = {
    "annotations_creators": ["machine-generated"],
    "language_creators": ["found", "machine-generated"],
    "multilinguality": ["monolingual"],
}
_SIZES = {
    1_000: "n<1K",
    10_000: "1K<n<10K",
    100_000: "10K<n<100K",
    1_000_000: "100K<n<1M",
    10_000_000: "1M<n<10M",
}


def front_matter(facts: BuildFacts, language: str, files: DataSetFiles, recipe: Recipe[Any]) -> str:
    """Return the YAML front matter of a card.

    Each kind of row, such as `pairs`, is a configuration that lists the files of each subset by name. A pattern would
    also match files that somebody adds.
    """
    total = sum(facts.licences.values())
    kinds = [kind for kind in files.schemas if files.subsets(kind)]
    data = DatasetCardData(
        language=language,
        pretty_name=facts.title,
        size_categories=next((name for size, name in _SIZES.items() if total < size), "n>10M"),
        configs=[_configuration(kind, files, recipe.rows.first_kind) for kind in kinds],
        task_categories=[recipe.card.task],
        tags=["bitext-pivot", *recipe.card.tags, *_paper(recipe)],
        source_datasets=[f"extended|other-{name.replace('/', '-')}" for name in facts.sources]
        or None,
        **licences.front_matter(facts.licences),
        **_FIXED,
        dataset_info=[_information(kind, files) for kind in kinds],
    )
    return f"---\n{data.to_yaml()}\n---\n\n"


def _paper(recipe: Recipe[Any]) -> list[str]:
    """Return the hub's tag for the recipe's paper in a list, empty if it is not on arXiv."""
    number = citation.arxiv_number(recipe.card.paper)
    if not number:
        return []
    return [f"arxiv:{number}"]


def _information(kind: str, files: DataSetFiles) -> dict[str, Any]:
    """Return the `dataset_info` of a kind of row: columns, number of rows and size in bytes.

    The hub shows it, and `load_dataset` checks it.
    """
    splits = []
    download = 0
    for subset in files.subsets(kind):
        names = files.loaded_files(kind, subset)
        rows = sum(files.rows[name] for name in names)
        splits.append(
            {"name": subset, "num_bytes": files.bytes[kind, subset], "num_examples": rows}
        )
        download += sum((files.folder / name).stat().st_size for name in names)
    return {
        "config_name": kind,
        "features": features(files.schemas[kind]),
        "splits": splits,
        "download_size": download,
        "dataset_size": sum(split["num_bytes"] for split in splits),
    }


def without_front_matter(card: str) -> str:
    """Return the text of a card without its front matter."""
    return card.partition("\n---\n")[2].lstrip() if card.startswith("---\n") else card


def _configuration(kind: str, files: DataSetFiles, default: str) -> dict[str, Any]:
    """Return the configuration for a kind of row, with its files by subset.

    The kind `default` is marked as the default configuration, unless it has no rows. Without a default, `load_dataset`
    requires the name of a configuration.
    """
    paths = [
        {"split": subset, "path": files.loaded_files(kind, subset)}
        for subset in files.subsets(kind)
    ]
    has_rows = any(files.rows[name] for subset in paths for name in subset["path"])
    marked = {"default": True} if kind == default and has_rows else {}
    return {"config_name": kind, **marked, "data_files": paths}
