"""Export: the kept pairs of all shards, the rejected ones, the counts and the card."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from prefect import get_run_logger, task

from alignments import sources
from alignments.sources import Source
from alignments.statistics import LinkStatistics
from corpus import card, examples
from corpus.card import CATEGORIES
from corpus.divide import SUBSETS, Division
from corpus.draw import Draw
from corpus.export import export as write_pairs
from corpus.export import watched
from corpus.files import DataFiles
from corpus.formats import Export
from corpus.front_matter import front_matter
from corpus.inspector import page
from corpus.paper_tables import paper_tables
from corpus.recipes.bisect import BISECT
from corpus.rows import COLUMNS
from corpus.schema import schemas
from corpus.statistics import Unique
from filters.chain import FilterChain
from pairs.errors import SourceError
from pairs.records import Category, JudgedPair
from pairs.settings import key
from pairs.storage import atomic, manifest
from tasks.artifacts import publish
from tasks.divide import Divided, divide_all
from tasks.stages import STAGE, cumulative_counts, write_once

ABOUT = ("examples.md", "inspector.html", "alignments.md", "tables.md", "tables.tex", "stats.json", "README.md")
"""Files of a data set besides its data and its manifest. Part of its key, so that a new one is written."""
CONTAMINATION = "contamination.jsonl"
"""Lines of foreign test sets that pairs repeat; there if `division.contamination` names a test set."""
UNREAD = ("lemmas", "tags", "pos", "morphs", "deps", "heads")
"""Columns of parses that the examples do not need."""
STAGES = {"extract": "alignments", "translate": "pairs", "parse": "parsed", "score": "scored"}
"""Names of the stages in the funnel, with those of their folders."""


def export(
    judged: Sequence[Path], corpora: Sequence[Source], title: str, signature: dict[str, Any], **results: Any
) -> Path:
    """Divide all judged shards, write the data set in their order, and return its folder; call it in a flow.

    `results` are what stages found out that enters the signature.

    Raises SourceError if there are no shards.
    """
    if not judged:
        raise SourceError(f"{title}: no links were found, so there is nothing to build. Check the files and languages.")
    divided = divide_all(BISECT, judged, Division.model_validate(signature["settings"]["division"]))
    folder: Path = export_pairs(divided, corpora, title, signature | results)
    return folder


@task(task_run_name="export {title}", **STAGE)
def export_pairs(divided: Divided, corpora: Sequence[Source], title: str, signature: dict[str, Any]) -> Path:
    """Write the data set and return its folder.

    A complete data set is kept. If a file of its manifest is missing or differs, all are written again.
    """
    folder = divided.records[0].parent.parent / f"export-{key(divided.names, title, signature, COLUMNS, ABOUT)}"
    write_once(
        folder, [*BISECT.rows, "plots"], lambda: write(folder, divided, corpora, title=title, signature=signature)
    )
    summary = publish(folder, title)
    get_run_logger().info("%s: %s", title, summary)
    return folder


def write(folder: Path, divided: Divided, corpora: Sequence[Source], *, title: str, signature: dict[str, Any]) -> None:
    """Write all files of the data set, its manifest last. The arguments are those of `export_pairs`."""
    settings = signature["settings"]
    scores = FilterChain.model_validate(settings["filters"]).score_names()
    files = DataFiles(folder, Export.model_validate(settings["export"]), schemas(BISECT.rows, scores))
    draws = divided.draw(BISECT, page.LIMIT, label="category", each=examples.EXAMPLES)
    inspected, unique = page.Sample(BISECT.view, draws), Unique()
    counts = write_pairs(files, BISECT, watched(divided.read(BISECT, files.schemas["pairs"]), inspected, unique))
    statistics = _statistics({**counts, "skipped": files.skipped}, divided.records, corpora, signature=signature)
    statistics = replace(statistics, unique=unique.plain(), **divided.counts())
    tables = paper_tables(title, statistics)
    atomic.write_text(folder / "examples.md", examples.examples(title, _examples(divided, draws)))
    atomic.write_text(folder / "inspector.html", page.page(title, inspected, signature.get("thresholds", {})))
    atomic.write_text(folder / "alignments.md", _alignments(statistics))
    atomic.write_text(folder / "tables.md", tables.markdown())
    atomic.write_text(folder / "tables.tex", tables.latex())
    atomic.write_json(folder / "stats.json", statistics.plain())
    head = front_matter(title, settings["language"], files, BISECT, licence=statistics.licence)
    atomic.write_text(folder / "README.md", head + card.readme(title, statistics, inspected.note()))
    drawn = _plots(folder, statistics)
    if settings["division"]["contamination"]:
        atomic.write_text(folder / CONTAMINATION, divided.contamination())
        drawn.append(CONTAMINATION)
    manifest.write(folder, files.rows, [*ABOUT, *drawn])


def _examples(divided: Divided, draws: Mapping[str, Draw]) -> dict[Category, list[JudgedPair]]:
    """Return the kept pairs that were drawn of each category."""
    drawn = {category: draws[category].positions() for category in CATEGORIES}
    pairs = divided.pick(JudgedPair, {*chain(*drawn.values())}, UNREAD)
    return {category: [pairs[position] for position in positions] for category, positions in drawn.items()}


def _plots(folder: Path, statistics: card.Statistics) -> list[str]:
    logging.getLogger("matplotlib").setLevel(logging.WARNING)  # when it is imported, it reports its cache of fonts
    from corpus import plots  # here, so that a build starts without matplotlib

    return plots.write(folder, statistics, statistics.signature.get("thresholds", {}))


def _statistics(
    counts: dict[str, Counter[str]], judged: Sequence[Path], corpora: Sequence[Source], *, signature: dict[str, Any]
) -> card.Statistics:
    links: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    skips: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    by_corpus: dict[str, LinkStatistics] = {}
    for path in judged:
        counted = cumulative_counts(path)
        for stage, name in STAGES.items():
            rows[stage] += counted[name]["rows"]
            skips[stage].update(counted[name]["skips"])
        extracted = counted["alignments"]
        links.update(extracted["shapes"])
        stem = path.stem.rpartition("-")[0]
        by_corpus[stem] = by_corpus.get(stem, LinkStatistics()) + LinkStatistics.read(extracted["statistics"])
    rejected = {name: counts["rejected"][name] for name in signature["filters"]}
    stages = card.funnel(links, skips, rows, rejected)
    duplicates = {reason: number for reason, number in sorted(counts["rejected"].items()) if reason not in rejected}
    judged_pairs, divided_pairs = stages[-1].left, counts["subset"].total()
    stages.append(card.Stage(name="divide", entered=judged_pairs, left=divided_pairs, lost=duplicates))
    stages.append(card.Stage(name="export", entered=divided_pairs, left=divided_pairs, lost=dict(counts["skipped"])))
    return card.Statistics(
        signature=signature,
        corpora={f"{a.release.corpus}/{a.release.release}": _corpus(a, by_corpus) for a in corpora},
        funnel=stages,
        subset={name: counts["subset"][name] for name in SUBSETS},
        category=dict(sorted(counts["category"].items())),
        category_bisect=dict(sorted(counts["category_bisect"].items())),
        construction=dict(sorted(counts["construction"].items())),
    )


def _corpus(source: Source, by_corpus: Mapping[str, LinkStatistics]) -> dict[str, Any]:
    statistics = by_corpus.get(sources.stem(source), LinkStatistics())
    return {
        "licence": sources.licence_of(source),
        "grounds": sources.grounds_of(source),
        "links": sum(statistics.shapes.values()),
        "sha256": source.sha256,
        "statistics": statistics.plain(),
    }


def _alignments(statistics: card.Statistics) -> str:
    """Return a page of what was read of each corpus: link shapes, lengths, attributes, skips by reason."""
    corpora = statistics.corpora.items()
    return "\n".join(LinkStatistics.read(corpus["statistics"]).markdown(name) for name, corpus in corpora)
