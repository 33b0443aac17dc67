"""The records that stages read and write. Each record contains the previous one, so no stage joins two tables.

A build of pairs has `Alignment -> Pair -> ParsedPair -> ScoredPair -> JudgedPair`, and a join of several builds adds
`JoinedPair`. Recipes for running text have `Sentence -> ParsedSentence`, and from these either `FusedPair` or
`MarkedPair -> SelectedPair`.
"""

from dataclasses import dataclass
from typing import Literal, get_args

Side = Literal["long", "split"]
"""The role that a side of an alignment has in a pair: the long sentence, or its split."""
Category = Literal["Direct Insertion", "Changes Near Split", "Changes Across Sentence"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Corpus, release, licence and documents of a record's sentences."""

    corpus: str
    release: str
    licence: str
    """SPDX identifier or a short text, or `unknown` if the corpus states no licence."""
    documents: tuple[str, ...]
    """Names of the documents.

    Running text has one. An alignment has two: the document of the single sentence, then of the two sentences.

    A name is OPUS's name without the compression suffix (`en/ep-96-10-22.xml`), a path relative to the user's folder,
    or an identifier from a file of JSON lines.
    """

    @property
    def document(self) -> str:
        """The first document."""
        return self.documents[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """One sentence aligned with two sentences of another language: an OPUS link of shape 1-2 or 2-1."""

    id: str
    """`corpus/release/pair:n`, where n is the position of the link in the link file, counted from 1."""
    source: Source
    one_language: str
    two_language: str
    one: str
    two: tuple[str, str]
    one_id: str
    two_ids: tuple[str, str]
    attributes: dict[str, str]
    """Attributes of the link (certainty, score, type ...), without `xtargets`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A long sentence and its split: two sentences in the same language that should have the same meaning."""

    id: str
    language: str
    long: str
    split: tuple[str, str]
    pivot: str | None
    """The language from which one side was translated by machine, or None if nothing was translated."""
    translated: Side | None
    engine: str | None
    """Identity of the translation engine (name, versions, model), or None if nothing was translated."""
    alignment: Alignment | None
    """The alignment from which the pair was made, or None for a pair from a user's table."""
    confidences: tuple[float, ...] = ()
    """The engine's confidence in each translated text, from 0 to 1, in order. Empty if it is unknown."""

    @property
    def texts(self) -> tuple[str, str, str]:
        """The three sentences: `long`, then the two halves of `split`."""
        return (self.long, *self.split)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parse:
    """The parse of one text. All tuples have one entry per token.

    A text may contain several dependency trees: each token whose head is itself is a root.
    """

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    """Offset of the first character of each token in the text."""
    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    """Fine-grained part-of-speech tags of the pipeline's treebank (PTB, STTS ...)."""
    pos: tuple[str, ...]
    """Universal part-of-speech tags."""
    morphs: tuple[str, ...]
    """Universal features, such as `VerbForm=Fin|Tense=Past`; empty if the pipeline has none."""
    deps: tuple[str, ...]
    """Dependency labels of the pipeline."""
    heads: tuple[int, ...]
    """Index of each token's head; a root is its own head."""
    scheme: Literal["clear", "ud", "tiger"]
    """The annotation scheme of `deps`: CLEAR, Universal Dependencies or TIGER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPair:
    """A pair and the parses of its three sentences. The texts are in `pair`, as `parsed.pair.long`."""

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
    """Scores by name of the filter; some filters have several, such as `bertscore.recall`.

    The scores of a filter that did not run are missing.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair:
    """A scored pair, the filter that rejected it (None if it was kept), and its labels."""

    scored: ScoredPair
    rejected_by: str | None
    category: Category
    """Category of the split by the definitions of the BiSECT paper, to select or describe pairs."""
    category_bisect: Category
    """Category of the split by the rules of BiSECT's released code, for training with the paper's adaptive loss."""
    construction: str
    """The construction in `long` that was split, from Table 4 of the BiSECT paper, or `other`."""
    split_at: int | None
    """Split point: index of the token of `long` at which its second part begins.

    The second part has the meaning of the second sentence of the split, or of the first if the order is reversed. None
    if there is no split point, because all words of `long` belong to one of the two sentences.
    """

    @property
    def pair(self) -> Pair:
        """The pair without scores and labels."""
        return self.scored.parsed.pair


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSource:
    """The origin of one of several equal pairs in a data set joined from several builds."""

    id: str
    corpus: str
    release: str
    licence: str
    pivot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One split of a long sentence (two sentences), and the ids of the pairs that have this split."""

    split: tuple[str, str]
    ids: tuple[str, ...]
    pivots: tuple[str, ...]
    """The different pivot languages of these pairs, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRelation:
    """The relation of a pair to the pairs of all joined builds. A pair that a filter rejected has no group."""

    rejected_by: str | None = None
    """Reason for the rejection if an earlier pair of the joined builds is equal, otherwise None."""
    group: str | None = None
    """Id of the pair's group. Pairs that share a long sentence or a split are in one group, also indirectly."""
    pivots: int = 0
    """Number of different pivot languages among the pairs of the group."""
    is_first: bool = False
    """Whether this is the first pair with its long sentence."""
    sources: tuple[PairSource, ...] = ()
    """Sources of this pair and all pairs equal to it. Only the first of these pairs has them."""
    references: tuple[Reference, ...] = ()
    """All splits of the long sentence, if it has several. Only the first pair with this sentence has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPair:
    """A judged pair, and its relation to the other pairs of a data set joined from several builds."""

    judged: JudgedPair
    joint: PairRelation

    @property
    def rejected_by(self) -> str | None:
        """Name of the filter that rejected the pair, or `rejected_by` of its relation. None if the pair is kept."""
        return self.judged.rejected_by or self.joint.rejected_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a document. Shards contain whole documents, with sentences in order."""

    id: str
    """`corpus/release/language/document:position`."""
    source: Source
    language: str
    paragraph: int
    """Number of the paragraph in the document, counted from 1. In OPUS, any block of sentences is a paragraph."""
    position: int
    """Number of the sentence in the document, counted from 1, including skipped sentences."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedSentence:
    """A sentence and its parse."""

    sentence: Sentence
    parse: Parse


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedPair:
    """A text, and two sentences with its meaning from which a discourse phenomenon was removed.

    The phenomenon connects clauses or sentences: a connective, a pronoun, a relative clause and so on (DiscoFuse).
    """

    id: str
    """`corpus/release/language/document:position`, or `...:position-position` for two adjacent sentences."""
    language: str
    discourse_type: str
    """One of DiscoFuse's 13 labels: `SINGLE_...` for a text of one sentence, `PAIR_...` for a text of two."""
    connective: str
    """The connective that joins the two sentences, tokenized and lowercased; empty without a connective."""
    has_pronoun: bool
    """Whether a pronoun of `text` was replaced by a noun phrase in `second`."""
    text: tuple[str, ...]
    """The one or two sentences of the text, tokenized, with spaces between the tokens."""
    first: str
    second: str
    source: Source
    positions: tuple[int, ...]
    """Numbers of the sentences of `text` in the document, counted from 1."""
    rejected_by: str | None
    """Reason of rejection; None if the pair is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPair:
    """Two adjacent sentences. The discourse marker that opened the second, such as "however", was removed."""

    id: str
    """`corpus/release/language/document:position-position`."""
    language: str
    marker: str
    """The discourse marker in lower case, with its comma, and `_` between words: `sadly,`, `in_fact,`, `however`."""
    found: Literal["adverb", "list", "phrase", "none"]
    """How the marker was recognised; `none` for the label `[no-conn]`."""
    first: str
    second: str
    """The second sentence without the discourse marker, beginning with a capital."""
    original: str
    """The second sentence with the discourse marker."""
    source: Source
    positions: tuple[int, int]
    """Numbers of the two sentences in the document, counted from 1."""
    rejected_by: str | None
    """Reason why the pair cannot be selected for the data set, or None if it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedPair:
    """A pair with a discourse marker, and the variants of the Discovery data set that contain it."""

    pair: MarkedPair
    rank: int | None
    """Rank of the true marker among those that an n-gram model predicts, from 1. None if nothing was predicted."""
    variants: tuple[str, ...]
    rejected_by: str | None
    """Reason why no variant of the data set contains the pair, or None if at least one does."""
