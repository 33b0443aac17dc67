"""The self-check of parsers: the quickstart's pipeline passes, one with random weights is refused."""

from pathlib import Path
from typing import Any

import numpy
import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import section
from bitext_pivot.syntax.parser_check import _found, check_parser
from bitext_pivot.syntax.parsing import Parser, load

MODEL = Path(__file__).parents[2] / "quickstart" / "models" / "spacy-en-ud"


def test_the_pipeline_of_the_quickstart_finds_nearly_all() -> None:
    import spacy

    nlp = spacy.load(MODEL)
    facts = [
        fact
        for text, *expected in section("en", "parser_check")["sentences"]
        for fact in _found(nlp(text), *expected)
    ]
    assert facts.count(True) / len(facts) > 0.8


def test_random_weights_are_refused_with_what_came_out(tmp_path: Path) -> None:
    import spacy

    nlp = spacy.load(MODEL)
    pipes: list[Any] = [pipe for _, pipe in nlp.pipeline]
    for pipe in pipes:
        for node in pipe.model.walk():
            for name in node.param_names:
                if node.has_param(name) is True:
                    values = node.get_param(name)
                    node.set_param(
                        name, numpy.random.RandomState(1).normal(0, 1, values.shape).astype("f")
                    )
    nlp.to_disk(tmp_path / "random")
    with pytest.raises(
        SettingsError,
        match=r"(?s)loads but does not work: .*'The old woman sold her house\.' became",
    ):
        load(Parser(pipeline=str(tmp_path / "random")), "en")


def test_a_language_without_sentences_is_not_checked() -> None:
    check_parser(None, "xx_model", "fi")
