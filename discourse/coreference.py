"""Resolve a pronoun of a sentence to the subject of the sentence before it.

Resolvers are interchangeable functions of the protocol `CoreferenceResolver`. All of them work for English only.
"""

import functools
from collections.abc import Sequence
from itertools import chain
from typing import Literal, NamedTuple, Protocol

from bitext_pivot.core.languages import section
from bitext_pivot.syntax.dependency_tree import DependencyTree

ResolverName = Literal["none", "rules", "subjects"]


@functools.cache
def _word_list(language: str, kind: str) -> frozenset[str]:
    """Return the list `kind` of pronouns or names, which is empty for most languages."""
    lists = section(language, "coreference")
    return frozenset(lists[kind].split() if lists else ())


def _personal_pronouns(language: str) -> frozenset[str]:
    """Return the third-person pronouns that refer to one person, such as `he` and `her`."""
    return _word_list(language, "masculine") | _word_list(language, "feminine")


class ResolvedPronoun(NamedTuple):
    """A pronoun of a sentence, and the noun phrase in the previous sentence to which it refers."""

    pronoun: int
    """Index of the pronoun among the tokens of its sentence."""
    is_possessive: bool
    antecedent: tuple[str, ...]
    """Tokens of the noun phrase to which the pronoun refers."""


class CoreferenceResolver(Protocol):
    """A function that resolves a pronoun to a noun phrase of the previous sentence."""

    def __call__(
        self, a: DependencyTree, first: Sequence[int], b: DependencyTree, second: Sequence[int]
    ) -> ResolvedPronoun | None:
        """Return the first pronoun in `second` that refers to a noun phrase in `first`, or None.

        `first` and `second` are token indices in two sentences, and `a` and `b` the parses of these sentences.
        """


def resolve_nothing(
    a: DependencyTree, first: Sequence[int], b: DependencyTree, second: Sequence[int]
) -> ResolvedPronoun | None:
    """Return None, so that no pronoun is resolved."""
    return None


def resolve_persons(
    a: DependencyTree, first: Sequence[int], b: DependencyTree, second: Sequence[int]
) -> ResolvedPronoun | None:
    """Resolve `he` or `she` to the main subject of the first sentence if it names one person.

    Example: `Rider scored .` `He said ...`
    """
    root = a.main_verb
    named = a.dependents(root, "subject") if root is not None else ()
    if len(named) != 1 or named[0] not in first or not _is_person(a, named[0]):
        return None
    subject, persons = named[0], _personal_pronouns(b.language)
    pronoun = next((i for i in second if b.words[i] in persons), None)
    if pronoun is None:
        return None
    phrase = tuple(a.tokens[i] for i in _name_tokens(a, subject) if i in first)
    is_repeated = any(b.tokens[i] in phrase for i in second)  # `When Bush came , he spoke`
    if (
        is_repeated
        or _contradicts_gender(a, subject, b, pronoun)
        or _has_competing_name(b, second, pronoun)
    ):
        return None
    return ResolvedPronoun(pronoun, _is_possessive(b, pronoun), phrase)


def resolve_subjects(
    a: DependencyTree, first: Sequence[int], b: DependencyTree, second: Sequence[int]
) -> ResolvedPronoun | None:
    """Resolve a third-person pronoun to a subject of the first sentence that agrees in number.

    If `resolve_persons` finds a pronoun, its result is returned. Otherwise the subject is the main subject or, if that
    is not a noun, the first noun that is the subject of another clause. About half of the resolved `it` and `they`
    refer to something else.
    """
    if mention := resolve_persons(a, first, b, second):
        return mention
    verbs = chain([] if a.main_verb is None else [a.main_verb], filter(a.is_clause, first))
    candidates = (i for i in map(a.subject, verbs) if i is not None and i in first)
    subject = next((i for i in candidates if a.pos[i] in {"NOUN", "PROPN"}), None)
    if subject is None:
        return None
    agreeing = _personal_pronouns(b.language) | _word_list(b.language, "things")
    if _is_plural(a, subject):
        agreeing = _word_list(b.language, "plural")
    pronouns = (
        i for i in second if b.words[i] in agreeing and not b.parse.deps[i].startswith("expl")
    )
    pronoun = next(pronouns, None)
    last = max([subject, *a.conjuncts(subject)])
    phrase = [a.tokens[i] for i in a.subtree(subject) if i in first and i <= last]
    if pronoun is None or (
        b.words[pronoun] in _word_list(b.language, "bound")
        and _has_other_named_subject(b, second, pronoun, phrase)
    ):
        return None
    start = phrase[0].lower() if a.pos[a.subtree(subject)[0]] in {"DET", "PRON"} else phrase[0]
    return ResolvedPronoun(pronoun, _is_possessive(b, pronoun), (start, *phrase[1:]))


def _is_possessive(b: DependencyTree, pronoun: int) -> bool:
    """Return True if a pronoun is possessive: `his`, `its`, `their`, or `her` before a noun."""
    word = b.words[pronoun]
    is_before_noun = (
        word in _word_list(b.language, "possessive_or_object") and "PRP$" in b.tags[pronoun]
    )
    return word in _word_list(b.language, "possessive") or is_before_noun


def _is_plural(a: DependencyTree, subject: int) -> bool:
    """Return True for a plural subject, such as `farmers`, `the Lions` or `Ann and Bob`.

    A name of several words without an article, such as `General Motors`, is singular.
    """
    is_name = a.tags[subject] == "NNPS" and len(_name_tokens(a, subject)) > 1
    has_article = any(a.pos[i] == "DET" for i in a.children(subject))
    ends_plural = a.tags[subject] in {"NNS", "NNPS"} and not (is_name and not has_article)
    return ends_plural or bool(a.conjuncts(subject))


def _is_person(a: DependencyTree, subject: int) -> bool:
    """Return True if the subject is the name of a single person.

    False for `the Czech Republic`, `Weld County`, `Venezuelans`, `Ann and Bob`.
    """
    name, language = _name_tokens(a, subject), a.language
    verb = a.finite_token(a.main_verb or 0)
    is_plural = verb is not None and (a.tags[verb] == "VBP" or a.words[verb] == "were")
    is_word = all(a.tokens[i].rstrip(".").replace("-", "").isalpha() for i in name)
    is_name = (
        is_word
        and not is_plural
        and a.pos[subject] == "PROPN"
        and a.tags[subject] != "NNPS"
        and not a.conjuncts(subject)
    )
    is_phrase = any(a.pos[i] == "DET" for i in a.children(subject))
    is_of = a.tokens[name[-1] + 1 : name[-1] + 2] == ("of",)
    is_place = a.words[name[-1]].rstrip(".") in _word_list(language, "no_persons") | _word_list(
        language, "countries"
    )
    return (
        is_name
        and not is_phrase
        and not is_of
        and not is_place
        and _word_list(language, "things").isdisjoint(map(str.lower, a.tokens))
    )


def _contradicts_gender(a: DependencyTree, subject: int, b: DependencyTree, pronoun: int) -> bool:
    """Return True if a title, name or pronoun of the other gender contradicts the pronoun.

    A title or a given name shows the gender of the subject, and so may a pronoun of the other gender in either
    sentence: `Weiss sold her shop . He left .`
    """
    others, other_pronouns = _word_list(b.language, "men"), _word_list(b.language, "masculine")
    if b.words[pronoun] in other_pronouns:
        others, other_pronouns = _word_list(b.language, "women"), _word_list(b.language, "feminine")
    nouns = [i for i in a.children(subject) if a.pos[i] in {"NOUN", "PROPN"}]
    described = {a.words[i].rstrip(".") for i in (*_name_tokens(a, subject)[:-1], *nouns)}
    if len(_name_tokens(a, subject)) == 1:
        described.add(a.words[subject])
    is_other = not others.isdisjoint(described)
    return is_other or not other_pronouns.isdisjoint((*a.words, *b.words))


def _has_competing_name(b: DependencyTree, second: Sequence[int], pronoun: int) -> bool:
    """Return True if the pronoun may refer to a name in its own sentence, or to a quoted person.

    This is the case if another name occurs before the pronoun or as the main subject, or if a quotation mark precedes
    it.
    """
    subject = b.subject(b.main_verb) if b.main_verb is not None else None
    before = [i for i in second if i < pronoun]
    names = (i for i in (*before, subject) if i is not None and i in second and b.pos[i] == "PROPN")
    return any(b.is_quote(i) for i in before) or any(
        b.words[i] not in _word_list(b.language, "dates") for i in names
    )


def _has_other_named_subject(
    b: DependencyTree, second: Sequence[int], pronoun: int, name: Sequence[str]
) -> bool:
    """Return True if a name other than `name` is the subject of a clause before the pronoun."""
    named = (
        i for i in second if i < pronoun and b.has_relation(i, "subject") and b.pos[i] == "PROPN"
    )
    return any(b.tokens[i] not in name for i in named)


def _name_tokens(a: DependencyTree, subject: int) -> list[int]:
    """Return the indices of the proper nouns that form the name of the subject, with titles."""
    start = end = subject
    while start and a.pos[start - 1] == "PROPN":
        start -= 1
    while end + 1 < len(a) and a.pos[end + 1] == "PROPN":
        end += 1
    return list(range(start, end + 1))


RESOLVERS: dict[ResolverName, CoreferenceResolver] = {
    "none": resolve_nothing,
    "rules": resolve_persons,
    "subjects": resolve_subjects,
}
