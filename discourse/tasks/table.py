"""The stages of the recipes over documents, each with the parts of its key, as in `tasks/run/table.py`."""

from collections.abc import Mapping

from bitext_pivot.alignments.screening import identify
from bitext_pivot.core.languages import digest
from bitext_pivot.corpus.division import Division
from bitext_pivot.discourse.explicitation import votes
from bitext_pivot.discourse.explicitation.votes import Explicitation
from bitext_pivot.discourse.fusion import rules
from bitext_pivot.discourse.fusion.documents import Fusion
from bitext_pivot.discourse.mining import candidates
from bitext_pivot.discourse.mining.candidates import Candidates
from bitext_pivot.discourse.mining.selection import Selection
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.translation import cached


def sentences(shard_rows: int) -> Stage:
    """Return the stage from documents to sentences."""
    return Stage("sentences", "sentences", {"shard_rows": shard_rows})


def unfuse(fusion: Fusion, language: str) -> Stage:
    """Return the stage from parsed sentences to fused pairs."""
    parts = {
        "fusion": fusion,
        "version of the rules": rules.VERSION,
        "data of the language": digest(language),
    }
    return Stage("unfuse", "fused", parts)


def mine(settings: Candidates, language: str) -> Stage:
    """Return the stage from parsed sentences to those with a marker."""
    parts = {
        "candidates": settings,
        "version of the rules": candidates.VERSION,
        "connectives": digest(language, "connectives"),
        "language check": identify.signature(language),
    }
    return Stage("mine", "candidates", parts)


def select(selection: Selection, division: Division) -> Stage:
    """Return the stage that draws pairs of all candidates."""
    parts = {"selection": selection, "division": division, "files": division.files()}
    return Stage("select", "selected", parts)


def neighbours(shard_rows: int) -> Stage:
    """Return the stage from several bitexts to neighbours."""
    return Stage("neighbours", "neighbours", {"shard_rows": shard_rows})


def back_translate(engines: Mapping[str, str], settings: Explicitation) -> Stage:
    """Return the stage that translates neighbours back; `engines` has a signature for each language."""
    parts = {
        "engines": engines,
        "version of stored translations": cached.VERSION,
        "profile": settings.profile,
        "rules": votes.signature(),
    }
    return Stage("translate", "back", parts)


def label(settings: Explicitation) -> Stage:
    """Return the stage that labels the relation of neighbours."""
    return Stage("label", "explicitated", {"explicitation": settings, "rules": votes.signature()})
