"""The settings of explicitate_bitext: what is refused, and the model of each pivot language."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "fr"}, "there are no connectives and senses of 'fr'; expected en"),
        ({"division": {"test_corpora": ["EMEA"]}}, "division names EMEA, not read here"),
    ],
)
def test_what_cannot_be_built_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ExplicitateBitext.model_validate(settings)


def test_a_direction_without_a_default_model_is_refused_early(tmp_path: Path) -> None:
    from bitext_pivot.tasks.ahead.refusals import check_offline

    form = ExplicitateBitext.model_validate({"pivots": ["is", "eu"]})
    with pytest.raises(
        SettingsError, match=r"no default model for is-en.*\n.*no default model for eu-en"
    ):
        check_offline(form, Site(home=tmp_path))


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
