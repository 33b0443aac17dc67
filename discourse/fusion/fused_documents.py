"""Apply the rules to every sentence and every two neighbours of a document (DiscoFuse, section 3)."""

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
    """How texts are divided into two sentences, and which results are accepted."""

    profile: Profile = "strict"
    """faithful follows DiscoFuse, including its known faults. strict rejects pairs with such a fault."""
    coreference: ResolverName | None = None
    """Which pronouns are resolved. rules: he and she, to a preceding subject that is the name of a person.
    subjects: also it and they, to a subject that agrees in number; about half of these are wrong. none: no
    pronouns. If it is empty, strict uses rules and faithful uses subjects."""
    neighbours: Literal["document", "paragraph"] = "document"
    """document: any two adjacent sentences of a document are neighbours, as in DiscoFuse. paragraph: only two
    sentences of the same paragraph; in many corpora of OPUS, every sentence is a paragraph of its own."""
    shortest: int = Field(default=7, ge=1, title="Minimum tokens")
    """Minimum number of tokens in a text, both sentences together."""
    longest: int = Field(default=200, ge=1, title="Maximum tokens")
    """Maximum number of tokens in a text."""
    is_ascii: bool = Field(default=False, title="ASCII only")
    """Reject texts with characters outside ASCII, as DiscoFuse does."""
    controls: float = Field(default=0.1, ge=0, le=1, title="Share of control pairs")
    """Share of the neighbours without any phenomenon (PAIR_NONE) that is drawn as control pairs."""
    seed: int = 0
    """Seed of the selection of control pairs."""

    @property
    def backend(self) -> ResolverName:
        """Name of the coreference resolver: the chosen one, or the default of the profile."""
        return self.coreference or ("rules" if self.profile == "strict" else "subjects")

    def rejects(self, text: tuple[str, ...], result: UnfusedSentences) -> str | None:
        """Return why a text and its two sentences are rejected, or None."""
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
    """Yield the fused pairs that the rules derive from sentences and neighbours, in order.

    `sentences` must be in document order; `resolve` resolves pronouns. Texts without a result are counted in `skips`.
    Two sentences are not neighbours if a sentence between them was skipped.
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
