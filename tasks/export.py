"""Export: the kept pairs of all shards, the rejected ones, the counts and the card."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from prefect import get_run_logger, task

from alignments import opus
from alignments.catalogue import licence
from pairs import card, report, shards
from pairs.export import export as write_files
from pairs.records import JudgedPair
from pairs.settings import key
from tasks.stages import STAGE
from tasks.story import tell

STAGES = ("score", "parse", "translate", "extract")  # upwards from a judged shard


@task(task_run_name="export {title}", **STAGE)
def export(judged: Sequence[Path], archives: Sequence[opus.Archives], title: str, signature: dict[str, Any]) -> Path:
    """Write the data set of all judged shards, in their order, and return its folder.

    The card is written last: a folder that has it is complete.
    """
    names = [f"{path.parent.name}/{path.name}" for path in judged]
    folder = judged[0].parent.parent / f"export-{key(names, title, signature)}"
    readme = folder / "README.md"
    if not readme.exists():
        sample, distributions = report.Sample(), report.Distributions()
        counts = write_files(folder, report.watched(_all(judged), sample, distributions))
        statistics = _statistics(counts, judged, archives, signature=signature)
        statistics = replace(statistics, distributions=distributions.plain())
        shards.write_text(folder / "examples.md", report.examples(title, sample))
        shards.write_json(folder / "stats.json", statistics.plain())
        shards.write_text(readme, card.readme(title, statistics))
    tell(folder, title)
    get_run_logger().info("The data set lies in %s", folder)
    return folder


def _statistics(
    counts: dict[str, Counter[str]],
    judged: Sequence[Path],
    archives: Sequence[opus.Archives],
    *,
    signature: dict[str, Any],
) -> card.Statistics:
    links: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    skips: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    by_corpus: dict[str, Counter[str]] = {}
    for path in judged:
        shard = path
        for stage in STAGES:
            shard = shard.parent.parent / shards.facts(shard)["upstream"]
            facts = shards.facts(shard)
            rows[stage] += facts["rows"]
            skips[stage].update(facts["skips"])
        links.update(facts["shapes"])
        by_corpus.setdefault(shard.stem.rpartition("-")[0], Counter()).update(facts["shapes"])
    rejected = {name: counts["rejected"][name] for name in signature["filters"]}
    stages = card.funnel(links, skips, rows, rejected)
    stages.append(
        card.Stage(name="export", entered=stages[-1].left, left=stages[-1].left, lost=dict(counts["skipped"]))
    )
    return card.Statistics(
        signature=signature,
        corpora={f"{a.release.corpus}/{a.release.release}": _corpus(a, by_corpus) for a in archives},
        funnel=stages,
        category=dict(sorted(counts["category"].items())),
        construction=dict(sorted(counts["construction"].items())),
    )


def _corpus(archives: opus.Archives, shapes: dict[str, Counter[str]]) -> dict[str, Any]:
    release = archives.release
    found = shapes.get(f"{release.corpus}-{release.release}", Counter())
    return {
        "licence": licence(release.corpus),
        "links": sum(found.values()),
        "shapes": dict(sorted(found.items())),
        "sha256": archives.sha256,
    }


def _all(judged: Sequence[Path]) -> Iterator[JudgedPair]:
    for path in judged:
        yield from shards.read(path, JudgedPair)
