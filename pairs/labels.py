"""What the inventories of labels, CLEAR, UD and TIGER, call things, and what a token's tag and features say.

All of it is data (grammar.toml). A treebank has few labels, tags and sets of features: each is looked up once.
"""

import functools
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

Scheme = Literal["clear", "ud", "tiger"]
Relation = Literal[
    "subject", "conjunct", "coordinator", "auxiliary", "adverbial_clause", "marker", "relative_clause",
    "participle_clause", "clausal_complement", "open_complement", "parataxis", "prepositional", "object",
    "apposition",
]  # fmt: skip


@functools.cache
def table() -> dict[str, Any]:
    """Return grammar.toml: labels by scheme, tags, quotation marks, words by language."""
    return tomllib.loads(Path(__file__).with_name("grammar.toml").read_text(encoding="utf-8"))


def detect_scheme(labels: Iterable[str]) -> Scheme | None:
    """Return the inventory that a parser's labels belong to; None when they belong to none of the three.

    >>> detect_scheme(["ROOT", "nsubj", "pobj", "prep"])
    'clear'
    """
    known, schemes = set(labels), table()["scheme"].items()
    return next((scheme for scheme, relations in schemes if relations["detected_by"] in known), None)


@functools.cache
def is_named(scheme: Scheme, relation: Relation, dep: str) -> bool:
    """Tell whether a label is one of the relation's."""
    labels = table()["scheme"][scheme][relation]
    return dep in labels or f"{dep.split(':', maxsplit=1)[0]}:*" in labels


@functools.cache
def words(language: str, name: str) -> Any:
    """Return a list of words or a fact of a language by its name; an unknown language has none."""
    return table()["language"].get(language, {}).get(name, ())


@functools.lru_cache(maxsize=10_000)
def features(morph: str) -> dict[str, frozenset[str]]:
    """Take `VerbForm=Fin|Tense=Past` apart; a feature has several values where the treebank allows either."""
    pairs = (feature.partition("=") for feature in morph.split("|"))
    return {name: frozenset(values.split(",")) for name, _, values in reversed([*pairs])}


@functools.lru_cache(maxsize=10_000)
def is_tagged(tag: str, kind: str) -> bool:
    """Tell whether a tag is of a kind that grammar.toml lists.

    A contraction kept whole by the treebank's conversion has several, `PRP_VBZ`: one of them is enough.
    """
    return not frozenset(table()["tags"][kind]).isdisjoint(tag.split("_"))


@functools.lru_cache(maxsize=10_000)
def is_finite(tag: str, morph: str) -> bool:
    """Tell whether a word of this tag and these features is a finite verb by itself."""
    found = features(morph)
    if "Fin" in found.get("VerbForm", ()) or is_tagged(tag, "finite"):
        return True
    return not found.get("VerbForm") and bool(found.get("Mood"))  # as in German PUD


@functools.lru_cache(maxsize=10_000)
def is_wh(tag: str, morph: str) -> bool:
    """Tell whether a word of this tag and these features is interrogative or relative."""
    return bool(features(morph).get("PronType", frozenset()) & {"Rel", "Int"}) or is_tagged(tag, "wh")
