"""The records of explicitation, one in the other: `Neighbours -> BackTranslated -> ExplicitatedPair`."""

from dataclasses import dataclass

from bitext_pivot.core.records import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourTranslation:
    """Two neighbouring sentences in another language."""

    language: str
    document: str
    """As the link file names it, without the compression suffix."""
    ids: tuple[str, str]
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourPair:
    """Two neighbouring sentences of a document, and their translations by 1-1 links of several bitexts."""

    id: str
    """`corpus/release/language/document:first-second`, the numbers of the sentences in the document from 1."""
    source: Source
    language: str
    ids: tuple[str, str]
    first: str
    second: str
    renderings: tuple[NeighbourTranslation, ...]
    """One per language in which both sentences have a 1-1 link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslation:
    """Two neighbouring sentences, translated back from one language."""

    language: str
    texts: tuple[str, str]
    confidences: tuple[float, ...]
    """From 0 to 1, one per text; empty if unknown."""
    engine: str
    """Signature of the engine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslatedPair:
    """Neighbours and their back-translations."""

    neighbours: NeighbourPair
    back: tuple[BackTranslation, ...]
    """Empty if `rejected_by` is not None."""
    rejected_by: str | None
    """Why the original is no candidate; such neighbours are not translated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationReading:
    """What one language says of a relation."""

    language: str
    connective: str
    sense: str
    """PDTB-3, level 2."""
    sense_pdtb2: str
    """The sense of PDTB-2; empty if it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplicitatedPair:
    """Back-translated neighbours, and what their back-translations say of the relation."""

    translated: BackTranslatedPair
    readings: tuple[RelationReading, ...]
    senses: dict[str, str]
    """The sense in each data set that has the pair: `2-votes`, `fr` ..."""
    has_alternative: bool
    """Whether `second` starts with a phrase such as `for this reason`, which is no connective."""
    rejected_by: str | None
    """Why the relation has no label; None when kept."""
