"""Coreference between the main subject of one sentence and a pronoun of the next, behind a small protocol."""

from collections.abc import Sequence
from itertools import chain
from typing import Literal, NamedTuple, Protocol

from bitext_pivot.syntax.grammar import Grammar

Backend = Literal["none", "rules", "subjects"]
_PERSONS = frozenset({"he", "him", "his", "she", "her"})
_BOUND = frozenset({"he", "his", "she"})
"""Pronouns that refer to a name before them rather than to another sentence, unlike *him* (`Jim hit him`)."""
_MASCULINE = frozenset({"he", "him", "his"})
_TITLES = {
    "mr": True,
    "sir": True,
    "lord": True,
    "mrs": False,
    "ms": False,
    "miss": False,
    "lady": False,
}
"""Titles before a name, and whether they are those of men."""
_DATES = frozenset(
    {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)  # fmt: skip
"""Proper nouns that are no persons."""
_THINGS = frozenset({"it", "its"})
_SINGULAR = _THINGS | _PERSONS
_PLURAL = frozenset({"they", "them", "their"})
_POSSESSIVE = frozenset({"his", "its", "their"})


class Mention(NamedTuple):
    """A pronoun of the second sentence, and the noun phrase of the first that it refers to."""

    pronoun: int
    """Index of the token."""
    is_possessive: bool
    antecedent: tuple[str, ...]
    """The tokens of the noun phrase."""


class Resolver(Protocol):
    """Find the pronoun of the second sentence that refers to something in the first."""

    def __call__(
        self, a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]
    ) -> Mention | None:
        """Return the first pronoun among the tokens `second` of `b` that refers to a noun phrase in `first` of `a`."""


def none(a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:
    """Find nothing."""
    return None


def rules(a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:
    """Resolve `he` and `she` to a main subject that is the name of one person; English only."""
    root = a.main_verb
    named = a.related(root, "subject") if root is not None else ()
    pronoun = next((i for i in second if b.words[i] in _PERSONS), None)
    if pronoun is None or len(named) != 1 or named[0] not in first or not _is_person(a, named[0]):
        return None
    subject = named[0]
    phrase = tuple(a.parse.tokens[i] for i in _name(a, subject) if i in first)
    word = b.words[pronoun]
    is_man = _TITLES.get(phrase[0].lower().rstrip(".")) if phrase else None
    is_repeated = any(b.parse.tokens[i] in phrase for i in second)  # `When Bush came , he spoke`
    if is_repeated or is_man not in {None, word in _MASCULINE} or _has_rival(b, second, pronoun):
        return None
    return Mention(pronoun, _is_possessive(b, pronoun), phrase)


def subjects(a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:
    """Resolve as `rules`, otherwise the first third-person pronoun to a subject if both agree in number.

    That is the main subject, or the first noun that is the subject of another clause if the main one is no noun.
    English only. About half of these `it` and `they` refer to something else.
    """
    if mention := rules(a, first, b, second):
        return mention
    verbs = chain([] if a.main_verb is None else [a.main_verb], filter(a.is_clause, first))
    candidates = (i for i in map(a.subject, verbs) if i is not None and i in first)
    subject = next((i for i in candidates if a.parse.pos[i] in {"NOUN", "PROPN"}), None)
    if subject is None:
        return None
    agreeing = _PLURAL if _is_plural(a, subject) else _SINGULAR
    pronouns = (
        i for i in second if b.words[i] in agreeing and not b.parse.deps[i].startswith("expl")
    )
    pronoun = next(pronouns, None)
    last = max([subject, *a.conjuncts(subject)])
    phrase = [a.parse.tokens[i] for i in a.subtree(subject) if i in first and i <= last]
    if pronoun is None or (
        b.words[pronoun] in _BOUND and _has_named_subject(b, second, pronoun, phrase)
    ):
        return None
    start = (
        phrase[0].lower() if a.parse.pos[a.subtree(subject)[0]] in {"DET", "PRON"} else phrase[0]
    )
    return Mention(pronoun, _is_possessive(b, pronoun), (start, *phrase[1:]))


def _is_possessive(b: Grammar, pronoun: int) -> bool:
    """Return True for `his`, `its`, `their`, and for `her` before a noun."""
    word = b.words[pronoun]
    return word in _POSSESSIVE or (word == "her" and "PRP$" in b.parse.tags[pronoun])


def _is_plural(a: Grammar, subject: int) -> bool:
    """Return True for `farmers`, `the Lions`, `Ann and Bob`; names of several words without article are of one."""
    is_name = a.parse.tags[subject] == "NNPS" and len(_name(a, subject)) > 1
    has_article = any(a.parse.pos[i] == "DET" for i in a.children(subject))
    ends_plural = a.parse.tags[subject] in {"NNS", "NNPS"} and not (is_name and not has_article)
    return ends_plural or bool(a.conjuncts(subject))


def _is_person(a: Grammar, subject: int) -> bool:
    """Return True for a single name: no `the Czech Republic`, `Venezuelans`, `Minister of`, `Ann and Bob`, no thing."""
    name = _name(a, subject)
    verb = a.finite_token(a.main_verb or 0)
    is_plural = verb is not None and (a.parse.tags[verb] == "VBP" or a.words[verb] == "were")
    is_word = all(a.parse.tokens[i].rstrip(".").replace("-", "").isalpha() for i in name)
    is_name = (
        is_word
        and not is_plural
        and a.parse.pos[subject] == "PROPN"
        and a.parse.tags[subject] != "NNPS"
        and not a.conjuncts(subject)
    )
    is_phrase = any(a.parse.pos[i] == "DET" for i in a.children(subject))
    is_of = a.parse.tokens[name[-1] + 1 : name[-1] + 2] == ("of",)
    return (
        is_name
        and not is_phrase
        and not is_of
        and _THINGS.isdisjoint(map(str.lower, a.parse.tokens))
    )


def _has_rival(b: Grammar, second: Sequence[int], pronoun: int) -> bool:
    """Return True if another name is before the pronoun or the main subject, or the pronoun is in a quotation."""
    subject = b.subject(b.main_verb) if b.main_verb is not None else None
    before = [i for i in second if i < pronoun]
    names = (
        i for i in (*before, subject) if i is not None and i in second and b.parse.pos[i] == "PROPN"
    )
    return any(b.is_quote(i) for i in before) or any(b.words[i] not in _DATES for i in names)


def _has_named_subject(
    b: Grammar, second: Sequence[int], pronoun: int, name: Sequence[str]
) -> bool:
    """Return True if another name is the subject of a clause before the pronoun."""
    named = (
        i
        for i in second
        if i < pronoun and b.has_relation(i, "subject") and b.parse.pos[i] == "PROPN"
    )
    return any(b.parse.tokens[i] not in name for i in named)


def _name(a: Grammar, subject: int) -> list[int]:
    """Return the tokens of a name: proper nouns side by side, titles included."""
    start = end = subject
    while start and a.parse.pos[start - 1] == "PROPN":
        start -= 1
    while end + 1 < len(a) and a.parse.pos[end + 1] == "PROPN":
        end += 1
    return list(range(start, end + 1))


RESOLVERS: dict[Backend, Resolver] = {"none": none, "rules": rules, "subjects": subjects}
