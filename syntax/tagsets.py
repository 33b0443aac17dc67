"""Look up labels of the schemes CLEAR, UD and TIGER, and tags and features of tokens.

The tables are in grammar.toml, and in the section `grammar` of the languages' data files. Lookups are cached,
because a treebank has few distinct labels, tags and feature sets.
"""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.languages import section

Scheme = Literal["clear", "ud", "tiger"]
Relation = Literal[
    "subject", "conjunct", "coordinator", "auxiliary", "adverbial_clause", "marker", "relative_clause",
    "participle_clause", "clausal_complement", "open_complement", "parataxis", "prepositional", "object",
    "apposition", "adposition",
]  # fmt: skip


TAGSETS = read_toml(Path(__file__).with_name("grammar.toml"))
"""The content of grammar.toml: labels by scheme, tags by kind, and quotation marks."""


def detect_scheme(labels: Iterable[str]) -> Scheme | None:
    """Return the scheme to which a parser's labels belong, or None for an unknown scheme.

    >>> detect_scheme(["ROOT", "nsubj", "pobj", "prep"])
    'clear'
    """
    label_set, schemes = set(labels), TAGSETS["scheme"].items()
    return next(
        (scheme for scheme, relations in schemes if relations["detected_by"] in label_set), None
    )


@functools.cache
def is_label_of(scheme: Scheme, relation: Relation, dep: str) -> bool:
    """Return True if the dependency label `dep` expresses a relation in a label scheme.

    UD's `nsubj:pass` is a `subject`.
    """
    labels = TAGSETS["scheme"][scheme][relation]
    return dep in labels or f"{dep.split(':', maxsplit=1)[0]}:*" in labels


@functools.cache
def language_property(language: str, name: str) -> Any:
    """Return a word list or flag from the section `grammar` of a language's data file.

    Return an empty tuple if the data file does not have it.
    """
    return section(language, "grammar").get(name, ())


@functools.lru_cache(maxsize=10_000)
def parse_features(morph: str) -> dict[str, frozenset[str]]:
    """Parse a string of universal features such as `VerbForm=Fin|Tense=Past`.

    A feature may have several values: `PronType=Int,Rel` -> {"PronType": {"Int", "Rel"}}
    """
    pairs = (feature.partition("=") for feature in morph.split("|"))
    return {name: frozenset(values.split(",")) for name, _, values in reversed([*pairs])}


@functools.lru_cache(maxsize=10_000)
def is_tag_of_kind(tag: str, kind: str) -> bool:
    """Return True if grammar.toml lists a tag under a kind such as `finite` or `wh`.

    Some converted treebanks keep a contraction as one token with a combined tag, `PRP_VBZ`. One of the two tags
    needs to be listed.
    """
    return not frozenset(TAGSETS["tags"][kind]).isdisjoint(tag.split("_"))


@functools.lru_cache(maxsize=10_000)
def is_finite_form(tag: str, morph: str) -> bool:
    """Return True if a word with this tag and these features is a finite verb by itself."""
    values = parse_features(morph)
    if "Fin" in values.get("VerbForm", ()) or is_tag_of_kind(tag, "finite"):
        return True
    # The German PUD treebank marks finite verbs by their mood only.
    return not values.get("VerbForm") and bool(values.get("Mood"))


@functools.lru_cache(maxsize=10_000)
def is_wh_form(tag: str, morph: str) -> bool:
    """Return True if a word with this tag and these features is interrogative or relative."""
    return bool(
        parse_features(morph).get("PronType", frozenset()) & {"Rel", "Int"}
    ) or is_tag_of_kind(tag, "wh")
