"""Artifacts of a run page: card, funnel, categories, plots, examples and files of a data set; the plan of a build."""

import logging
from pathlib import Path

from prefect import get_run_logger
from prefect.artifacts import create_image_artifact, create_markdown_artifact, create_table_artifact
from rich.filesize import decimal

from corpus.card import Stage, Statistics
from corpus.front_matter import without_front_matter
from pairs.storage import atomic, manifest
from pairs.tables import Page, markdown_table


def publish(folder: Path, title: str) -> str:
    """Publish the artifacts of a data set on the page of the current run; return a summary in one line."""
    logging.getLogger("matplotlib").setLevel(logging.WARNING)  # when it is imported, it reports its cache of fonts
    from corpus import plots  # here, so that a build starts without matplotlib

    statistics = Statistics.read(atomic.load_json(folder / "stats.json"))
    pair = title.partition(":")[0].lower()
    card = without_front_matter((folder / "README.md").read_text(encoding="utf-8"))
    create_markdown_artifact(card, f"data-set-{pair}", title)
    create_markdown_artifact(
        (folder / "examples.md").read_text(encoding="utf-8"), f"examples-{pair}", "Some pairs of each category"
    )
    create_table_artifact(_funnel(statistics), f"funnel-{pair}", "What came in, what went on, and why the rest did not")
    create_table_artifact(_categories(statistics), f"categories-{pair}", "Kept pairs by category")
    create_image_artifact(plots.funnel(statistics.funnel), f"funnel-plot-{pair}", "The funnel")
    create_image_artifact(plots.distributions(statistics.distributions), f"scores-{pair}", "Scores of all pairs")
    create_markdown_artifact(_files(folder), f"files-{pair}", "Files of the data set")
    if not statistics.kept:
        get_run_logger().warning("%s", _why_empty(statistics))
    return f"{statistics.kept:,} pairs of {statistics.candidates:,} alignments, in {folder}"


def publish_plan(page: Page, pair: str) -> None:
    """Publish the plan of a build on the page of the current run."""
    create_markdown_artifact(page.markdown(), f"plan-{pair}", page.summary)
    get_run_logger().info("Nothing was fetched or built. What a build would do: Artifacts, plan-%s", pair)


def _why_empty(statistics: Statistics) -> str:
    """Return the warning for a data set without pairs: the stage that lost most, and its reasons."""
    # most links have another shape: extraction is to blame only if it left nothing
    stages = [s for s in statistics.funnel if s.name != "extract"] if statistics.candidates else statistics.funnel
    worst = max(stages, key=lambda stage: stage.entered - stage.left)
    return (
        f"No pair was kept. Most were lost here: {worst.entered - worst.left:,} of {worst.entered:,} at {worst.name} "
        f"({_reasons(worst) or 'no reason given'}). README.md of the data set lists all stages."
    )


def _funnel(statistics: Statistics) -> list[dict[str, object]]:
    return [
        {
            "stage": stage.name,
            "in": stage.entered,
            "kept": stage.left,
            "share": f"{stage.left / stage.entered:.1%}" if stage.entered else "-",
            "lost": stage.entered - stage.left,
            "why": _reasons(stage),
        }
        for stage in statistics.funnel
    ]


def _reasons(stage: Stage) -> str:
    """Return why a stage lost pairs, the most frequent reason first; a filter is its own reason."""
    lost = sorted(stage.lost.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{number} {reason}" for reason, number in lost if number)


def _files(folder: Path) -> str:
    """Return the folder and its files in Markdown. Browsers do not follow links from a web page to a local file."""
    files = sorted((manifest.files(folder) or {}).items())
    rows = [
        (f"[{name}]({(folder / name).as_uri()})", decimal(entry["bytes"]), entry.get("rows", ""))
        for name, entry in files
    ]
    note = "Copy the path: a browser may refuse to open a local file, and has to run on the machine of the build."
    return "\n\n".join([f"`{folder}`", note, markdown_table(("file", "size", "rows"), rows)])


def _categories(statistics: Statistics) -> list[dict[str, object]]:
    kept = max(statistics.kept, 1)
    return [
        {"category": name, "pairs": pairs, "share": f"{pairs / kept:.1%}", "category_bisect": released}
        for name, pairs, released in statistics.categories
    ]
