"""What the run page tells of a data set: its card, funnel, categories, pictures, examples, and where its files lie."""

from pathlib import Path

from prefect.artifacts import (
    create_image_artifact,
    create_link_artifact,
    create_markdown_artifact,
    create_table_artifact,
)

from pairs import plots, shards
from pairs.card import CATEGORIES, Statistics


def tell(folder: Path, title: str) -> None:
    """Publish the artifacts of a finished data set on the page of the run that asked for it."""
    statistics = Statistics.read(shards.load_json(folder / "stats.json"))
    pair = title.partition(":")[0].lower()
    create_markdown_artifact((folder / "README.md").read_text(encoding="utf-8"), f"data-set-{pair}", title)
    create_markdown_artifact(
        (folder / "examples.md").read_text(encoding="utf-8"), f"examples-{pair}", "Some pairs of each category"
    )
    create_table_artifact(_funnel(statistics), f"funnel-{pair}", "What came in, what went on, and why the rest did not")
    create_table_artifact(_categories(statistics), f"categories-{pair}", "Kept pairs by category")
    create_image_artifact(plots.funnel(statistics.funnel), f"funnel-plot-{pair}", "The funnel")
    create_image_artifact(plots.distributions(statistics.distributions), f"scores-{pair}", "Scores of all pairs")
    create_link_artifact(folder.as_uri(), str(folder), f"files-{pair}", "Where the files of the data set lie")


def _funnel(statistics: Statistics) -> list[dict[str, object]]:
    return [
        {
            "stage": stage.name,
            "in": stage.entered,
            "kept": stage.left,
            "share": f"{stage.left / stage.entered:.1%}" if stage.entered else "-",
            "lost": ", ".join(f"{reason} {number}" for reason, number in stage.lost.items() if number),
        }
        for stage in statistics.funnel
    ]


def _categories(statistics: Statistics) -> list[dict[str, object]]:
    kept = max(statistics.kept, 1)
    return [
        {"category": name, "pairs": number, "share": f"{number / kept:.1%}"}
        for name, number in ((name, statistics.category.get(name, 0)) for name in CATEGORIES)
    ]
