"""Export: write the records of all shards as a data set with a card."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic, manifest, shards
from bitext_pivot.corpus import card
from bitext_pivot.corpus.data_set_export import ExampleSample, rank_kept_records
from bitext_pivot.corpus.data_set_export import export_records as write_rows
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.facts import STATS, BuildFacts, build_funnel
from bitext_pivot.corpus.formats import ExportSettings
from bitext_pivot.corpus.front_matter import front_matter
from bitext_pivot.corpus.inspector import page
from bitext_pivot.corpus.recipe import AnyRecord, Recipe, add_rest_kind
from bitext_pivot.corpus.schema import schemas
from bitext_pivot.tasks.divide import DividedForm, DividedShards
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.artifacts import publish
from bitext_pivot.tasks.run.current_run import as_task
from bitext_pivot.tasks.run.stages import cumulative_counts, write_once

ABOUT = ("README.md", "inspector.html", STATS)
"""Names of the files that every data set has, in addition to its rows and its manifest."""
VERSION = 11
"""Part of the digest in the name of a data set folder. Raise it when the content of a file changes without a new file
or column name."""
CONTAMINATION = "contamination.jsonl"
"""Name of the file with records that repeat a test set, which is written if `division.contamination` names one."""


class ExportForm(DividedForm, Protocol):
    """The settings of a recipe that the export needs."""

    @property
    def language(self) -> str:
        """Language of the rows."""

    @property
    def export(self) -> ExportSettings:
        """Formats and sizes of the files."""


def export(
    recipe: Recipe[AnyRecord],
    divided: DividedShards,
    settings: ExportForm,
    signature: Mapping[str, Any],
    corpora: Mapping[str, Mapping[str, Any]] | None = None,
    **results: Any,
) -> Path:
    """Write the data set, record that the build is finished, and return the data set folder.

    `signature` contains the settings and versions of the build (tasks/ahead/check.py), to which `results` of stages are
    added. `corpora` are the facts about each corpus for the card (`BuildFacts.corpora`).
    """
    facts = BuildFacts(
        title=settings.title, signature={**signature, **results}, corpora=corpora or {}
    )
    folder = write_data_set(recipe, divided, settings, facts)
    finished.record_build(folder, signature, results.get("sources", {}))
    return folder


@as_task("export the data set")
def write_data_set(
    recipe: Recipe[AnyRecord], divided: DividedShards, settings: ExportForm, facts: BuildFacts
) -> Path:
    """Write the data set unless it is complete, and return its folder.

    If a file is missing or differs from the manifest, all files are written again.
    """
    recipe = add_rest_kind(recipe, settings.export.best_share())
    rows = recipe.rows
    columns = {kind: columns.names for kind, columns in schemas(rows.classes, rows.scores).items()}
    name, builds = finished.folder_name(facts.title), divided.assignments[0].parents[2]
    digits = key(
        divided.names, facts.title, facts.signature, columns, [*ABOUT, *rows.files], VERSION
    )
    folder = builds / name / f"export-{digits}"
    parts = [*rows.classes, *settings.export.folder_formats]
    write_once(folder, parts, lambda: write(folder, recipe, divided, settings, facts))
    publish(folder, facts.title)
    return folder


def write(
    folder: Path,
    recipe: Recipe[AnyRecord],
    divided: DividedShards,
    settings: ExportForm,
    facts: BuildFacts,
) -> None:
    """Write all files of the data set, the manifest last.

    `facts` contains the facts that are known before the export; counts and examples are added here.
    """
    files = DataSetFiles(folder, settings.export, schemas(recipe.rows.classes, recipe.rows.scores))
    inspected, examples = page.InspectorSample(recipe.view), ExampleSample(recipe)
    rows = sum(divided.rows())
    with tracked(f"export {folder.name}", rows, "rows") as advance:
        trust = rank_kept_records(
            recipe.rows, divided.read(recipe, lambda shard: None), settings.export.best_share()
        )
        records = divided.read(recipe, advance)
        counts = write_rows(files, recipe, records, inspected, examples, trust=trust)
    counts += _stages(divided.records)
    stages = build_funnel(
        recipe.records.stages, counts, facts.signature.get("filters", ()), recipe.records.last
    )
    facts = replace(
        facts,
        counts=counts,
        funnel=stages,
        examples=examples.groups(),
        shards=shards.names(divided.records),
    )
    html = page.inspector_page(facts.title, inspected, facts.signature.get("thresholds", {}))
    head = front_matter(facts, settings.language, files, recipe)
    text = card.readme(recipe, facts, inspected.note(), settings.export.statement)
    contents = {
        "README.md": f"{head}{text}".encode(),
        "inspector.html": html.encode("utf-8", "surrogatepass"),
        **recipe.rows.write(facts),
    }
    if settings.division.contamination:
        contents[CONTAMINATION] = divided.contamination().encode()
    for name, content in contents.items():
        with atomic.replacing(folder / name) as partial:
            partial.write_bytes(content)
    atomic.write_json(folder / STATS, facts.to_json())
    manifest.write(folder, files.rows, [*contents, STATS])


def _stages(paths: Sequence[Path]) -> Counts:
    """Return the rows, the skips and the counts of each earlier stage, summed over all shards."""
    counts = Counts()
    for path in paths:
        for name, facts in cumulative_counts(path).items():
            stage = {name: {"rows": facts["rows"], "lost": facts["skips"]}}
            counts.update(Counts.read({"stage": stage, **facts.get("counts", {})}))
    return counts
