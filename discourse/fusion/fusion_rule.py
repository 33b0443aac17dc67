"""Types and functions shared by all rules of DiscoFuse.

A rule is a module with two functions. `match(sentence)` returns where its phenomenon occurs in a parsed sentence, or
None. `unfuse(sentence, span)` returns two sentences as pieces: token indices of `sentence`, and new words.

The sources are DiscoFuse, section 3.1, and its Tables 12 and 13. The program of the rules is not published; details
that the paper and the released data leave open are our choice.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from bitext_pivot.discourse.connectives import word_lists, word_set
from bitext_pivot.syntax.dependency_tree import DependencyTree

Piece = int | str
_EDGES = frozenset({",", ";", ":", "-", "--", "–", "—"})
_FINAL = frozenset({".", "!", "?", "…"})
_CLOSING = frozenset({'"', "''", "”", "’", "»"})
PLURAL_TAGS = frozenset({"NNS", "NNPS"})
"""Tags of English plural nouns."""
NOMINAL_POS = frozenset({"NOUN", "PROPN", "ADJ", "DET", "NUM", "PRON"})


class RuleSpan(NamedTuple):
    """The tokens that a rule moves or deletes, from `start` up to and excluding `end`.

    `anchor` is the index of the head to which these tokens attach, or None if only the words match the rule and the
    parse does not confirm it.
    """

    start: int
    end: int
    anchor: int | None


class SentencePieces(NamedTuple):
    """Two derived sentences as pieces, and the connective that joined them, in lower case."""

    first: list[Piece]
    second: list[Piece]
    connective: str = ""


class ConfirmedMatch(NamedTuple):
    """The label of a rule and the tokens that it moves or deletes, confirmed by the parse."""

    kind: str
    """DiscoFuse label of the rule, such as `SINGLE_RELATIVE`."""
    start: int
    end: int
    anchor: int


class FusionRule(Protocol):
    """The interface of the modules that each implement one fusion rule."""

    def match(self, sentence: DependencyTree) -> RuleSpan | None:
        """Return the tokens of the discourse phenomenon in a sentence, or None if it does not occur."""

    def unfuse(self, sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
        """Return the two sentences derived from a sentence, given the span that `match` found."""


def token_indices(pieces: Iterable[Piece]) -> list[int]:
    """Return the pieces that are tokens of the parsed sentence, without the new words."""
    return [piece for piece in pieces if isinstance(piece, int)]


def is_listed(sentence: DependencyTree, i: int, kind: str) -> bool:
    """Return True if the token at index `i` is in the word list `kind` of its language."""
    return sentence.words[i] in word_set(sentence.language, kind)


def content_end(sentence: DependencyTree) -> int:
    """Return the number of tokens of a sentence before its final punctuation."""
    size = len(sentence)
    while size and sentence.tokens[size - 1] in _FINAL:
        size -= 1
    return size


def comma_indices(sentence: DependencyTree, start: int) -> list[int]:
    """Return the indices of the commas from token `start` on."""
    return [i for i in range(start, content_end(sentence)) if sentence.tokens[i] == ","]


def connective_text(sentence: DependencyTree, start: int, stop: int) -> str:
    """Return the tokens from `start` to `stop` (excluded) in lower case, separated by spaces."""
    return " ".join(sentence.tokens[start:stop]).lower()


def clause_head(sentence: DependencyTree, inside: Sequence[int], opening: range) -> int | None:
    """Return the head of the first finite clause among the tokens `inside`, or None.

    In some languages (`is_confirmed` in the word lists), the conjunction of the clause must be in `opening`, and the
    clause must end where `inside` ends and must not be in the subjunctive.
    """
    heads = (i for i in inside if sentence.is_finite(i))
    if word_lists(sentence.language)["is_confirmed"]:
        is_negated = is_listed(sentence, max(opening.start - 1, 0), "negations")  # `not because`
        last = len(sentence) if is_negated else inside[-1]
        heads = (
            i
            for i in heads
            if sentence.marker(i) in opening
            and sentence.subtree(i)[-1] >= last
            and not _is_subjunctive(sentence, i)
        )
    return next(heads, None)


def _is_subjunctive(sentence: DependencyTree, i: int) -> bool:
    verb = sentence.finite_token(i)
    return verb is not None and "Sub" in sentence.features(verb, "Mood")


def order_as_main_clause(
    sentence: DependencyTree, inside: list[int], head: int | None, *, is_subordinate: bool = False
) -> list[int] | None:
    """Return the tokens of a clause in main clause order, or None if that order is unclear.

    Tokens move only in verb-second languages. In a subordinate clause, which must begin with its subject, the final
    verb moves to the place after the subject. In a clause that begins with its verb, the subject moves before the verb.
    `head` is the head of the clause.
    """
    if not word_lists(sentence.language)["is_verb_second"]:
        return inside
    if not is_subordinate and inside and sentence.pos[inside[0]] not in {"VERB", "AUX"}:
        return inside
    verb, subject = (
        (sentence.finite_token(head), sentence.subject(head)) if head is not None else (None, None)
    )
    if verb is None or subject is None or not inside:
        return None
    phrase = [i for i in sentence.subtree(subject) if i in inside]
    if is_subordinate:
        is_clear = (
            inside[-1] == verb and phrase[:1] == inside[:1] and not _is_separable(sentence, verb)
        )
    else:
        is_clear = inside[0] == verb and phrase[:1] == inside[1:2]
    is_clear = (
        is_clear
        and phrase == [*range(phrase[0], phrase[-1] + 1)]
        and not _is_coordinated(sentence, phrase[-1])
    )
    if not is_clear or any(
        sentence.is_punctuation(i) or is_listed(sentence, i, "clitics") for i in phrase
    ):
        return None
    return [*phrase, verb, *(i for i in inside if i != verb and i not in phrase)]


def _is_coordinated(sentence: DependencyTree, i: int) -> bool:
    return i + 1 < len(sentence) and sentence.pos[i + 1] == "CCONJ"


def _is_separable(sentence: DependencyTree, verb: int) -> bool:
    """Return True if a verb may have a prefix that moves to the end of a main clause."""
    return sentence.pos[verb] == "VERB" and sentence.words[verb].startswith(
        tuple(word_lists(sentence.language)["separable"])
    )


def noun_phrase_ending_at(sentence: DependencyTree, last: int) -> list[Piece]:
    """Return the noun phrase that ends with token `last`, found by parts of speech."""
    first = last
    while first and (
        sentence.pos[first - 1] in NOMINAL_POS or sentence.tokens[first - 1] in {"'s", "-"}
    ):
        first -= 1
    return list(range(first, last + 1))


def finish_sentence(sentence: DependencyTree, pieces: Sequence[Piece]) -> list[str]:
    """Return the tokens of a derived sentence, capitalised and with a full stop at the end.

    Other punctuation at the edges is removed.
    """
    tokens = [sentence.tokens[piece] if isinstance(piece, int) else piece for piece in pieces]
    while tokens and tokens[-1] in _EDGES | _FINAL:
        tokens.pop()
    while tokens and tokens[0] in _EDGES:
        tokens.pop(0)
    if len(tokens) > 1 and tokens[-1] in _CLOSING and tokens[-2] == ",":  # `He said " no , "`
        del tokens[-2]
    # `He said " no . "`
    is_closed = len(tokens) > 1 and tokens[-1] in _CLOSING and tokens[-2] in _FINAL
    return (
        [tokens[0][:1].upper() + tokens[0][1:], *tokens[1:], *([] if is_closed else ["."])]
        if tokens
        else []
    )
