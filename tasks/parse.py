"""Parse the sentences of pairs or documents, once for all filters, labels and rules."""

from collections import Counter
from collections.abc import Iterable

from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import Pair, ParsedPair, ParsedSentence, Sentence
from bitext_pivot.core.site import Site
from bitext_pivot.syntax import parsing
from bitext_pivot.tasks.run.loaded_models import parser_signature, pipeline_for
from bitext_pivot.tasks.run.targets import Stage, StageFacts


def parse(parser: parsing.Parser, language: str, site: Site) -> Stage:
    """Return the stage that parses `long` and both sentences of `split`."""

    def run(
        rows: Iterable[Pair], name: str, facts: StageFacts
    ) -> tuple[list[ParsedPair], Counter[str]]:
        pairs, pipeline = list(rows), pipeline_for(parser, language, site)
        with tracked(f"parse {name}", len(pairs), "pairs") as advance:
            return parsing.parse_pairs(pairs, pipeline, progress=advance)

    return Stage("parse", "parsed", _parts(parser, language, site), Pair, ParsedPair, run)


def parse_sentences(parser: parsing.Parser, language: str, site: Site) -> Stage:
    """Return the stage that parses the sentences of documents.

    The folder name of its shards depends only on the sentences and the parser, so all recipes share the shards.
    """

    def run(
        rows: Iterable[Sentence], name: str, facts: StageFacts
    ) -> tuple[list[ParsedSentence], Counter[str]]:
        sentences, pipeline = list(rows), pipeline_for(parser, language, site)
        with tracked(f"parse {name}", len(sentences), "sentences") as advance:
            return parsing.parse_sentences(sentences, pipeline, progress=advance)

    return Stage("parse", "parsed", _parts(parser, language, site), Sentence, ParsedSentence, run)


def _parts(parser: parsing.Parser, language: str, site: Site) -> dict[str, str]:
    return {"parser": parser_signature(parser, language, site)}
