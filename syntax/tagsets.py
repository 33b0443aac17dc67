"""Lookups in the label schemes CLEAR, UD and TIGER, and in the tags and features of tokens.

The tables are data (grammar.toml, and the section `grammar` of languages). A treebank has few different labels, tags
and feature sets: lookups are cached.
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
"""Labels by scheme, tags, quotation marks."""


def detect_scheme(labels: Iterable[str]) -> Scheme | None:
    """Return the scheme of a parser's labels; None when it is none of the three.

    >>> detect_scheme(["ROOT", "nsubj", "pobj", "prep"])
    'clear'
    """
    label_set, schemes = set(labels), TAGSETS["scheme"].items()
    return next(
        (scheme for scheme, relations in schemes if relations["detected_by"] in label_set), None
    )


@functools.cache
def is_label_of(scheme: Scheme, relation: Relation, dep: str) -> bool:
    """Return True if a label is one of the relation's."""
    labels = TAGSETS["scheme"][scheme][relation]
    return dep in labels or f"{dep.split(':', maxsplit=1)[0]}:*" in labels


@functools.cache
def language_property(language: str, name: str) -> Any:
    """Return a word list or a property of a language by its name; an unknown language has none."""
    return section(language, "grammar").get(name, ())


@functools.lru_cache(maxsize=10_000)
def parse_features(morph: str) -> dict[str, frozenset[str]]:
    """Parse `VerbForm=Fin|Tense=Past`; a feature may have several values (`PronType=Int,Rel`)."""
    pairs = (feature.partition("=") for feature in morph.split("|"))
    return {name: frozenset(values.split(",")) for name, _, values in reversed([*pairs])}


@functools.lru_cache(maxsize=10_000)
def is_tag_of_kind(tag: str, kind: str) -> bool:
    """Return True if a tag is of a kind that grammar.toml lists.

    A contraction kept whole by the treebank's conversion has several, `PRP_VBZ`: one of them is enough.
    """
    return not frozenset(TAGSETS["tags"][kind]).isdisjoint(tag.split("_"))


@functools.lru_cache(maxsize=10_000)
def is_finite_form(tag: str, morph: str) -> bool:
    """Return True if a word of this tag and these features is a finite verb by itself."""
    values = parse_features(morph)
    if "Fin" in values.get("VerbForm", ()) or is_tag_of_kind(tag, "finite"):
        return True
    return not values.get("VerbForm") and bool(values.get("Mood"))  # as in German PUD


@functools.lru_cache(maxsize=10_000)
def is_wh_form(tag: str, morph: str) -> bool:
    """Return True if a word of this tag and these features is interrogative or relative."""
    return bool(
        parse_features(morph).get("PronType", frozenset()) & {"Rel", "Int"}
    ) or is_tag_of_kind(tag, "wh")
