"""Parse the sentences of pairs, and those of documents, once, for all filters, labels and rules."""

from collections import Counter
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import Pair, ParsedPair, ParsedSentence, Sentence
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.syntax import parsing
from bitext_pivot.tasks.run import table
from bitext_pivot.tasks.run.models import pipeline_for
from bitext_pivot.tasks.run.stages import STAGE, build_once


@task(task_run_name="parse {shard.stem}", **STAGE)
def parse(shard: Path, language: str, parser: parsing.Parser, site: Site) -> State[Path]:
    """Parse `long` and both sentences of `split`."""
    target = table.parse(parser, language, site).target(shard)

    def build() -> tuple[list[ParsedPair], Counter[str]]:
        return _parse(shard, pipeline_for(parser, language, site))

    return build_once(target, ParsedPair, build, source=shard)


@task(task_run_name="parse {shard.stem}", **STAGE)
def parse_sentences(shard: Path, language: str, parser: parsing.Parser, site: Site) -> State[Path]:
    """Parse running text. The shard's key is that of sentences and parser, so all recipes share it."""
    target = table.parse(parser, language, site).target(shard)

    def build() -> tuple[list[ParsedSentence], Counter[str]]:
        return _parse_sentences(shard, pipeline_for(parser, language, site))

    return build_once(target, ParsedSentence, build, source=shard)


def _parse(shard: Path, pipeline: parsing.Pipeline) -> tuple[list[ParsedPair], Counter[str]]:
    pairs = list(shards.read(shard, Pair))
    with tracked(f"parse {shard.stem}", len(pairs), "pairs") as advance:
        return parsing.parse_pairs(pairs, pipeline, progress=advance)


def _parse_sentences(
    shard: Path, pipeline: parsing.Pipeline
) -> tuple[list[ParsedSentence], Counter[str]]:
    sentences = list(shards.read(shard, Sentence))
    with tracked(f"parse {shard.stem}", len(sentences), "sentences") as advance:
        return parsing.parse_sentences(sentences, pipeline, progress=advance)
