"""The card of a trained model: its front matter, tables, what it warns of."""

from typing import Any

import pytest
from huggingface_hub import ModelCard
from learned import plan

from bitext_pivot.research.models import model_card
from bitext_pivot.research.models.training_settings import Hyperparameters


def facts(**changes: Any) -> dict[str, Any]:
    systems = {
        "source unchanged": {"SARI": 29.5},
        "seed 0": {"SARI": 47.0},
        "seed 1": {"SARI": 49.0},
    }
    return {
        "title": "train split: fr-en/latest", "task": "split", "seeds": ["seed 0", "seed 1"],
        "plan": plan("generate", Hyperparameters()).model_dump(mode="json"),
        "start": {"name": "bert", "commit": None, "digest": "ab"},
        "data": {"rows": {"train": 9}, "licences": {"CC-BY-SA-4.0": 9}, "skips": {"not two sentences": 2}},
        "tests": {"hsplit": {"systems": systems, "signatures": {"SARI": "variant:bisect"}}},
        "seconds": 60, "steps": 3, "losses": [{"step": 3, "loss": 1.25}], "threads": 1, "device": "x86_64",
        "versions": {"torch": "2"}, **changes,
    }  # fmt: skip


def text(**changes: Any) -> str:
    values = facts(**changes)
    return f"{model_card.front_matter(values)}{model_card.readme(values)}"


def test_a_card_is_read_by_the_hub() -> None:
    data: Any = ModelCard(text()).data
    assert (data.license, data.base_model, data.library_name) == (
        "cc-by-sa-4.0",
        "bert",
        "transformers",
    )
    assert [(result.metric_type, result.metric_value) for result in data.eval_results or []] == [
        ("SARI", 48)
    ]


def test_scores_stand_beside_what_takes_no_training_and_the_paper() -> None:
    lines = text().splitlines()
    assert "| source unchanged | 29.5 |" in lines and "| this model | 48.0 ± 1.4 |" in lines
    assert any(
        line.startswith("| hsplit, SARI: DisSim | 38.0 | 48.0 ± 1.4 |") and "PPDB" in line
        for line in lines
    )
    assert model_card.main_score(facts()) == "SARI 48.0 ± 1.4 on hsplit (source unchanged: 29.5)"
    assert (
        "The paper has none of these test sets." in text(tests={})
        and model_card.main_score(facts(tests={})) == "no test set"
    )


@pytest.mark.parametrize(
    ("licences", "licence"),
    [
        ({"unknown": 1}, ("unknown", None)),
        ({"CC-BY-NC-4.0": 1, "MIT": 1}, ("other", "cc-by-nc-4.0-and-mit")),
        (
            {"Open Government Licence": 1, "unknown": 2},
            ("other", "open-government-licence-and-unknown"),
        ),
    ],
)
def test_other_licences_are_named_with_a_warning(
    licences: dict[str, int], licence: tuple[str, str | None]
) -> None:
    page = text(data={**facts()["data"], "licences": licences})
    data: Any = ModelCard(page).data
    assert (data.license, getattr(data, "license_name", None)) == licence
    assert "Ask before you pass the weights on" in page


def test_a_random_start_is_for_tests() -> None:
    page = text(start={"name": "random"})
    assert "For tests only" in page and "base_model" not in page


def test_a_fusion_model_has_tables_by_phenomenon_connective_and_pronoun() -> None:
    systems = {
        name: {"SARI": 50.0, "exact": 25.0} for name in ("source unchanged", "seed 0", "seed 1")
    }
    counts = {"but": {"rows": 4, "right": 1}, "and": {"rows": 2, "right": 2}}
    test = {
        "systems": systems,
        "signatures": {},
        "groups": {name: {"PAIR_CONN": 25.0} for name in systems},
        "group_sari": {name: {"PAIR_CONN": 61.25} for name in systems},
        "connectives": {name: counts for name in systems},
        "pronouns": {name: {} for name in systems},
    }
    lines = text(task="fuse", tests={"test": test}).splitlines()
    assert "| PAIR_CONN | 25.0 | 25.0 | 25.0 |" in lines
    assert any(line.startswith("| PAIR_CONN | 61.2 |") for line in lines)
    assert "| but | 4 | 25.0 | 25.0 | 25.0 |" in lines
    assert "| and | 2 | 100.0 | 100.0 | 100.0 |" in lines
    assert not any("pronoun added" in line for line in lines)
    assert any(
        line.startswith("| test, SARI: copy, sampled Wikipedia | 39.6 | 50.0 ± 0.0 |")
        for line in lines
    )
