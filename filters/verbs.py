"""Sentences without a verb: headings, lists and fragments (BiSECT, section 3.1).

Small taggers tag many verbs as nouns (`This program expires`). If a sentence has no verb by its tags, two more sources
are consulted: the parser (a subject or object depends on the word) and the other sentences of the pair (the same word
or lemma is a verb there). Of 1,100 published pairs tags alone reject 24, this rejects 8.

A third source is for English, where `-s` ends plurals and verbs alike: after a singular noun a plural cannot be the
object of the same determiner (`this company accounts`), nor have a determiner or an adjective after it (`the bank
requests the opinion`). A fourth is lemminflect's dictionary of English, for words that are nothing but verbs (`arise`).
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
    """The number of verbs and auxiliaries of `long` or a half; the sentence with the fewest counts."""

    IN_PAPER: ClassVar = True

    min_verbs: int = Field(default=1, title="Minimum verbs", ge=0, le=100)
    """Minimum number of verbs and auxiliaries in each sentence."""

    def measure(self, pair: View) -> float:
        """Return the smallest number of verbs in the three sentences."""
        if fewest := min(map(_tagged, pair.parses)):
            return fewest
        forms = frozenset(form for parse in pair.parses for form in _verb_forms(parse))
        if pair.language == "en":
            forms |= {
                word
                for parse in pair.parses
                for word in parse.tokens
                if word.islower() and _is_only_a_verb(word)
            }
        return min(_tagged(parse) or _untagged(parse, forms) for parse in pair.parses)


def _tagged(parse: Parse) -> int:
    return parse.pos.count("VERB") + parse.pos.count("AUX")


def _verb_forms(parse: Parse) -> set[str]:
    """Return the tokens and lemmas of verbs, lower-cased."""
    return {form.lower() for i in _verbs(parse) for form in (parse.tokens[i], parse.lemmas[i])}


def _verbs(parse: Parse) -> list[int]:
    """Return the indices of verbs and auxiliaries, contractions with one included."""
    rows = enumerate(zip(parse.pos, parse.tags, parse.morphs, strict=True))
    return [
        i for i, (pos, tag, morph) in rows if pos in _VERBS or tagsets.is_finite_form(tag, morph)
    ]


def _untagged(parse: Parse, forms: frozenset[str]) -> int:
    """Return the number of words that are verbs by another source than their part of speech."""
    verbs = set(_verbs(parse))
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
    """Return True if an English word is a verb and nothing else in lemminflect's dictionary; no participle."""
    return not word.endswith(("ed", "ing")) and parts_of_speech(word) == {"verb"}


def _is_misread_plural(parse: Parse, i: int) -> bool:
    """Return True if an English plural (NNS) cannot be a plural in its context and is a verb in -s."""
    if not parse.tokens[i].islower() or not i or parse.pos[i - 1] not in _NOUNS:
        return False
    if i + 1 < len(parse.tokens) and parse.pos[i + 1] in _OPENING:
        return True
    before = next((n for n in range(i - 1, -1, -1) if parse.pos[n] not in _NOUNS | {"ADJ"}), None)
    return before is not None and parse.tokens[before].lower() in _SINGULAR
