"""The examples of docs/filters.md: each is rejected by its own filter, and every rule filter has one."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from factories import pair

from bitext_pivot.core.records import ScoredPair
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.chain import Filters, FilterSettings
from bitext_pivot.syntax.parsing import SpacyPipeline, parse_pairs

FILE = Path(__file__).parents[2] / "docs" / "filter_examples.toml"
EXAMPLES: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))


def test_every_filter_has_one() -> None:
    assert EXAMPLES.keys() == FilterSettings.model_fields.keys()
    rules = {name for name, filter_ in FilterSettings() if isinstance(filter_, RuleFilter)}
    # These filters compare translations.
    assert rules - {name for name, example in EXAMPLES.items() if "long" in example} == {
        "confidence",
        "invented",
    }


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if "long" in example])
def test_the_example_of_a_filter_is_rejected_by_it(name: str, pipeline: SpacyPipeline) -> None:
    example = EXAMPLES[name]
    parsed, _ = parse_pairs([pair(example["long"], *example["split"])], pipeline)
    chain = Filters(preset="rules")
    (scores,) = chain.rule_scores(parsed)
    assert chain.verdict(ScoredPair(parsed=parsed[0], scores=scores)) == name
