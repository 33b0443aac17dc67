"""The stages that do not turn one shard into another: extract, hold out, divide and join.

Each stage is defined with its settings and versions, which decide its output for a given input. Their digest (key) is
part of the folder name of its shards. Nothing here imports Prefect, because the search for a finished build uses the
keys, too.
"""

from bitext_pivot.alignments import sources
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.core.site import Site
from bitext_pivot.corpus import assignment, pair_relations
from bitext_pivot.corpus.division import Division
from bitext_pivot.tasks.run.targets import FIRST_SHARD, Stage, Target


def extract(bitext: Bitext) -> Stage:
    """Return the stage that extracts alignments from a corpus."""
    screening = bitext.screening
    parts = {
        "extraction": bitext.extraction,
        "screening": screening,
        "screening rules": screening.signature(bitext.pivot, bitext.language),
        "shard_rows": bitext.shard_rows,
    }
    return Stage("extract", "alignments", parts)


def alignments(source: SourceFiles, bitext: Bitext, site: Site) -> Target:
    """Return the path of a corpus's first shard of alignments, as a `Target`.

    The digest in its folder name depends on the files of the corpus and on the settings of the extraction.
    """
    inputs = {
        "corpus": source.release.corpus,
        "release": source.release.version,
        "source": sources.identity(source),
    }
    name = sources.shard_stem(source) + FIRST_SHARD
    return extract(bitext).in_folder(site.build_folder(bitext.folder), name, inputs)


DIVIDE = Stage("divide", "divided", {})
"""The stage that assigns the records of a shard to subsets, given the texts of validation and test."""


def hold_out(division: Division, positions: str) -> Stage:
    """Return the stage that collects the texts of validation and test.

    `positions` is the unit of positions in a document (`RecordSpec.positions`).
    """
    parts = {
        "division": division,
        "files": division.files(),
        "version of the division": assignment.VERSION,
        "positions": positions,
    }
    return Stage("hold out", "held-out", parts)


def join() -> Stage:
    """Return the stage that finds equal pairs in several builds."""
    return Stage("join", "joined", {"version of the join": pair_relations.VERSION})
