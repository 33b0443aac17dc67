"""Coreference between the main subject of one sentence and a pronoun of the next, behind a small protocol."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from pairs.syntax.grammar import Grammar

Backend = Literal["none", "rules"]
_PERSONS = {"he": False, "him": False, "his": True, "she": False, "her": False}
"""Third-person pronouns of persons, and whether one is always possessive (`her` is by its tag)."""


class Mention(NamedTuple):
    """A pronoun as a token of the second sentence, and the noun phrase of the first that it refers to, as tokens."""

    pronoun: int
    is_possessive: bool
    antecedent: tuple[str, ...]


class Resolver(Protocol):
    """Finds what the second sentence says again of the first."""

    def __call__(self, a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:
        """Return the first mention among the tokens `second` of `b` that refers to one among `first` of `a`."""


def none(a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:  # noqa: ARG001
    """Find nothing."""
    return None


def rules(a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:
    """Resolve `he` and `she` to a main subject that is one proper noun; English only.

    Other pronouns and noun phrases need a model of coreference.
    """
    root = a.main_verb
    subject = a.subject(root) if root is not None else None
    pronoun = next((i for i in second if b.parse.tokens[i].lower() in _PERSONS), None)
    if pronoun is None or subject is None or subject not in first or a.parse.pos[subject] != "PROPN":
        return None
    name = [i for i in _name(a, subject) if i in first]
    phrase = tuple(a.parse.tokens[i].lower() if a.parse.pos[i] == "DET" else a.parse.tokens[i] for i in name)
    word = b.parse.tokens[pronoun].lower()
    is_possessive = _PERSONS[word] or (word == "her" and "PRP$" in b.parse.tags[pronoun])
    return Mention(pronoun, is_possessive, phrase)


def _name(a: Grammar, subject: int) -> list[int]:
    """Return the tokens of a name: proper nouns side by side, with titles and a determiner before."""
    start = end = subject
    while start and a.parse.pos[start - 1] == "PROPN":
        start -= 1
    if start and a.parse.pos[start - 1] == "DET":
        start -= 1
    while end + 1 < len(a) and a.parse.pos[end + 1] == "PROPN":
        end += 1
    return list(range(start, end + 1))


RESOLVERS: dict[Backend, Resolver] = {"none": none, "rules": rules}
