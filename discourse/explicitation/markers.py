"""Find words that mark the relation between an English sentence and the previous one.

The search uses lists of phrases and no parser.
"""

import functools
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.discourse.connectives import connective_phrases
from bitext_pivot.syntax.english_words import verb_forms

_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
_TOKEN = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
_OPENING = "\"“”„«»‘'(-–—… "
"""Characters that may precede the first word of a sentence."""
_CLAUSES = 2  # a subordinate clause and its main clause have at least two finite verbs
_FINAL = frozenset({".", "!", "?", "…"})
_ANAPHOR = "(?:this|that|these|those|it|such|them|which|then|there|here|all this|all that|both)"
_DETERMINER = r"(?:(?:it|that|this) (?:is|was) )?(?:an?|the|one|another|this|that|its|their|among the)(?: \w+)?"


def tokenise(text: str) -> str:
    """Return a sentence in lower case, with tokens separated by spaces.

    Quotation marks and dashes before the first word are removed.
    """
    return " ".join(_TOKEN.findall(text.replace("’", "'").lower().lstrip(_OPENING)))


@functools.cache
def _pattern(before: str, listed: Sequence[str], after: str = "") -> re.Pattern[str]:
    """Return a pattern for any of the `listed` phrases, between patterns `before` and `after`.

    Phrases match as whole tokens, and the longest is tried first.
    """
    alternatives = "|".join(re.escape(phrase) for phrase in sorted(listed, key=len, reverse=True))
    return re.compile(rf"{before}(?<!\S)({alternatives})(?!\S){after}")


@functools.cache
def _list_phrases(*kinds: str) -> tuple[str, ...]:
    """Return the phrases of some lists of markers.toml.

    The list `initial` also contains the connectives of DiscoFuse.
    """
    backward = (" ".join(phrase) for phrase in connective_phrases("en", "backward"))
    return tuple(
        {
            *(text for kind in kinds for text in _TABLE[kind]),
            *(backward if "initial" in kinds else ()),
        }
    )


def find_connective(text: str) -> str | None:
    """Return the connective that begins a sentence or is set off by commas, in lower case.

    The result is None if there is no connective. A connective between commas is ignored if another clause begins before
    it, as in `a man who, however, ...`.

    >>> find_connective("However, prices rose again.")
    'however'
    >>> find_connective("Prices, however, rose again.")
    'however'
    """
    words = tokenise(text)
    initial = _pattern("^", _list_phrases("initial"))
    parenthetical = _pattern(", ", _list_phrases("parenthetical"), " ,")
    match = initial.search(words) or parenthetical.search(words)
    is_inside = (
        match
        and match.start()
        and _pattern("", _list_phrases("joining")).search(words[: match.start()])
    )
    return match[1].removesuffix(" ,") if match and not is_inside else None


def is_marked(text: str) -> bool:
    """Return True if a connective or an adverb links a sentence to the previous sentence.

    The lists are longer than in `find_connective`, because a relation that is marked in the original is not implicit.
    Adverbs count anywhere in the sentence, conjunctions only at its start.
    """
    words = tokenise(text)
    starts = _pattern("^", _list_phrases("initial", "initial_original"))
    return bool(starts.search(words) or _pattern("", _list_phrases("anywhere")).search(words))


def has_alternative(text: str) -> bool:
    """Return True if a sentence begins with a phrase that relates it to the previous sentence.

    Such a phrase is not a connective; PDTB calls it an AltLex. There are three kinds: listed phrases (`that is why`), a
    preposition with an anaphor (`in spite of it`), and a noun that names the relation (`the reason is`).
    """
    words = tokenise(text)
    return bool(
        _pattern("^", _list_phrases("alternative")).search(words)
        or _pattern("^", _list_phrases("prepositions"), f" {_ANAPHOR}(?!\\S)").search(words)
        or _pattern(f"^{_DETERMINER} ", _list_phrases("nouns")).search(words)
    )


def has_cue(text: str, sense: str) -> bool:
    """Return True if a sentence has a word that can express a sense, as `but` can a comparison.

    `sense` is the name of a PDTB sense, such as `Comparison.Contrast`.
    """
    return bool(_pattern("", tuple(_TABLE["cues"][sense.partition(".")[0]])).search(tokenise(text)))


def has_short_opening(text: str) -> bool:
    """Return True if a comma follows the first one to three words, as after a linking adverb.

    This finds adverbs that no list contains (`Concretely, ...`, `In addiiton, ...`), but also sentences such as `Today,
    ...`.
    """
    return bool(re.match(r"(?:[\w']+ ){1,3},", tokenise(text)))


def are_sentences(first: str, second: str) -> bool:
    """Return True if both texts are complete sentences.

    Both must end in final punctuation, `first` must not be a bare subordinate clause, and `second` must begin with a
    capital letter or a digit. Quotation marks and closing brackets after the punctuation, and opening ones before the
    capital or digit, are ignored.

    Subordinate clauses are recognised by a short list of conjunctions (`subordinating` in markers.toml) and a count of
    verbs. `When it rained.` passes, because `when` is not in the list, and `Because it rained he left.` is rejected,
    because it has no comma. Questions are never taken for subordinate clauses.
    """
    start = second.lstrip(_OPENING)[:1]
    ends = (text.rstrip("\"“”»«’') ")[-1:] for text in (first, second))
    is_ended = all(end in _FINAL for end in ends)
    return is_ended and (start.isupper() or start.isdigit()) and not _is_subordinate_only(first)


def _is_subordinate_only(text: str) -> bool:
    """Return True for a subordinate clause without a main clause (`Because it rained .`).

    Such a text begins with a conjunction and has fewer than two finite verbs. Without a parser, a word is taken for a
    verb if it can be a verb form and the word before it allows a verb. A text that begins with *because* and has no
    comma is always taken for a subordinate clause.
    """
    words = tokenise(text).split()
    if (
        not words
        or words[0] not in _TABLE["subordinating"]
        or words[-1] == "?"
        or words[1:2] == ["of"]
    ):
        return False
    if words[0] == "because" and "," not in words:
        return True
    return sum(_may_be_finite(before, word) for before, word in pairwise(words)) < _CLAUSES


def _may_be_finite(before: str, word: str) -> bool:
    """Return True if a word may be a finite verb after the word `before`.

    An auxiliary always may be. Other verb forms may not where a noun is expected, as after an article.
    """
    if word in _TABLE["auxiliaries"] or "'" in word:
        return True
    if (
        before in _TABLE["before_nouns"]
        or before in _TABLE["auxiliaries"]
        or word.endswith(("ing", "ly"))
    ):
        return False
    return not verb_forms(word).isdisjoint({"VBZ", "VBD", "VBP"})
