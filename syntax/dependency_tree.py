"""Query a dependency tree in the same way for three label schemes: CLEAR, UD and TIGER.

grammar.toml lists the labels of each scheme. The schemes also attach coordinators and auxiliaries to different
heads; the methods here hide these differences. Tokens are identified by their index in the parse. All methods
terminate even if the heads contain cycles.
"""

import functools
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax import tagsets
from bitext_pivot.syntax.tagsets import Relation

_VERBS = frozenset({"VERB", "AUX"})


@dataclass(frozen=True)
class DependencyTree:
    """A parse, with queries on its tokens, relations and clauses.

    `language` selects the word lists. A language without word lists is allowed.
    """

    parse: Parse
    language: str

    def __len__(self) -> int:
        return len(self.parse.tokens)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens, as they are written in the text."""
        return self.parse.tokens

    @property
    def pos(self) -> tuple[str, ...]:
        """The universal part of speech of each token."""
        return self.parse.pos

    @property
    def tags(self) -> tuple[str, ...]:
        """The fine-grained tag of each token, from the tag set of the spaCy pipeline."""
        return self.parse.tags

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """The tokens in lower case, with straight apostrophes."""
        return tuple([token.lower().replace("’", "'") for token in self.parse.tokens])

    @functools.cached_property
    def roots(self) -> tuple[int, ...]:
        """Tokens without a head: the parse makes them their own head, or gives a head out of range."""
        size = len(self)
        return tuple(
            [i for i, head in enumerate(self.parse.heads) if head == i or not 0 <= head < size]
        )

    def head(self, i: int) -> int | None:
        """Return the head of a token, or None for a root."""
        head = self.parse.heads[i]
        return head if head != i and 0 <= head < len(self.parse.tokens) else None

    @functools.cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        size = len(self)
        children: list[list[int]] = [[] for _ in range(size)]
        for i, head in enumerate(self.parse.heads):
            if head != i and 0 <= head < size:
                children[head].append(i)
        return tuple(map(tuple, children))

    def children(self, i: int) -> tuple[int, ...]:
        """Return the dependents of a token in text order."""
        return self._children[i]

    def subtree(self, i: int) -> tuple[int, ...]:
        """Return a token and everything that depends on it, directly or indirectly, in text order."""
        if i not in self._subtrees:
            self._subtrees[i] = (
                tuple(sorted(_closure(i, self.children))) if self._children[i] else (i,)
            )
        return self._subtrees[i]

    @functools.cached_property
    def _subtrees(self) -> dict[int, tuple[int, ...]]:
        return {}

    def ancestors(self, i: int) -> Iterator[int]:
        """Yield the head of a token, the head of that head, and so on up to the root."""
        seen = {i}
        head = self.head(i)
        while head is not None and head not in seen:
            yield head
            seen.add(head)
            head = self.head(head)

    def has_relation(self, i: int, relation: Relation) -> bool:
        """Return True if a token's dependency label expresses a relation, such as `subject`."""
        return tagsets.is_label_of(self.parse.scheme, relation, self.parse.deps[i])

    def dependents(self, i: int, relation: Relation) -> tuple[int, ...]:
        """Return the dependents of a token whose labels express a relation, in text order."""
        scheme, deps = self.parse.scheme, self.parse.deps
        return tuple(
            [
                child
                for child in self._children[i]
                if tagsets.is_label_of(scheme, relation, deps[child])
            ]
        )

    def subject(self, i: int) -> int | None:
        """Return the leftmost subject of a token, or None."""
        return next(iter(self.dependents(i, "subject")), None)

    def has_own_subject(self, i: int) -> bool:
        """Return True if a subject is attached to the token itself, not only to a conjunct.

        "She sang and danced" -> True for "sang", False for "danced"
        """
        return self.subject(i) is not None

    @property
    def allows_dropped_subjects(self) -> bool:
        """True if a finite verb of the language needs no subject, as in Spanish `Llueve`."""
        return bool(tagsets.language_property(self.language, "drops_subjects"))

    @property
    def allows_inversion(self) -> bool:
        """True if the verb of a statement may precede its subject, as in German `Heute regnet es`."""
        return bool(tagsets.language_property(self.language, "inverts"))

    def auxiliaries(self, i: int) -> tuple[int, ...]:
        """Return the auxiliaries and copulas that are attached to a token.

        In the scheme TIGER, the result is empty, because auxiliaries are heads.
        """
        return self.dependents(i, "auxiliary")

    def is_verb(self, i: int) -> bool:
        """Return True if a token is a verb, an auxiliary, or a contraction with one, such as `'s`."""
        return self.parse.pos[i] in _VERBS or self._is_finite_alone(i)

    def is_finite(self, i: int) -> bool:
        """Return True if a token, one of its auxiliaries or its copula is finite."""
        return self.finite_token(i) is not None

    def finite_token(self, i: int) -> int | None:
        """Return the finite token of the clause headed by `i`: `i` itself, an auxiliary or a copula."""
        return next(
            (token for token in (i, *self.auxiliaries(i)) if self._is_finite_alone(token)), None
        )

    def _is_finite_alone(self, i: int) -> bool:
        return tagsets.is_finite_form(self.parse.tags[i], self.parse.morphs[i])

    def is_clause(self, i: int) -> bool:
        """Return True if a token heads a clause: it is a verb, or a predicate with a copula."""
        return self.is_verb(i) or bool(self.auxiliaries(i))

    @functools.cached_property
    def main_verb(self) -> int | None:
        """The head of the main clause, or None if there is no root that is a word.

        A parse can have several roots, and some may be punctuation. The first root that heads a clause counts,
        otherwise the first root that is a word.
        """
        words = [root for root in self.roots if not self.is_punctuation(root)]
        return next(filter(self.is_clause, words), next(iter(words), None))

    def is_adverbial_clause(self, i: int) -> bool:
        """Return True if a token heads an adverbial clause.

        TIGER's label `mo` also marks adverbs, so there the token must be a verb.
        """
        return self.has_relation(i, "adverbial_clause") and (
            self.parse.scheme != "tiger" or self.is_verb(i)
        )

    def marker(self, i: int) -> int | None:
        """Return the conjunction that makes the clause headed by `i` subordinate, such as "because".

        Return None if there is none. The "to" of an infinitive does not count.
        """
        return next(
            (m for m in self.dependents(i, "marker") if not self.is_infinitive_marker(m)), None
        )

    def is_infinitive_marker(self, i: int) -> bool:
        """Return True if a token is the "to" of an infinitive, or German "zu"."""
        return tagsets.is_tag_of_kind(self.parse.tags[i], "infinitive_marker")

    def is_relative_clause(self, i: int) -> bool:
        """Return True if a token heads a relative clause.

        UD's plain label `acl` counts if the clause is finite and has a relative pronoun.
        """
        may_be = self.has_relation(i, "participle_clause") and self.is_finite(i)
        return self.has_relation(i, "relative_clause") or (
            may_be and self.relative_pronoun(i) is not None
        )

    def relative_pronoun(self, i: int) -> int | None:
        """Return the first WH word of the clause headed by `i` if it does not follow `i`, or None."""
        return next((token for token in self.subtree(i) if token <= i and self.is_wh(token)), None)

    def is_wh(self, i: int) -> bool:
        """Return True if a token is an interrogative or relative word, such as "who".

        The token's tag or features show this, or the word list `relative` of the language contains the token.
        """
        if tagsets.is_wh_form(self.parse.tags[i], self.parse.morphs[i]):
            return True
        return self.words[i] in tagsets.language_property(self.language, "relative")

    def conjuncts(self, i: int) -> tuple[int, ...]:
        """Return all later tokens coordinated with `i`, including chained conjuncts, in text order."""
        return tuple(sorted(_closure(i, self._next_conjuncts) - {i}))

    def _next_conjuncts(self, i: int) -> tuple[int, ...]:
        """Return the conjuncts attached to `i` itself or, in TIGER, to a coordinator of `i`."""
        above = self.dependents(i, "coordinator") if self._coordinator_hangs_from == "above" else ()
        return tuple(
            conjunct for head in (i, *above) for conjunct in self.dependents(head, "conjunct")
        )

    def first_conjunct(self, i: int) -> int | None:
        """Return the token with which conjunct `i` is coordinated, or None if `i` is not a conjunct."""
        if not self.has_relation(i, "conjunct"):
            return None
        above = (head for head in self.ancestors(i) if not self._is_joint(head))
        return next(above, None)

    def coordinator(self, i: int) -> int | None:
        """Return the conjunction that introduces conjunct `i`, such as "and", or None for a comma."""
        head = self.head(i)
        if head is None or not self.has_relation(i, "conjunct"):
            return None
        if self._is_joint(head):
            return head
        coordinators = [child for child in self.dependents(i, "coordinator") if child < i]
        if coordinators or self._coordinator_hangs_from != "first":
            return next(iter(coordinators), None)
        rivals = [rival for rival in self.dependents(head, "conjunct") if rival < i]
        between = [
            child
            for child in self.dependents(head, "coordinator")
            if max([head, *rivals]) < child < i
        ]
        return next(reversed(between), None)

    def _is_joint(self, i: int) -> bool:
        """Return True if a coordinator is the head of its conjuncts, as in the scheme TIGER."""
        return self._coordinator_hangs_from == "above" and self.has_relation(i, "coordinator")

    @property
    def _coordinator_hangs_from(self) -> str:
        """The token to which the label scheme attaches a coordinator.

        This is the `first` conjunct or the `second`; with `above`, the coordinator is the head of both conjuncts.
        """
        return str(tagsets.TAGSETS["scheme"][self.parse.scheme]["coordinator_hangs_from"])

    def is_punctuation(self, i: int) -> bool:
        """Return True if a token is tagged as punctuation, or consists of punctuation characters."""
        text = self.parse.tokens[i]
        return self.parse.pos[i] == "PUNCT" or all(
            unicodedata.category(character)[0] == "P" for character in text
        )

    def is_quote(self, i: int) -> bool:
        """Return True if a token is a quotation mark, and not the apostrophe of a possessive."""
        return (
            self.parse.tokens[i] in tagsets.TAGSETS["quotes"]["marks"]
            and self.parse.pos[i] != "PART"
        )

    def features(self, i: int, name: str) -> frozenset[str]:
        """Return the values of a universal feature: {"Int", "Rel"} for `PronType=Int,Rel`."""
        return tagsets.parse_features(self.parse.morphs[i]).get(name, frozenset())


def _closure(start: int, step: Callable[[int], Iterable[int]]) -> set[int]:
    tokens, waiting = {start}, [start]
    while waiting:
        new = [token for token in step(waiting.pop()) if token not in tokens]
        tokens.update(new)
        waiting.extend(new)
    return tokens
