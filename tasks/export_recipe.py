"""Export of the recipes over documents: their records as a data set, with a card."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from prefect import get_run_logger, task
from prefect.artifacts import MarkdownArtifact

from corpus.divide import SUBSETS, Division
from corpus.export import export as write_rows
from corpus.export import watched
from corpus.files import DataFiles
from corpus.formats import Files
from corpus.front_matter import front_matter, without_front_matter
from corpus.inspector import page
from corpus.recipe import REJECTED, AnyRecord, Recipe
from corpus.recipe_card import EXAMPLES, Counts, Licences, readme
from corpus.schema import schemas
from pairs.errors import SourceError
from pairs.settings import key
from pairs.storage import atomic, manifest
from tasks.artifacts import put
from tasks.divide import Divided, divide_all
from tasks.stages import STAGE, cumulative_counts, write_once

ABOUT = ("README.md", "inspector.html", "stats.json", "contamination.jsonl")
"""Files of a data set besides its data and its manifest. Part of its key, so that a new one is written."""


class Form(Protocol):
    """What the export needs of a recipe's form."""

    @property
    def language(self) -> str:
        """Language of the rows."""

    @property
    def division(self) -> Division:
        """Which documents are for which set."""

    @property
    def export(self) -> Files:
        """Formats and sizes of the files."""

    @property
    def title(self) -> str:
        """Name of what is built."""


def export_recipe(
    recipe: Recipe[AnyRecord], records: Sequence[Path], settings: Form, signature: dict[str, Any], **results: Any
) -> Path:
    """Divide all shards of a recipe's last stage, write the data set in their order, and return its folder.

    Call it in the recipe's flow. Shards are in a folder that recipes share; the data set is beside it, in the folder
    that the title begins with. `results` are what stages found out that enters the signature. Raises SourceError if
    there are no shards.
    """
    if not records:
        raise SourceError(f"{settings.title}: no documents were found. Check the corpora and the language.")
    folder: Path = export(recipe, divide_all(recipe, records, settings.division), settings, signature | results)
    return folder


@task(task_run_name="export {settings.title}", **STAGE)
def export(recipe: Recipe[AnyRecord], divided: Divided, settings: Form, signature: dict[str, Any]) -> Path:
    """Write the data set of all shards, in their order, and return its folder.

    A complete data set is kept. If a file of its manifest is missing or differs, all are written again.
    """
    columns = {kind: columns.names for kind, columns in schemas(recipe.rows).items()}
    name, builds = settings.title.partition(":")[0], divided.records[0].parents[2]
    folder = builds / name / f"export-{key(divided.names, settings.title, signature, columns, ABOUT)}"
    write_once(folder, recipe.rows, lambda: _write(folder, recipe, divided, settings, signature))
    card = without_front_matter((folder / "README.md").read_text(encoding="utf-8"))
    page = f"Data set: `{folder}`\n{card}"
    put(MarkdownArtifact(key=f"report-{name.lower()}", markdown=page, description=settings.title))
    rows = sum(atomic.load_json(folder / "stats.json")["subset"].values())
    get_run_logger().info("%s: %d rows, in %s", settings.title, rows, folder)
    return folder


def _write(
    folder: Path, recipe: Recipe[AnyRecord], divided: Divided, settings: Form, signature: dict[str, Any]
) -> None:
    """Write all files of the data set, its manifest last."""
    files, licences = DataFiles(folder, settings.export, schemas(recipe.rows)), Licences(recipe)
    draws = divided.draw(recipe, page.LIMIT)
    inspected = page.Sample(recipe.view, draws)
    counts = write_rows(files, recipe, watched(divided.read(recipe), licences, inspected))
    drawn = draws["kept"].positions(EXAMPLES)
    records = divided.pick(recipe.record, drawn, ())
    examples = [recipe.row(records[position], next(iter(recipe.rows))) for position in drawn]
    facts = Counts(
        signature=signature,
        stages=_stages(recipe.stages, divided.records),
        rejected=dict(counts[REJECTED].most_common()),
        subset={name: counts["subset"][name] for name in SUBSETS},
        kinds={kind: files.counts[kind] for kind in recipe.rows},
        labels={label: dict(sorted(counts[label].items())) for label in recipe.labels},
        licence=licences.plain(),
        skipped=dict(files.skipped),
    )
    licence = sum((Counter(numbers) for numbers in facts.licence.values()), Counter[str]())
    head = front_matter(settings.title, settings.language, files, recipe, licence=licence)
    atomic.write_text(folder / "inspector.html", page.page(settings.title, inspected, {}))
    text = readme(settings.title, recipe, facts, examples, inspected.note())
    atomic.write_text(folder / "README.md", head + text)
    atomic.write_json(folder / "stats.json", facts.plain())
    atomic.write_text(folder / "contamination.jsonl", divided.contamination())
    manifest.write(folder, files.rows, ABOUT)


def _stages(names: Sequence[str], paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return rows and skips of each stage by its folder's name, summed over the shards."""
    rows: Counter[str] = Counter()
    skips: dict[str, Counter[str]] = {}
    for path in paths:
        for name, facts in cumulative_counts(path).items():
            rows[name] += facts["rows"]
            skips.setdefault(name, Counter()).update(facts["skips"])
    return [{"name": name, "rows": rows[name], "skips": dict(sorted(skips[name].items()))} for name in names]
