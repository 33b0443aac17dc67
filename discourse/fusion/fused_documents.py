"""Apply the fusion rules to every sentence of a document and to every two neighbouring sentences (DiscoFuse)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import Field

from bitext_pivot.core.records import FusedPair, ParsedSentence, Sentence
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.adjacency import are_adjacent
from bitext_pivot.discourse.coreference import CoreferenceResolver, ResolverName
from bitext_pivot.discourse.fusion import self_check
from bitext_pivot.discourse.fusion.balance import is_sampled
from bitext_pivot.discourse.fusion.rules import (
    Profile,
    UnfusedSentences,
    unfuse_pair,
    unfuse_sentence,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


class FusionSettings(Settings):
    """How one or two sentences of a text are turned into two, and which results are accepted."""

    profile: Profile = "strict"
    """faithful follows the rules of DiscoFuse, including their known faults. strict rejects pairs with such a fault."""
    coreference: ResolverName | None = None
    """Which pronouns are replaced by the noun phrase to which they refer. `rules`: he and she, if the preceding subject
    is the name of a person. `subjects`: also it and they, if the subject agrees in number; about half of these are
    wrong. `none`: no pronouns. If empty, the profile `strict` uses `rules`, and `faithful` uses `subjects`."""
    neighbours: Literal["document", "paragraph"] = "document"
    """Which adjacent sentences form a text of two sentences. document: any two of a document, as in DiscoFuse.
    paragraph: only two of the same paragraph; in many corpora of OPUS, every sentence is a paragraph of its own."""
    shortest: int = Field(default=7, ge=1, title="Minimum tokens")
    """Minimum number of tokens in a text of one or two sentences."""
    longest: int = Field(default=200, ge=1, title="Maximum tokens")
    """Maximum number of tokens in a text of one or two sentences."""
    is_ascii: bool = Field(default=False, title="ASCII only")
    """Reject texts with characters outside ASCII, as DiscoFuse does."""
    controls: float = Field(default=0.1, ge=0, le=1, title="Share of control pairs")
    """Control pairs are two neighbouring sentences without a discourse phenomenon (PAIR_NONE). This share of them is
    used."""
    seed: int = 0
    """Seed of the selection of control pairs."""

    @property
    def backend(self) -> ResolverName:
        """Name of the coreference resolver: `coreference`, or the default of the profile."""
        return self.coreference or ("rules" if self.profile == "strict" else "subjects")

    def rejects(self, text: tuple[str, ...], result: UnfusedSentences) -> str | None:
        """Return why a text and the two sentences derived from it are rejected, or None."""
        tokens = sum(sentence.count(" ") + 1 for sentence in text)
        if not self.shortest <= tokens <= self.longest:
            return "length of the text"
        if self.is_ascii and not all(map(str.isascii, text)):
            return "characters outside ASCII"
        if not (result.first and result.second):
            return "empty sentence"
        sentences = (result.first, result.second)
        return result.rejected_by or self_check.rejection_reason(
            text, sentences, result.discourse_type, result.connective
        )


def unfuse_documents(
    sentences: Iterable[ParsedSentence],
    fusion: FusionSettings,
    resolve: CoreferenceResolver,
    skips: Counter[str],
) -> Iterator[FusedPair]:
    """Yield the fused pairs of all sentences and all two neighbouring sentences, in order.

    A fused pair is a text and the two sentences that the rules derive from it. `sentences` must be in document order;
    `resolve` resolves pronouns. Texts from which no pair is derived are counted in `skips`. Two sentences are not
    neighbours if a sentence between them was skipped.
    """
    previous: tuple[ParsedSentence, DependencyTree] | None = None
    for record in sentences:
        grammar = DependencyTree(record.parse, record.sentence.language)
        if single := unfuse_sentence(grammar, fusion.profile, resolve):
            yield _build_pair([record], single, fusion)
        else:
            skips["sentence without a phenomenon"] += 1
        if previous and _are_neighbours(previous[0].sentence, record.sentence, fusion):
            result = unfuse_pair(previous[1], grammar, fusion.profile, resolve)
            neighbours = [previous[0], record]
            if result.discourse_type != "PAIR_NONE" or is_sampled(
                _pair_id(neighbours), fusion.controls, fusion.seed
            ):
                yield _build_pair(neighbours, result, fusion)
            else:
                skips["control pair not drawn"] += 1
        previous = record, grammar


def _are_neighbours(a: Sentence, b: Sentence, fusion: FusionSettings) -> bool:
    return are_adjacent(a, b) and (fusion.neighbours == "document" or a.paragraph == b.paragraph)


def _pair_id(sentences: list[ParsedSentence]) -> str:
    return "-".join(
        [sentences[0].sentence.id, *(str(record.sentence.position) for record in sentences[1:])]
    )


def _build_pair(
    sentences: list[ParsedSentence], result: UnfusedSentences, fusion: FusionSettings
) -> FusedPair:
    first = sentences[0].sentence
    text = tuple(" ".join(record.parse.tokens) for record in sentences)
    positions = tuple(record.sentence.position for record in sentences)
    return FusedPair(
        id=_pair_id(sentences),
        language=first.language,
        discourse_type=result.discourse_type,
        connective=result.connective,
        has_pronoun=result.has_pronoun,
        text=text,
        first=result.first,
        second=result.second,
        source=first.source,
        positions=positions,
        rejected_by=fusion.rejects(text, result),
    )
