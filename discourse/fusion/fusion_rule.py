"""What all rules of DiscoFuse share: the span that a rule matches, and the two sentences that it makes.

A rule is a module with two functions. `match(sentence)` returns where its phenomenon is in a parsed sentence, or None.
`unfuse(sentence, span)` returns the two sentences as pieces: tokens of `sentence` by index, and new words.

Sources: DiscoFuse, section 3.1 and Tables 12 and 13. The rules' formulas are not published: what the text and the
released rows leave open is our choice.
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
"""Tags of English nouns in the plural."""
NOMINAL_POS = frozenset({"NOUN", "PROPN", "ADJ", "DET", "NUM", "PRON"})


class RuleSpan(NamedTuple):
    """Tokens `start` to `content_end` (excluded) that a rule moves or deletes, and the head that they attach to.

    `anchor` is None if only the words match and the parse does not confirm it.
    """

    start: int
    end: int
    anchor: int | None


class SentencePieces(NamedTuple):
    """Two sentences as pieces, and the connective that was between them, in lower case."""

    first: list[Piece]
    second: list[Piece]
    connective: str = ""


class ConfirmedMatch(NamedTuple):
    """A rule that matched and its span, which the parse confirms."""

    kind: str
    """The label of the rule."""
    start: int
    end: int
    anchor: int


class FusionRule(Protocol):
    """A module of this folder."""

    def match(self, sentence: DependencyTree) -> RuleSpan | None:
        """Return where the phenomenon is; None if it is not there."""

    def unfuse(self, sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
        """Return the two sentences; raises nothing for a span that `match` returned."""


def token_indices(pieces: Iterable[Piece]) -> list[int]:
    """Return the pieces that are tokens of the sentence, without new words."""
    return [piece for piece in pieces if isinstance(piece, int)]


def is_listed(sentence: DependencyTree, i: int, kind: str) -> bool:
    """Return True if a token is in a list of single words of its language."""
    return sentence.words[i] in word_set(sentence.language, kind)


def content_end(sentence: DependencyTree) -> int:
    """Return the number of tokens before the final punctuation."""
    size = len(sentence)
    while size and sentence.tokens[size - 1] in _FINAL:
        size -= 1
    return size


def comma_indices(sentence: DependencyTree, start: int) -> list[int]:
    """Return the commas from token `start` on."""
    return [i for i in range(start, content_end(sentence)) if sentence.tokens[i] == ","]


def connective_text(sentence: DependencyTree, start: int, stop: int) -> str:
    """Return the tokens from `start` to `stop` (excluded) as a connective: lower case, separated by spaces."""
    return " ".join(sentence.tokens[start:stop]).lower()


def clause_head(sentence: DependencyTree, inside: Sequence[int], opening: range) -> int | None:
    """Return the head of the first finite clause of the tokens `inside`, None without one.

    Where the language requires confirmation, the clause has its conjunction in `opening`, ends with `inside` and is in
    no subjunctive.
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
    """Return the clause `inside` in the order of a main clause; None if it is not clear what that is.

    Only where the verb comes second something moves: the verb at the end of a subordinate clause that its subject
    opens, or the subject behind a verb at the beginning.
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
    """Return True if a verb may be one that leaves its particle behind in a main clause."""
    return sentence.pos[verb] == "VERB" and sentence.words[verb].startswith(
        tuple(word_lists(sentence.language)["separable"])
    )


def noun_phrase_ending_at(sentence: DependencyTree, last: int) -> list[Piece]:
    """Return the noun phrase that ends with token `last`, as far as parts of speech show it."""
    first = last
    while first and (
        sentence.pos[first - 1] in NOMINAL_POS or sentence.tokens[first - 1] in {"'s", "-"}
    ):
        first -= 1
    return list(range(first, last + 1))


def finish_sentence(sentence: DependencyTree, pieces: Sequence[Piece]) -> list[str]:
    """Return a sentence as tokens: capitalised, without punctuation at its edges, closed with a full stop."""
    tokens = [sentence.tokens[piece] if isinstance(piece, int) else piece for piece in pieces]
    while tokens and tokens[-1] in _EDGES | _FINAL:
        tokens.pop()
    while tokens and tokens[0] in _EDGES:
        tokens.pop(0)
    if len(tokens) > 1 and tokens[-1] in _CLOSING and tokens[-2] == ",":  # `He said " no , "`
        del tokens[-2]
    is_closed = (
        len(tokens) > 1 and tokens[-1] in _CLOSING and tokens[-2] in _FINAL
    )  # `He said " no . "`
    return (
        [tokens[0][:1].upper() + tokens[0][1:], *tokens[1:], *([] if is_closed else ["."])]
        if tokens
        else []
    )
