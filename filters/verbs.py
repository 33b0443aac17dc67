"""A side without a verb: headings, lists and fragments (BiSECT, section 3.2: every sentence has a verb).

Small taggers take many a verb for a noun (`This program expires`). Where a sentence has no verb by its tags, two other
witnesses are heard before it counts as verbless: the parser (a subject hangs from the word) and the other sentences of
the pair (the same word or lemma is a verb there). Of 1,100 published pairs tags alone reject 24, this rejects 8.

A third witness is heard for English, where `-s` ends plurals and verbs alike: behind a singular noun stands no plural
that is the object of the same determiner (`this company accounts`), nor one with a determiner or an adjective behind it
(`the bank requests the opinion`).
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from pairs import labels
from pairs.records import Parse, ParsedPair

_WORDS = frozenset({"NOUN", "PROPN", "ADJ", "ADV", "X"})
_VERBS = frozenset({"VERB", "AUX"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_OPENING = frozenset({"DET", "ADJ", "PRON", "ADV"})
_SINGULAR = frozenset({"a", "an", "this", "that", "each", "every", "another"})


class Verbs(Filter):
    """Counts verbs and auxiliaries in the sentence that has fewest: `long`, the first half or the second."""

    thresholds: ClassVar = frozenset({"min_verbs"})

    min_verbs: int = Field(
        default=1, title="Fewest verbs", ge=0, le=100, description="Verbs or auxiliaries that each sentence must have."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the number of verbs in the poorest of the three sentences."""
        batch = Batch.of(pairs)
        verbs = batch.sentence[batch.is_tagged(_VERBS)]
        by_tag = np.bincount(verbs, minlength=3 * len(batch)).reshape(len(batch), 3).min(axis=1)
        more = batch.only(np.flatnonzero(by_tag == 0), fewest)
        return as_scores(by_tag + np.array(more))

    def accepts(self, score: float) -> bool:
        """Accept from `min_verbs` on."""
        return score >= self.min_verbs


def fewest(pair: ParsedPair) -> int:
    """Return the number of verbs of the poorest sentence, all witnesses heard where the tags show none."""
    sides = (pair.long, *pair.split)
    known = frozenset(word for side in sides for word in _verb_forms(side))
    return min(_tagged(side) or _untagged(side, known) for side in sides)


def _tagged(parse: Parse) -> int:
    return parse.pos.count("VERB") + parse.pos.count("AUX")


def _verb_forms(parse: Parse) -> set[str]:
    """Return the words that are verbs here, as they stand and as lemmas."""
    return {form.lower() for i in _verbs(parse) for form in (parse.tokens[i], parse.lemmas[i])}


def _verbs(parse: Parse) -> list[int]:
    """Return the verbs and auxiliaries, contractions with one included."""
    tags = {tag for tag in {*parse.tags} if labels.is_finite(tag, "")}  # asked of what recurs, not of each token
    morphs = {morph for morph in {*parse.morphs} if labels.is_finite("", morph)}
    told = enumerate(zip(parse.pos, parse.tags, parse.morphs, strict=True))
    return [i for i, (pos, tag, morph) in told if pos in _VERBS or tag in tags or morph in morphs]


def _untagged(parse: Parse, known: frozenset[str]) -> int:
    """Return how many words are verbs by another witness than their part of speech."""
    subjects = {dep for dep in {*parse.deps} if labels.is_named(parse.scheme, "subject", dep)}
    heads = enumerate(zip(parse.heads, parse.deps, strict=True))
    found = {*_verbs(parse), *(head for i, (head, dep) in heads if dep in subjects and head != i)}
    words = enumerate(zip(parse.tokens, parse.lemmas, parse.pos, strict=True))
    found.update(
        i for i, (token, lemma, pos) in words if pos in _WORDS and not known.isdisjoint((token.lower(), lemma.lower()))
    )
    found.update(i for i, tag in enumerate(parse.tags) if tag == "NNS" and _is_misread_plural(parse, i))
    return sum(0 <= i < len(parse.tokens) for i in found)


def _is_misread_plural(parse: Parse, i: int) -> bool:
    """Tell whether an English plural (NNS) cannot be one where it stands, so that it is a verb in -s."""
    if not parse.tokens[i].islower() or not i or parse.pos[i - 1] not in _NOUNS:
        return False
    if i + 1 < len(parse.tokens) and parse.pos[i + 1] in _OPENING:
        return True
    before = next((n for n in range(i - 1, -1, -1) if parse.pos[n] not in _NOUNS | {"ADJ"}), None)
    return before is not None and parse.tokens[before].lower() in _SINGULAR
