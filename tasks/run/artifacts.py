"""The artifacts that Prefect shows on the page of a flow run: `trial` and `report`."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from bitext_pivot.core import progress
from bitext_pivot.core.storage import received
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.corpus.card import examples_section
from bitext_pivot.corpus.data_set_export import EXAMPLES, ExampleSample
from bitext_pivot.corpus.facts import BuildStats, read_stats
from bitext_pivot.corpus.first_screen import first_screen
from bitext_pivot.corpus.front_matter import without_front_matter
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.tasks.run.current_run import current_run


def publish(folder: Path, title: str) -> None:
    """Publish the report on a complete data set, and log the data set's folder and size in rows.

    The report contains the card (README.md). The warning of the build is logged as well. If no row was kept, a further
    warning names the most frequent reasons.
    """
    stats = read_stats(folder)
    if current_run().has_page:
        current_run().publish("report", report(folder, stats), title)
    log, in_results = progress.current_log(), {progress.IN_RESULTS: True}
    log.info("%s: %s rows, in %s", title, f"{stats.kept:,}", folder)
    if stats.warning:
        log.warning(stats.warning, extra=in_results)
    if not stats.kept:
        log.warning("No row was kept. %s", stats.most_lost, extra=in_results)


def first_rows(recipe: Recipe[Any]) -> Callable[[Path], None]:
    """Return a function that publishes the first accepted rows as a preliminary report.

    Call that function with the path of each finished shard. It does nothing once it has enough rows.
    """
    examples, missing = ExampleSample(recipe), EXAMPLES

    def show(shard: Path) -> None:
        nonlocal missing
        # Stop reading once enough rows are found.
        records = recipe.records.read(shard)
        kept = list(islice((record for record in records if record.rejected_by is None), missing))
        for record in kept:
            examples.add(record, recipe.rows.row(record, recipe.rows.first_kind), None)
        missing -= len(kept)
        if kept:
            rows = examples_section(recipe, examples.groups())
            text = f"The run continues. These are its first rows.\n\n{rows}"
            current_run().publish("report", text, "First rows")

    return show


def publish_table(name: str, table: Table) -> None:
    """Publish a table as an artifact of the current run."""
    current_run().publish(name, table.markdown(), table.note or table.title)


def publish_plan(page: Page) -> None:
    """Publish the plan of a build as the report of the current run."""
    current_run().publish("report", page.markdown(), page.summary)


def report(folder: Path, stats: BuildStats) -> str:
    """Return the report on a data set in Markdown: the summary of `first_screen`, then the card."""
    card = without_front_matter(received.text(folder / "README.md"))
    card = card.replace('"FOLDER"', f'"{folder}"')
    return f"{first_screen(stats, str(folder))}\n\n{card}"
