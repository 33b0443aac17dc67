"""Artifacts of a run page: the report of a data set, and the plan of a build."""

import base64
import re
from pathlib import Path

from httpx import HTTPError
from prefect import get_run_logger, runtime
from prefect.artifacts import Artifact, MarkdownArtifact
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactUpdate
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId, ArtifactFilterKey
from prefect.exceptions import PrefectException

from corpus.examples import escape
from corpus.front_matter import without_front_matter
from pairs.storage import atomic
from pairs.tables import Page

_PLOT = re.compile(r"\]\((plots/[^)]+\.png)\)")


def put(artifact: Artifact) -> None:
    """Create an artifact of the current run, or replace the one with its key that the run had before a Retry.

    A server that does not answer is no reason to stop a build: the log gets a warning.
    """
    key = ArtifactFilterKey(any_=[str(artifact.key)])
    run = ArtifactFilterFlowRunId(any_=[runtime.flow_run.id])
    try:
        with get_client(sync_client=True) as client:
            before = client.read_artifacts(artifact_filter=ArtifactFilter(key=key, flow_run_id=run))
            for record in before:
                client.update_artifact(
                    record.id, ArtifactUpdate(data=artifact.format(), description=artifact.description)
                )
        if not before:
            artifact.create()
    except (HTTPError, PrefectException, OSError) as error:
        get_run_logger().warning("The artifact %s was not published, because of the server: %s", artifact.key, error)


def publish(folder: Path, title: str) -> None:
    """Publish the report of a complete data set on the page of the current run: its card with the plots."""
    stats = atomic.load_json(folder / "stats.json")
    rows = sum(stats["counts"].get("subset", {}).values())
    name = title.partition(":")[0].lower()
    put(MarkdownArtifact(key=f"report-{name}", markdown=report(folder, title, rows), description=title))
    get_run_logger().info("%s: %s rows, in %s", title, f"{rows:,}", folder)
    if not rows:
        get_run_logger().warning("No row was kept. %s", stats["most_lost"])


def publish_plan(page: Page, pair: str) -> None:
    """Publish the plan of a build on the page of the current run."""
    put(MarkdownArtifact(key=f"plan-{pair}", markdown=page.markdown(), description=page.summary))
    get_run_logger().info("Nothing was fetched or built. What a build would do: Artifacts, plan-%s", pair)


def report(folder: Path, title: str, rows: int) -> str:
    """Return the report in Markdown: what was built and where it is, then the card with its plots."""
    card = without_front_matter((folder / "README.md").read_text(encoding="utf-8"))
    card = _PLOT.sub(lambda link: f"]({_data_url(folder / link[1])})", card).replace('"FOLDER"', f'"{folder}"')
    first = f"**{rows:,} rows** of {escape(title)} are in `{folder}`. Open its `inspector.html` to read them."
    return f"{first}\n\n{card}"


def _data_url(path: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"
