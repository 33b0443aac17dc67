"""The card (README.md) of a data set: its signature, rows, losses, licences, examples, citation and rebuild section."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any

from bitext_pivot.core.templates import render
from bitext_pivot.corpus.assignment import ENOUGH, PART
from bitext_pivot.corpus.citation import bibtex, signature_line
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.rebuild import rebuild_section
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.schema import describe_columns
from bitext_pivot.corpus.statement import DEFAULT, FAIR, Statement

_REPORTS = frozenset({"markers", "trial", "warnings"})
"""Parts of a build's signature that are results, not settings, so that the section `Rebuild` omits them."""
_SHOWN = 10
"""Maximum number of examples on a card."""


def readme(
    recipe: Recipe[Any], facts: BuildFacts, inspected: str, statement: Statement = DEFAULT
) -> str:
    """Return the card (README.md) of a data set in Markdown, without its YAML front matter.

    `inspected` is a sentence that says which records inspector.html contains. `statement` is the author's data
    statement.
    """
    line = signature_line(facts.signature, facts.counts.below("licence"))
    signature = {name: part for name, part in facts.signature.items() if name not in _REPORTS}
    card = render(
        "corpus/card.jinja",
        recipe=recipe,
        facts=facts,
        line=line,
        inspected=inspected,
        subsets=SUBSETS,
        absent=[name for name in SUBSETS if not facts.counts["subset", name]],
        enough=ENOUGH,
        part=PART,
        columns=describe_columns(recipe.rows.classes[recipe.rows.first_kind]),
        examples=_in_turn(facts.examples),
        fair=FAIR,
        statement=statement.paragraphs(),
        citation=bibtex(line, recipe.card.paper),
        rebuild=rebuild_section(signature, recipe.card.rebuild),
    )
    return f"{card}\n"


def examples_section(recipe: Recipe[Any], examples: Mapping[str, Sequence[str]]) -> str:
    """Return the section of a card that shows examples, taken from each group in turn."""
    return render("corpus/some_rows.jinja", recipe=recipe, examples=_in_turn(examples))


def _in_turn(examples: Mapping[str, Sequence[str]]) -> list[str]:
    """Return up to 10 examples: the first of each group, then the second of each, and so on."""
    turns = chain.from_iterable(zip_longest(*examples.values()))
    return list(islice(filter(None, turns), _SHOWN))
