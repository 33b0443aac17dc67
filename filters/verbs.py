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
from pairs.grammar import Grammar
from pairs.records import Parse, ParsedPair

_WORDS = frozenset({"NOUN", "PROPN", "ADJ", "ADV", "X"})
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
        verbs = batch.sentence[batch.tagged("VERB", "AUX")]
        by_tag = np.bincount(verbs, minlength=3 * len(batch)).reshape(len(batch), 3).min(axis=1)
        more = batch.only(np.flatnonzero(by_tag == 0), fewest)
        return as_scores(by_tag + np.array(more))

    def accepts(self, score: float) -> bool:
        """Accept from `min_verbs` on."""
        return score >= self.min_verbs


def fewest(pair: ParsedPair) -> int:
    """Return the number of verbs of the poorest sentence, all witnesses heard where the tags show none."""
    grammars = [Grammar(side, pair.pair.language) for side in (pair.long, *pair.split)]
    known = frozenset(word for grammar in grammars for word in _verb_forms(grammar))
    return min(_tagged(grammar.parse) or _untagged(grammar, known) for grammar in grammars)


def _tagged(parse: Parse) -> int:
    return parse.pos.count("VERB") + parse.pos.count("AUX")


def _verb_forms(grammar: Grammar) -> set[str]:
    """Return the words that are verbs here, as they stand and as lemmas."""
    parse = grammar.parse
    places = [i for i in range(len(grammar)) if grammar.is_verb(i)]
    return {form.lower() for i in places for form in (parse.tokens[i], parse.lemmas[i])}


def _untagged(grammar: Grammar, known: frozenset[str]) -> int:
    """Return how many words are verbs by another witness than their part of speech."""
    return sum(1 for i in range(len(grammar)) if _is_verb_after_all(grammar, i, known))


def _is_verb_after_all(grammar: Grammar, i: int, known: frozenset[str]) -> bool:
    parse = grammar.parse
    if grammar.is_verb(i) or grammar.has_own_subject(i) or _is_misread_plural(grammar.parse, i):
        return True
    return parse.pos[i] in _WORDS and not known.isdisjoint((parse.tokens[i].lower(), parse.lemmas[i].lower()))


def _is_misread_plural(parse: Parse, i: int) -> bool:
    """Tell whether an English plural cannot be one where it stands, so that it is a verb in -s."""
    if parse.tags[i] != "NNS" or not parse.tokens[i].islower() or not i or parse.pos[i - 1] not in _NOUNS:
        return False
    if i + 1 < len(parse.tokens) and parse.pos[i + 1] in _OPENING:
        return True
    before = next((n for n in range(i - 1, -1, -1) if parse.pos[n] not in _NOUNS | {"ADJ"}), None)
    return before is not None and parse.tokens[before].lower() in _SINGULAR
