"""Records of explicitation: ExplicitatedPair contains a BackTranslatedPair, which contains a NeighbourPair."""

from dataclasses import dataclass

from bitext_pivot.core.records import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourTranslation:
    """The human translation of two neighbouring sentences into another language, from a bitext."""

    language: str
    document: str
    """Name of the translated document, as in the link file but without the extension of a compressed file."""
    ids: tuple[str, str]
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourPair:
    """Two neighbouring sentences of a document and their human translations.

    The translations are found through 1-1 links, which align one sentence with one, in several bitexts.
    """

    id: str
    """`corpus/release/language/document:first-second`, with the positions of the sentences in the document,
    counted from 1."""
    source: Source
    language: str
    ids: tuple[str, str]
    first: str
    second: str
    renderings: tuple[NeighbourTranslation, ...]
    """The translations, one for each language in which both sentences are linked to one sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslation:
    """Two neighbouring sentences, machine-translated back from their human translation."""

    language: str
    texts: tuple[str, str]
    confidences: tuple[float, ...]
    """Confidence of the engine in each text, from 0 to 1; empty if the engine reports no confidence."""
    engine: str
    """Engine and model that translated, with their versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslatedPair:
    """Two neighbouring sentences and their back-translations."""

    neighbours: NeighbourPair
    back: tuple[BackTranslation, ...]
    """One back-translation per language; empty if `rejected_by` is not None."""
    rejected_by: str | None
    """Why the relation of the original sentences cannot be implicit, so that they were not translated; otherwise
    None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationReading:
    """The relation that the connective in one back-translation makes explicit."""

    language: str
    connective: str
    sense: str
    """PDTB-3 sense at level 2."""
    sense_pdtb2: str
    """The corresponding PDTB-2 sense, or "" if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplicitatedPair:
    """Two neighbouring sentences, their back-translations, and the relation that these show."""

    translated: BackTranslatedPair
    readings: tuple[RelationReading, ...]
    senses: dict[str, str]
    """The sense in each data set that contains the pair: `2-votes`, `fr` ..."""
    has_alternative: bool
    """True if `second` starts with a phrase such as `for this reason`, which expresses the relation but is
    not a connective."""
    rejected_by: str | None
    """Why the relation has no label, or None if it has one."""
