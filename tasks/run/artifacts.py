"""The artifacts of a run's page: `trial` and `report`."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from httpx import HTTPError
from prefect import get_run_logger, runtime
from prefect.artifacts import Artifact, MarkdownArtifact
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactUpdate
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey
from prefect.exceptions import PrefectException

from bitext_pivot.core import progress
from bitext_pivot.core.storage import received
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.corpus.card import some_rows
from bitext_pivot.corpus.export import EXAMPLES, Examples
from bitext_pivot.corpus.facts import BuildStats, read_stats
from bitext_pivot.corpus.first_screen import first_screen
from bitext_pivot.corpus.front_matter import without_front_matter
from bitext_pivot.corpus.recipe import Recipe

SERVER_ERRORS = (HTTPError, PrefectException, OSError)
"""What the client raises if the server does not answer."""


def put(artifact: Artifact) -> None:
    """Create an artifact of the current run, or replace the one with its key.

    The key gets the first digits of the run's id, because the UI opens artifacts by key, the newest of all runs first.
    A server that does not answer is no reason to stop a build: the log gets a warning.
    """
    key = f"{artifact.key}-{str(runtime.flow_run.id)[:8]}"
    try:
        with get_client(sync_client=True) as client:
            before = client.read_artifacts(
                artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=[key]))
            )
            for record in before:
                update = ArtifactUpdate(data=artifact.format(), description=artifact.description)
                client.update_artifact(record.id, update)
        if not before:
            artifact.model_copy(update={"key": key}).create()
    except SERVER_ERRORS as error:
        get_run_logger().warning(
            "The artifact %s was not published, because of the server: %s", key, error
        )


def publish(folder: Path, title: str) -> None:
    """Publish the report of a complete data set on the page of the current run: its card."""
    stats = read_stats(folder)
    put(MarkdownArtifact(key="report", markdown=report(folder, stats), description=title))
    get_run_logger().info("%s: %s rows, in %s", title, f"{stats.kept:,}", folder)
    in_results = {progress.IN_RESULTS: True}
    if stats.warning:
        get_run_logger().warning(stats.warning, extra=in_results)
    if not stats.kept:
        get_run_logger().warning("No row was kept. %s", stats.most_lost, extra=in_results)


def first_rows(recipe: Recipe[Any]) -> Callable[[Path], None]:
    """Return what shows the kept rows of the first shards as the report of the current run, until it is complete."""
    examples, missing = Examples(recipe), EXAMPLES

    def show(shard: Path) -> None:
        nonlocal missing
        # read no further than rows are missing
        records = recipe.records.read(shard)
        kept = list(islice((record for record in records if record.rejected_by is None), missing))
        for record in kept:
            examples.add(record, recipe.rows.row(record, recipe.rows.first_kind), None)
        missing -= len(kept)
        if kept:
            rows = some_rows(recipe, examples.groups())
            text = f"The run goes on: these are its first rows.\n\n{rows}"
            put(MarkdownArtifact(key="report", markdown=text, description="First rows"))

    return show


def publish_table(name: str, table: Table) -> None:
    """Publish a table on the page of the current run."""
    put(
        MarkdownArtifact(key=name, markdown=table.markdown(), description=table.note or table.title)
    )


def publish_plan(page: Page) -> None:
    """Publish the plan of a build as the report of the current run."""
    put(MarkdownArtifact(key="report", markdown=page.markdown(), description=page.summary))


def report(folder: Path, stats: BuildStats) -> str:
    """Return the report in Markdown: the first screen, and the card."""
    card = without_front_matter(received.text(folder / "README.md"))
    card = card.replace('"FOLDER"', f'"{folder}"')
    return f"{first_screen(stats, str(folder))}\n\n{card}"
