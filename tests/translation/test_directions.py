from pathlib import Path

import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.translation.checkpoint import Checkpoint
from bitext_pivot.translation.directions import (
    check_direction,
    default_opus_model,
    find_target_token,
    to_iso_639_3,
)


def checkpoint(
    source: str | None = None, target: str | None = None, tokens: tuple[str, ...] = ()
) -> Checkpoint:
    return Checkpoint(
        name="some/model", folder=Path("model"), digest="0" * 16, positions=512,
        target_tokens=tokens, source_lang=source, target_lang=target,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("direction", "name"),
    [
        ("fr-en", "opus-mt-fr-en"),
        ("en-sv", "opus-mt-en-sv"),
        ("pt-en", "opus-mt-ROMANCE-en"),
        ("en-pt", "opus-mt-tc-big-en-pt"),
    ],
)
def test_default_models_have_the_names_of_opus_mt(direction: str, name: str) -> None:
    assert default_opus_model(*direction.split("-")) == f"Helsinki-NLP/{name}"


@pytest.mark.parametrize(
    ("code", "letters"),
    [
        ("es", "spa"),
        ("spa", "spa"),
        ("pt_BR", "por"),
        ("zh-Hans", "zho"),
        ("FR", "fra"),
        ("tlh", "tlh"),
    ],
)
def test_language_codes_become_iso_639_3(code: str, letters: str) -> None:
    assert to_iso_639_3(code) == letters


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("fr", "en"),
        ("fra", "eng"),
        ("fra+spa+deu", "en"),
        ("fr+es+de", "en"),
        ("ROMANCE", "en"),
        ("mul", "mul"),
        (None, None),
    ],
)
def test_a_model_for_the_pair_or_group_is_accepted(source: str | None, target: str | None) -> None:
    check_direction(checkpoint(source, target), "fr", "en")


@pytest.mark.parametrize(
    ("source", "target"),
    [("de", "en"), ("spa+deu", "en"), ("en", "fr"), ("fr", "es"), ("ROMANCE", "deu+nld")],
)
def test_a_model_for_another_pair_is_refused(source: str, target: str, golden: Golden) -> None:
    with golden.refused(SettingsError):
        check_direction(checkpoint(source, target), "fr", "en")


@pytest.mark.parametrize(
    ("tokens", "target", "language", "setting", "expected"),
    [
        ((), "en", "en", None, ""),
        ((), None, "en", None, ""),
        ((">>por<<", ">>spa<<"), "roa", "pt", None, ">>por<<"),
        ((">>fr<<", ">>fra<<"), "ROMANCE", "fr", None, ">>fr<<"),
        ((">>por<<", ">>spa<<"), None, "es", None, ">>spa<<"),
        ((">>xxx<<",), "es", "es", None, ""),
        ((">>por<<", ">>spa<<"), "roa", "pt", ">>spa<<", ">>spa<<"),
        ((">>por<<", ">>spa<<"), "roa", "pt", "", ""),
    ],
)
def test_the_target_token_is_the_settings_or_the_languages(
    tokens: tuple[str, ...], target: str | None, language: str, setting: str | None, expected: str
) -> None:
    assert (
        find_target_token(checkpoint(target=target, tokens=tokens), language, setting) == expected
    )


@pytest.mark.parametrize("setting", [None, ">>ita<<"])
def test_a_missing_target_token_is_refused_with_the_models(
    setting: str | None, golden: Golden
) -> None:
    with golden.refused(SettingsError):
        find_target_token(checkpoint(target="roa", tokens=(">>por<<", ">>spa<<")), "it", setting)
