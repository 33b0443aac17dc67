"""Export: the records of all shards as a data set, with its card."""

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
from bitext_pivot.tasks.divide import Divided, DividedForm
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.artifacts import publish
from bitext_pivot.tasks.run.current_run import as_task
from bitext_pivot.tasks.run.stages import cumulative_counts, write_once

ABOUT = ("README.md", "inspector.html", STATS)
"""Files of a data set besides its data, its manifest and those of its recipe."""
VERSION = 11
"""Part of the key of data sets. Raise it when what is written changes, but no name of a file or column."""
CONTAMINATION = "contamination.jsonl"
"""Lines of foreign test sets that records repeat; there if `division.contamination` names a test set."""


class ExportForm(DividedForm, Protocol):
    """What the export needs of a recipe's form."""

    @property
    def language(self) -> str:
        """Language of the rows."""

    @property
    def export(self) -> ExportSettings:
        """Formats and sizes of the files."""


def export(
    recipe: Recipe[AnyRecord],
    divided: Divided,
    settings: ExportForm,
    signature: Mapping[str, Any],
    corpora: Mapping[str, Mapping[str, Any]] | None = None,
    **results: Any,
) -> Path:
    """Write the data set of all shards, in their order, and return its folder.

    Shards may be in a folder that recipes share; the data set is in the folder that the title begins with. `corpora`
    are those of `BuildFacts`, `results` what stages found out that enters the signature.
    """
    facts = BuildFacts(
        title=settings.title, signature={**signature, **results}, corpora=corpora or {}
    )
    folder = write_data_set(recipe, divided, settings, facts)
    finished.remember(folder, signature, results.get("sources", {}))
    return folder


@as_task("export the data set")
def write_data_set(
    recipe: Recipe[AnyRecord], divided: Divided, settings: ExportForm, facts: BuildFacts
) -> Path:
    """Write the data set of all shards, in their order, and return its folder.

    A complete data set is kept. If a file of its manifest is missing or differs, all files are written again.
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
    divided: Divided,
    settings: ExportForm,
    facts: BuildFacts,
) -> None:
    """Write all files of the data set, its manifest last; `facts` are those known before."""
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
    """Return the counts of all stages before, over the shards: rows, skips, what a stage counts itself."""
    counts = Counts()
    for path in paths:
        for name, facts in cumulative_counts(path).items():
            stage = {name: {"rows": facts["rows"], "lost": facts["skips"]}}
            counts.update(Counts.read({"stage": stage, **facts.get("counts", {})}))
    return counts
