"""Self-check of parsers: in plain sentences they must find the verb, its lemma and its subject.

A pipeline with random weights, or trained for another tokenization or language, loads without an error.
"""

from typing import Any

from bitext_pivot.core.languages import section
from bitext_pivot.core.model_check import check_model

_LEAST = 0.6
"""Share of the facts below. The quickstart's English pipeline finds 14 of 16, at most 4 with random weights."""


def check_parser(nlp: Any, name: str, language: str) -> None:
    """Raise SettingsError unless a spaCy pipeline parses the plain sentences of a language; others are not checked."""
    examples = section(language, "parser_check").get("sentences")
    if not examples:
        return
    facts = [fact for text, *expected in examples for fact in _found(nlp(text), *expected)]
    text, verb, lemma, subject = examples[0]
    parse = " ".join(
        f"{token.text}/{token.lemma_}/{token.pos_}/{token.dep_}" for token in nlp(text)
    )
    check_model(
        f"The spaCy pipeline {name!r}", facts, _LEAST, "verbs, lemmas and subjects in plain sentences are found",
        f"{text!r} became {parse!r}; its verb is {verb!r} ({lemma}), its subject {subject!r}. Install the pipeline "
        "again, or name another.",
    )  # fmt: skip


def _found(doc: Any, verb: str, lemma: str, subject: str) -> list[bool]:
    """Return whether the verb is a verb, the root, with its lemma, and whether the subject depends on it."""
    tokens = {token.text: token for token in doc}
    if verb not in tokens or subject not in tokens:
        return [False] * 4
    node = tokens[verb]
    is_root = node.head.i == node.i
    return [
        node.pos_ in {"VERB", "AUX"},
        is_root,
        node.lemma_ == lemma,
        tokens[subject].head.i == node.i,
    ]
