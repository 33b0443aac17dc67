"""Fused pairs of documents: every sentence, and every two neighbours of a paragraph (DiscoFuse, section 3)."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from discourse.coreference import Backend
from discourse.fusion.rules import Profile, Unfused, unfuse_pair, unfuse_sentence
from pairs.records import FusedPair, ParsedSentence
from pairs.settings import Settings
from pairs.syntax.grammar import Grammar


class Fusion(Settings):
    """How texts are divided, and which of them are kept."""

    profile: Profile = Field(
        default="strict",
        title="Profile",
        description="faithful: as DiscoFuse, with its known faults. strict: pairs with such a fault are rejected, and "
        "those of appositions and relative clauses, whose precision has not been measured one by one.",
    )
    coreference: Backend = Field(
        default="rules",
        title="Coreference",
        description="rules: he and she with a proper noun as the subject before them, English only. none: no anaphora.",
    )
    shortest: int = Field(
        default=7, ge=1, title="Shortest text", description="Tokens that a text must have, both sentences together."
    )
    longest: int = Field(default=200, ge=1, title="Longest text", description="Tokens that a text may have.")
    is_ascii: bool = Field(
        default=False, title="ASCII only", description="Reject texts with other characters, as DiscoFuse does."
    )
    controls: float = Field(
        default=0.1,
        ge=0,
        le=1,
        title="Share of control pairs",
        description="Share of the neighbours without any phenomenon (PAIR_NONE) that is drawn.",
    )
    seed: int = Field(default=0, title="Seed", description="Another number draws other control pairs.")

    UNMEASURED: ClassVar[frozenset[str]] = frozenset({"SINGLE_APPOSITION", "SINGLE_RELATIVE"})
    """Labels that `strict` rejects until at least 80 % of their pairs were right when read."""

    def rejects(self, text: tuple[str, ...], result: Unfused) -> str | None:
        """Return why a text and its two sentences must not be used, or None."""
        tokens = sum(sentence.count(" ") + 1 for sentence in text)
        if not self.shortest <= tokens <= self.longest:
            return "length of the text"
        if self.is_ascii and not all(map(str.isascii, text)):
            return "characters outside ASCII"
        if not (result.first and result.second):
            return "empty sentence"
        if self.profile == "strict" and result.discourse_type in self.UNMEASURED:
            return "phenomenon off in strict"
        return result.rejected_by

    def draws(self, name: str) -> bool:
        """Return True if a control pair is drawn: by its identifier, whatever else a build reads."""
        digest = hashlib.blake2b(f"{self.seed}/{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.controls * 2**64


def fuse(sentences: Iterable[ParsedSentence], fusion: Fusion, skips: Counter[str]) -> Iterator[FusedPair]:
    """Yield what the rules make of sentences and of neighbours, in order; texts that give nothing count in `skips`.

    `sentences` are in document order. Neighbours are in one paragraph, with no skipped sentence between them.
    """
    previous: tuple[ParsedSentence, Grammar] | None = None
    for one in sentences:
        grammar = Grammar(one.parse, one.sentence.language)
        if single := unfuse_sentence(grammar, fusion.profile, fusion.coreference):
            yield _pair([one], single, fusion)
        else:
            skips["sentence without a phenomenon"] += 1
        if previous and _are_neighbours(previous[0], one):
            both = unfuse_pair(previous[1], grammar, fusion.profile, fusion.coreference)
            pair = _pair([previous[0], one], both, fusion)
            if both.discourse_type != "PAIR_NONE" or fusion.draws(pair.id):
                yield pair
            else:
                skips["control pair not drawn"] += 1
        previous = one, grammar


def _are_neighbours(one: ParsedSentence, other: ParsedSentence) -> bool:
    a, b = one.sentence, other.sentence
    same = (a.corpus, a.release, a.document, a.paragraph) == (b.corpus, b.release, b.document, b.paragraph)
    return same and a.position + 1 == b.position


def _pair(sentences: list[ParsedSentence], result: Unfused, fusion: Fusion) -> FusedPair:
    source, text = sentences[0].sentence, tuple(" ".join(one.parse.tokens) for one in sentences)
    positions = tuple(one.sentence.position for one in sentences)
    return FusedPair(
        id=source.id + "".join(f"-{position}" for position in positions[1:]),
        language=source.language,
        discourse_type=result.discourse_type,
        connective=result.connective,
        has_pronoun=result.has_pronoun,
        text=text,
        first=result.first,
        second=result.second,
        corpus=source.corpus,
        release=source.release,
        licence=source.licence,
        document=source.document,
        positions=positions,
        rejected_by=fusion.rejects(text, result),
    )
