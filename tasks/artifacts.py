"""Artifacts of a run page: the report of a data set, and the plan of a build."""

import base64
from pathlib import Path

from httpx import HTTPError
from prefect import get_run_logger, runtime
from prefect.artifacts import Artifact, MarkdownArtifact
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactUpdate
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId, ArtifactFilterKey
from prefect.exceptions import PrefectException
from rich.filesize import decimal

from corpus import examples
from corpus.card import PLOTS, Stage, Statistics, commonest
from corpus.divide import SUBSETS
from pairs.storage import atomic, manifest
from pairs.tables import Page, markdown_table

EXAMPLES = 10
"""Pairs in the report."""


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


def publish(folder: Path, title: str) -> str:
    """Publish the report of a data set on the page of the current run; return a summary in one line."""
    statistics = Statistics.read(atomic.load_json(folder / "stats.json"))
    page = report(folder, title, statistics)
    put(MarkdownArtifact(key=f"report-{title.partition(':')[0].lower()}", markdown=page, description=title))
    if not statistics.kept:
        get_run_logger().warning("No pair was kept. %s", _most_lost(statistics))
    return f"{statistics.kept:,} pairs of {statistics.candidates:,} alignments, in {folder}"


def publish_plan(page: Page, pair: str) -> None:
    """Publish the plan of a build on the page of the current run."""
    put(MarkdownArtifact(key=f"plan-{pair}", markdown=page.markdown(), description=page.summary))
    get_run_logger().info("Nothing was fetched or built. What a build would do: Artifacts, plan-%s", pair)


def report(folder: Path, title: str, statistics: Statistics) -> str:
    """Return the report of a complete data set in Markdown, with its plots inside."""
    pairs = (folder / "examples.md").read_text(encoding="utf-8")
    parts = [
        f"# {examples.escape(title)}",
        _summary(folder, statistics),
        "## Funnel",
        markdown_table(("stage", "in", "lost", "kept", "share", "why"), [_line(stage) for stage in statistics.funnel]),
        "## Categories and constructions",
        "`category` follows the paper's definitions, `category_bisect` BiSECT's released code.",
        markdown_table(("category", "pairs", "share", "category_bisect"), _categories(statistics)),
        markdown_table(("construction", "pairs"), commonest(statistics.construction)),
        "## Plots",
        *(f"**{caption}**\n\n![{caption}]({_data_url(folder, name)})" for name, caption in PLOTS.items()),
        "## Ten pairs" if statistics.kept >= EXAMPLES else "## Pairs",
        "~~Struck out~~: words of the long sentence that the two do not have. **Bold**: words that they have instead. "
        "‖: where the split falls. More of them are in `examples.md`.",
        examples.excerpt(pairs, EXAMPLES),
        "## Files",
        "A browser may refuse to open a local file, and has to run on the machine of the build: copy the path.",
        _files(folder),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(folder: Path, statistics: Statistics) -> str:
    """Return three lines and what to do next."""
    pairs, candidates = statistics.kept, statistics.candidates
    sets = ", ".join(f"{statistics.subset.get(name, 0):,} {name}" for name in SUBSETS)
    lines = [
        f"- **{pairs:,} pairs** of {candidates:,} alignments ({_share(pairs, candidates)}): {sets}",
        f"- {_most_lost(statistics)}",
        f"- Data set: `{folder}`",
    ]
    following = [
        "**Next:** open `inspector.html` of this folder in a browser to read the pairs, or load them:",
        f'```python\nfrom datasets import load_dataset\n\npairs = load_dataset("{folder}")\n```',
    ]
    return "\n\n".join(["\n".join(lines), *following])


def _most_lost(statistics: Statistics) -> str:
    """Return in a sentence which stage lost most, and why."""
    # most links have another shape: extraction is to blame only if it left nothing
    stages = [s for s in statistics.funnel if s.name != "extract"] if statistics.candidates else statistics.funnel
    worst = max(stages, key=lambda stage: stage.entered - stage.left)
    lost, reasons = worst.entered - worst.left, _reasons(worst)
    return f"Most were lost at {worst.name}: {lost:,} of {worst.entered:,}" + (f" ({reasons})" if reasons else "")


def _line(stage: Stage) -> tuple[object, ...]:
    share = _share(stage.left, stage.entered)
    return (
        stage.name,
        f"{stage.entered:,}",
        f"{stage.entered - stage.left:,}",
        f"{stage.left:,}",
        share,
        _reasons(stage),
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _reasons(stage: Stage) -> str:
    """Return why a stage lost pairs, the most frequent reason first; a filter is its own reason."""
    return ", ".join(f"{number:,} {reason}" for reason, number in commonest(stage.lost) if number)


def _categories(statistics: Statistics) -> list[tuple[object, ...]]:
    return [
        (name, f"{pairs:,}", _share(pairs, statistics.kept), f"{released:,}")
        for name, pairs, released in statistics.categories
    ]


def _data_url(folder: Path, name: str) -> str:
    picture = (folder / "plots" / f"{name}.png").read_bytes()
    return f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"


def _files(folder: Path) -> str:
    files = sorted((manifest.files(folder) or {}).items())
    rows = [
        (f"[{name}]({(folder / name).as_uri()})", decimal(entry["bytes"]), entry.get("rows", ""))
        for name, entry in files
    ]
    return markdown_table(("file", "size", "rows"), rows)
