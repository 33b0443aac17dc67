"""Find the default model for a pair of languages, and check the languages of a checkpoint."""

import re
from pathlib import Path
from typing import Any

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.translation.checkpoint import Checkpoint


def default_opus_model(pivot: str, language: str) -> str:
    """Return the hub name of the OPUS-MT model that translates from `pivot` into `language`.

    The name follows OPUS-MT's pattern; models.toml lists the exceptions. The hub may not have a model of that
    name.
    """
    direction = f"{pivot}-{language}"
    return str(_read_models_toml()["default"].get(direction, f"Helsinki-NLP/opus-mt-{direction}"))


def to_iso_639_3(language: str) -> str:
    """Return the ISO 639-3 code of a language, or an unknown code unchanged: `"pt_BR" -> "por"`."""
    base = re.split(r"[_-]", language)[0].lower()
    return str(_read_models_toml()["languages"].get(base, base))


def check_direction(checkpoint: Checkpoint, pivot: str, language: str) -> None:
    """Raise SettingsError if a checkpoint is for other languages. Groups like `ROMANCE` pass."""
    for stated, wanted, does in (
        (checkpoint.source_lang, pivot, "reads"),
        (checkpoint.target_lang, language, "writes"),
    ):
        members = _split_languages(stated)
        if members and to_iso_639_3(wanted) not in members:
            raise SettingsError(
                f"{checkpoint.name!r} is a model for other languages: according to its tokenizer_config.json it {does} "
                f"{stated!r}, but {pivot}-{language} is needed. Name a model for {pivot}-{language} "
                "with translation.model (docs/bring-your-own.md)."
            )


def find_target_token(checkpoint: Checkpoint, language: str, setting: str | None = None) -> str:
    """Return the `>>xx<<` token that makes a model translate into `language`, or "" for none.

    A checkpoint with a single target language needs no token. `setting` is the value of
    translation.advanced.prefix; unless it is None, it replaces the token found here. Raises SettingsError if the
    checkpoint lacks that token, or has several target languages and `language` is not among them.
    """
    if setting is not None:
        if setting and setting not in checkpoint.target_tokens:
            raise SettingsError(
                f"translation.advanced.prefix is {setting!r}, but {checkpoint.name!r} has no such target token. "
                f"Its target tokens: {', '.join(checkpoint.target_tokens[:20]) or 'none'}."
            )
        return setting
    for name in (language, to_iso_639_3(language)):
        if f">>{name}<<" in checkpoint.target_tokens:
            return f">>{name}<<"
    if not checkpoint.target_tokens or _split_languages(checkpoint.target_lang) == {
        to_iso_639_3(language)
    }:
        return ""
    shown = " ".join(checkpoint.target_tokens[:20])
    raise SettingsError(
        f"{checkpoint.name!r} writes several languages but has no target token for {language!r}. "
        f"Its first target tokens: {shown}. Set translation.advanced.prefix to one of them, or name another model."
    )


def _split_languages(stated: str | None) -> set[str]:
    """Return the ISO 639-3 codes in a value like `fra+spa`; empty for None and names of groups."""
    codes = {to_iso_639_3(code) for code in re.split(r"[+, ]+", stated or "") if code}
    return codes if codes <= set(_read_models_toml()["languages"].values()) else set()


def _read_models_toml() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("models.toml"))
