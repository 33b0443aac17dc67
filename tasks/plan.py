"""Plan: what a build would do, before a byte moves. Not a task: it looks and builds nothing."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from alignments import catalogue
from alignments.bitext import Bitext
from alignments.opus import Release
from filters.sieve import Sieve
from pairs.parsing import Parser, default_pipeline
from pairs.site import Site
from translation.directions import default_model
from translation.models import Translation

_NAMED = {"marian", "marian-transformers"}


def plan(bitext: Bitext, translation: Translation, parser: Parser, sieve: Sieve, site: Site) -> RenderableType:
    """Return tables of the files a build fetches, the models it loads, and the shards that are there already.

    Raises SettingsError for a direction or a language without a default model, SourceError when the OPUS address does
    not answer or does not have the corpus.
    """
    files = [_files(release, site) for release in bitext.releases()]
    return Group(Text(bitext.title), *files, _models(bitext, translation, parser, sieve), Text(_built(bitext, site)))


def _files(release: Release, site: Site) -> Table:
    table = Table("file", "size", "here", title=release.name, title_justify="left")
    total = 0
    for file in catalogue.sizes(release, site.opus, site.opus_folder, timeout=site.timeout):
        total += 0 if file.here else file.bytes or 0
        table.add_row(file.name, _human(file.bytes), "yes" if file.here else "no")
    table.add_row("to be fetched", _human(total), "")
    return table


def _models(bitext: Bitext, translation: Translation, parser: Parser, sieve: Sieve) -> Table:
    table = Table("stage", "model", title="Models", title_justify="left")
    model = translation.model
    if model is None and translation.engine in _NAMED:
        model = default_model(bitext.pivot, bitext.language)
    table.add_row("translate", f"{translation.engine} {model or ''}".strip())
    table.add_row("parse", parser.pipeline or default_pipeline(bitext.language))
    table.add_row("score", f"{', '.join(sieve.active())}; BERTScore by {sieve.bertscore.model}")
    return table


def _human(size: int | None) -> str:
    if size is None:
        return "unknown"
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def _built(bitext: Bitext, site: Site) -> str:
    """Count the shards of every stage; a corpus is cut into shards while its link file is read."""
    counts: dict[str, int] = {}
    for folder in sorted(site.build_folder(bitext.folder).glob("*-????????")):
        stage = folder.name.rpartition("-")[0]
        counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    found = ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"
    return (
        f"Shards of {bitext.shard_rows:,} alignments or a few more. There already, of any settings: {found}. "
        "Shards of the same settings are used again."
    )
