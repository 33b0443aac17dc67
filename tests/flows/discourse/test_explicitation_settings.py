"""The settings of explicitate_bitext: what is refused, and the model of each pivot language."""

from typing import Any

import pytest
from pydantic import ValidationError

from bitext_pivot.flows.explicitation_settings import ExplicitateBitext


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "fr"}, "there are no lists of connectives and senses for 'fr'; expected en"),
        (
            {"division": {"test_corpora": ["EMEA"]}},
            "division names EMEA, which this build does not read",
        ),
    ],
)
def test_what_cannot_be_built_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ExplicitateBitext.model_validate(settings)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (None, [None, None]),
        ("models/mul-en", ["models/mul-en", "models/mul-en"]),
        ("me/{pivot}-en", ["me/fr-en", "me/is-en"]),
    ],
)
def test_a_model_is_named_for_all_pivots_or_one(
    model: str | None, expected: list[str | None]
) -> None:
    pivots = ["fr", "is"] if model else ["fr", "de"]
    form = ExplicitateBitext.model_validate(
        {"pivots": pivots, "translation": {"model": model, "revision": "v2"}}
    )
    translations = form.translations()
    assert [one.model for one in translations.values()] == expected
    assert {one.revision for one in translations.values()} == {"v2"}
