"""The records of a build. Each contains the previous one, so that no stage joins two tables.

`Alignment -> Pair -> ParsedPair -> ScoredPair -> JudgedPair`, in a join of several builds `-> JoinedPair`; of
running text `Sentence -> ParsedSentence`, and of one or two of these `FusedPair`, or `MarkedPair -> SelectedPair`.
"""

from dataclasses import dataclass
from typing import Literal, get_args

Side = Literal["long", "split"]
"""What one side of a link became: the long sentence, or the two that say the same."""
Category = Literal["Direct Insertion", "Changes Near Split", "Changes Across Sentence"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the sentences of a record come from."""

    corpus: str
    release: str
    licence: str
    """SPDX identifier or a short text; `unknown` where the corpus states none."""
    documents: tuple[str, ...]
    """One for running text; of an alignment that of `one`, then that of `two`.

    As OPUS names it, without the compression suffix: `en/ep-96-10-22.xml`; a path below the user's folder, or an
    identifier in a file of JSON lines.
    """

    @property
    def document(self) -> str:
        """The first document."""
        return self.documents[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """One sentence of a language aligned with two sentences of another: an OPUS link of shape 1-2 or 2-1."""

    id: str
    """`corpus/release/pair:n`, n the link's place in the link file, counted from 1."""
    source: Source
    one_language: str
    two_language: str
    one: str
    two: tuple[str, str]
    one_id: str
    two_ids: tuple[str, str]
    attributes: dict[str, str]
    """The link's own attributes (certainty, score, type ...), without `xtargets`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A long sentence and two sentences that should say the same, in one language."""

    id: str
    language: str
    long: str
    split: tuple[str, str]
    pivot: str | None
    """The language that was translated; None when nothing was translated."""
    translated: Side | None
    engine: str | None
    """Signature of the engine that translated; None when nothing was translated."""
    alignment: Alignment | None
    """The OPUS link; None for an existing pair."""
    confidences: tuple[float, ...] = ()
    """The engine's confidence in each text that it translated, from 0 to 1, in order; empty if unknown."""

    @property
    def texts(self) -> tuple[str, str, str]:
        """The three sentences: `long`, and the two of `split`."""
        return (self.long, *self.split)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parse:
    """The parse of one text; all tuples have one entry per token.

    A text may hold more than one dependency tree: each token whose head is itself is a root.
    """

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    """Offset of each token's first character in the text."""
    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    """Fine-grained tags of the treebank the pipeline was trained on (PTB, STTS ...)."""
    pos: tuple[str, ...]
    """Universal part of speech."""
    morphs: tuple[str, ...]
    """Universal features, `VerbForm=Fin|Tense=Past`; empty where the pipeline gives none."""
    deps: tuple[str, ...]
    """Dependency labels as the pipeline gives them."""
    heads: tuple[int, ...]
    """Index of each token's head; a root is its own head."""
    scheme: Literal["clear", "ud", "tiger"]
    """The inventory that `deps` belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPair:
    """A pair and the parses of its three sentences. The texts are those of `pair`: `parsed.pair.long`."""

    pair: Pair
    long: Parse
    split: tuple[Parse, Parse]

    @property
    def parses(self) -> tuple[Parse, Parse, Parse]:
        """The parses of the three sentences, in the order of `pair.texts`."""
        return (self.long, *self.split)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPair:
    """A parsed pair and its filter scores."""

    parsed: ParsedPair
    scores: dict[str, float]
    """By filter name, with parts such as `bertscore.recall`; a filter that did not run has no entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair:
    """A scored pair, the filter that rejected it (None when kept), and its labels."""

    scored: ScoredPair
    rejected_by: str | None
    category: Category
    """By the paper's definitions, for people who choose or describe pairs."""
    category_bisect: Category
    """By the rules of BiSECT's released code, for training with the paper's adaptive loss."""
    construction: str
    """A construction of the paper's Table 4, or `other`."""
    split_at: int | None
    """Index of the token of `long` that starts its second part: the second sentence, or the first of reversed ones.

    None if `long` does not divide: all its words belong to one of the two sentences.
    """

    @property
    def pair(self) -> Pair:
        """The pair itself."""
        return self.scored.parsed.pair


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSource:
    """Where one of several equal pairs comes from."""

    id: str
    corpus: str
    release: str
    licence: str
    pivot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One way to split a sentence, and the pairs that have it."""

    split: tuple[str, str]
    ids: tuple[str, ...]
    pivots: tuple[str, ...]
    """The different pivot languages of these pairs, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRelation:
    """How a pair relates to those of all builds that are joined; no group if it was rejected before."""

    rejected_by: str | None = None
    """What rejects a pair that is equal to an earlier one; None for others."""
    group: str | None = None
    """Id of the pairs that have the same long sentence or the same halves, also over others between them."""
    pivots: int = 0
    """Number of different pivot languages in the group."""
    is_first: bool = False
    """True for the first pair of its long sentence."""
    sources: tuple[PairSource, ...] = ()
    """Sources of all equal pairs, for the first of several."""
    references: tuple[Reference, ...] = ()
    """All splits of the long sentence, for the first pair of a sentence that has several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPair:
    """A judged pair, and how it relates to the others of a join."""

    judged: JudgedPair
    joint: PairRelation

    @property
    def rejected_by(self) -> str | None:
        """The filter that rejected it, or that an earlier pair is equal; None if neither."""
        return self.judged.rejected_by or self.joint.rejected_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a document. Shards have sentences in document order and never cut a document."""

    id: str
    """`corpus/release/language/document:position`."""
    source: Source
    language: str
    paragraph: int
    """Number of its paragraph in the document, counted from 1; of OPUS, any block of sentences."""
    position: int
    """Number of the sentence in the document, counted from 1; skipped sentences count, so neighbours differ by 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedSentence:
    """A sentence and its parse."""

    sentence: Sentence
    parse: Parse


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedPair:
    """One or two neighbouring sentences, and two sentences that say the same without their discourse phenomenon."""

    id: str
    """`corpus/release/language/document:position`, of two neighbours `...:position-position`."""
    language: str
    discourse_type: str
    """One of DiscoFuse's 13 labels: `SINGLE_...` of one sentence, `PAIR_...` of two."""
    connective: str
    """What joins the two sentences, tokenised, in lower case; empty for none."""
    has_pronoun: bool
    """True if a pronoun of the text is a noun phrase in `second`."""
    text: tuple[str, ...]
    """The text as tokens with spaces between them: one sentence or two."""
    first: str
    second: str
    source: Source
    positions: tuple[int, ...]
    """Numbers of the sentences of `text` in the document, counted from 1."""
    rejected_by: str | None
    """Why the pair must not be used; None when kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPair:
    """Two adjacent sentences; `second` has lost the discourse marker that opened it, and begins with a capital."""

    id: str
    """`corpus/release/language/document:position-position`."""
    language: str
    marker: str
    """Lower case, words joined by `_`, with the comma if it is a part: `sadly,`, `in_fact,`, `however`."""
    found: Literal["adverb", "list", "phrase", "none"]
    """What made it a marker; `none` for the label `[no-conn]`."""
    first: str
    second: str
    original: str
    """The second sentence as it was."""
    source: Source
    positions: tuple[int, int]
    """Numbers of the two sentences in the document, counted from 1."""
    rejected_by: str | None
    """Why the pair is no candidate; None when it is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedPair:
    """A marked pair, and which variants of the data set have it once all pairs are counted."""

    pair: MarkedPair
    rank: int | None
    """Of its marker among all, from 1, in the prediction by n-grams; None if the prediction left the pair out."""
    variants: tuple[str, ...]
    rejected_by: str | None
    """Why no variant has the pair; None if one has it."""
