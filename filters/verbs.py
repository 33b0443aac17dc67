"""Reject pairs with a sentence that has no verb, such as a heading (BiSECT, section 3.1).

Small taggers tag many verbs as nouns, as in `This program expires`. If a sentence has no verb by its tags, two more
sources are consulted: the parser (a subject or object depends on the word) and the other sentences of the pair (the
same word or lemma is a verb there). The tags alone reject 24 of 1,100 published pairs, and this filter rejects 8.

Two further checks apply to English. Because `-s` ends plurals as well as verbs, a plural after a singular noun must
be a verb if a singular determiner precedes them (`this company accounts`), or if a determiner or an adjective
follows (`the bank requests the opinion`). And lemminflect's dictionary has words that are only verbs (`arise`).
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View
from bitext_pivot.syntax import tagsets
from bitext_pivot.syntax.english_words import parts_of_speech
from bitext_pivot.syntax.tagsets import Relation

_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "ADV", "X"})
_VERBS = frozenset({"VERB", "AUX"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_OPENING = frozenset({"DET", "ADJ", "PRON", "ADV"})
_ARGUMENTS: tuple[Relation, ...] = ("subject", "object")
_SINGULAR = frozenset({"a", "an", "this", "that", "each", "every", "another"})


class VerbsFilter(RuleFilter):
    """The number of verbs and auxiliaries in the sentence of the pair with the fewest."""

    IN_PAPER: ClassVar = True

    min_verbs: int = Field(default=1, title="Minimum verbs", ge=0, le=100)
    """Minimum number of verbs and auxiliaries in the long sentence and in each half of the split."""

    def measure(self, pair: View) -> float:
        """Return the number of verbs in the sentence of the pair with the fewest."""
        if fewest := min(map(_count_tagged_verbs, pair.parses)):
            return fewest
        forms = frozenset(form for parse in pair.parses for form in _verb_forms(parse))
        if pair.language == "en":
            forms |= {
                word
                for parse in pair.parses
                for word in parse.tokens
                if word.islower() and _is_only_a_verb(word)
            }
        return min(
            _count_tagged_verbs(parse) or _count_verbs(parse, forms) for parse in pair.parses
        )


def _count_tagged_verbs(parse: Parse) -> int:
    return parse.pos.count("VERB") + parse.pos.count("AUX")


def _verb_forms(parse: Parse) -> set[str]:
    """Return the lower-case tokens and lemmas of the verbs in a sentence."""
    return {form.lower() for i in _find_verbs(parse) for form in (parse.tokens[i], parse.lemmas[i])}


def _find_verbs(parse: Parse) -> list[int]:
    """Return the indices of verbs, auxiliaries, and contractions that contain a verb (`it's`)."""
    rows = enumerate(zip(parse.pos, parse.tags, parse.morphs, strict=True))
    return [
        i for i, (pos, tag, morph) in rows if pos in _VERBS or tagsets.is_finite_form(tag, morph)
    ]


def _count_verbs(parse: Parse, forms: frozenset[str]) -> int:
    """Return the number of words that are verbs by their tags, the parse, or the list `forms`.

    `forms` contains tokens and lemmas that are verbs elsewhere in the pair or in the dictionary.
    """
    verbs = set(_find_verbs(parse))
    for i, (token, lemma, pos) in enumerate(
        zip(parse.tokens, parse.lemmas, parse.pos, strict=True)
    ):
        head = parse.heads[i]
        if (
            any(
                tagsets.is_label_of(parse.scheme, relation, parse.deps[i])
                for relation in _ARGUMENTS
            )
            and head != i
        ):
            verbs.add(head)
        if pos in _NOMINAL and not forms.isdisjoint((token.lower(), lemma.lower())):
            verbs.add(i)
        if parse.tags[i] == "NNS" and _is_misread_plural(parse, i):
            verbs.add(i)
    return sum(0 <= i < len(parse.tokens) for i in verbs)


def _is_only_a_verb(word: str) -> bool:
    """Return True if lemminflect's dictionary lists an English word as a verb only.

    Words in `-ed` and `-ing` do not count, because they may be participles.
    """
    return not word.endswith(("ed", "ing")) and parts_of_speech(word) == {"verb"}


def _is_misread_plural(parse: Parse, i: int) -> bool:
    """Return True if a token tagged as an English plural noun (NNS) must be a verb in `-s`."""
    if not parse.tokens[i].islower() or not i or parse.pos[i - 1] not in _NOUNS:
        return False
    if i + 1 < len(parse.tokens) and parse.pos[i + 1] in _OPENING:
        return True
    before = next((n for n in range(i - 1, -1, -1) if parse.pos[n] not in _NOUNS | {"ADJ"}), None)
    return before is not None and parse.tokens[before].lower() in _SINGULAR
