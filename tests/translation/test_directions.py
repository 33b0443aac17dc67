from pathlib import Path

import pytest

from pairs.errors import SettingsError
from translation.checkpoint import Checkpoint
from translation.directions import check_direction, default_model, default_prefix, target_token, three_letters


def checkpoint(source: str | None = None, target: str | None = None, tokens: tuple[str, ...] = ()) -> Checkpoint:
    return Checkpoint(
        name="some/model",
        folder=Path("model"),
        digest="0" * 16,
        positions=512,
        target_tokens=tokens,
        source_lang=source,
        target_lang=target,
    )


@pytest.mark.parametrize("pivot", ["fr", "de", "es", "ar", "nl", "it", "ru"])
def test_the_paper_s_languages_have_their_own_model(pivot: str) -> None:
    assert default_model(pivot, "en") == f"Helsinki-NLP/opus-mt-{pivot}-en"


@pytest.mark.parametrize("language", ["fr", "es", "de"])
def test_out_of_english_there_are_three(language: str) -> None:
    assert default_model("en", language) == f"Helsinki-NLP/opus-mt-en-{language}"


def test_portuguese_goes_through_a_romance_model_without_a_prefix() -> None:
    assert default_model("pt", "en") == "Helsinki-NLP/opus-mt-ROMANCE-en"
    assert default_prefix("pt", "en") == ""
    assert default_prefix("fr", "en") is None


def test_a_direction_without_a_default_says_how_to_name_a_model() -> None:
    with pytest.raises(SettingsError, match=r"no default model for fi-sv; name one with translation\.model.*fr-en"):
        default_model("fi", "sv")


@pytest.mark.parametrize(
    ("code", "letters"),
    [("es", "spa"), ("spa", "spa"), ("pt_BR", "por"), ("zh-Hans", "zho"), ("FR", "fra"), ("tlh", "tlh")],
)
def test_codes_of_two_letters_become_three(code: str, letters: str) -> None:
    assert three_letters(code) == letters


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
def test_a_model_for_the_pair_or_for_a_group_is_let_through(source: str | None, target: str | None) -> None:
    check_direction(checkpoint(source, target), "fr", "en")


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("de", "en", r"reads 'de', and fr-en is needed"),
        ("spa+deu", "en", r"reads 'spa\+deu'"),
        ("en", "fr", r"reads 'en'"),
        ("fr", "es", r"writes 'es'"),
        ("ROMANCE", "deu+nld", r"writes 'deu\+nld'"),
    ],
)
def test_a_model_for_another_pair_is_refused(source: str, target: str, message: str) -> None:
    with pytest.raises(SettingsError, match=rf"'some/model' is a model for another pair: .*{message}.*Name a model"):
        check_direction(checkpoint(source, target), "fr", "en")


@pytest.mark.parametrize(
    ("tokens", "target", "language", "expected"),
    [
        ((), "en", "en", ""),
        ((), None, "en", ""),
        ((">>por<<", ">>spa<<"), "roa", "pt", ">>por<<"),
        ((">>fr<<", ">>fra<<"), "ROMANCE", "fr", ">>fr<<"),
        ((">>por<<", ">>spa<<"), None, "es", ">>spa<<"),
        ((">>xxx<<",), "es", "es", ""),
    ],
)
def test_the_target_token_is_found_where_one_is_needed(
    tokens: tuple[str, ...], target: str | None, language: str, expected: str
) -> None:
    assert target_token(checkpoint(target=target, tokens=tokens), language) == expected


def test_a_model_of_several_targets_without_ours_names_its_tokens() -> None:
    several = checkpoint(target="roa", tokens=(">>por<<", ">>spa<<"))
    message = r"no target token for 'it'.*>>por<< >>spa<<.*translation\.advanced\.prefix"
    with pytest.raises(SettingsError, match=message):
        target_token(several, "it")
