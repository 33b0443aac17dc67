"""Find the default model of a direction, and check the languages of a checkpoint and its target token."""

import re
from pathlib import Path
from typing import Any

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.translation.checkpoint import Checkpoint


def default_model(pivot: str, language: str) -> str:
    """Return the hub name of the default model that translates `pivot` into `language`.

    It is named by OPUS-MT's pattern, but for the exceptions in models.toml. The hub says if it has none of that name.
    """
    direction = f"{pivot}-{language}"
    return str(_data()["default"].get(direction, f"Helsinki-NLP/opus-mt-{direction}"))


def three_letters(language: str) -> str:
    """Return the ISO 639-3 code of a language (`es`, `pt_BR`, `spa`), or the name itself if it is unknown."""
    base = re.split(r"[_-]", language)[0].lower()
    return str(_data()["languages"].get(base, base))


def two_letters(language: str) -> str:
    """Return the ISO 639-1 code of a language (`es`, `pt_BR`, `spa`), or what names it if it is unknown."""
    code = three_letters(language)
    for two, three in _data()["languages"].items():
        if three == code:
            return str(two)
    return code


def check_direction(checkpoint: Checkpoint, pivot: str, language: str) -> None:
    """Raise SettingsError if the checkpoint states other languages. Groups such as `ROMANCE` are accepted."""
    for stated, wanted, does in (
        (checkpoint.source_lang, pivot, "reads"),
        (checkpoint.target_lang, language, "writes"),
    ):
        members = _members(stated)
        if members and three_letters(wanted) not in members:
            raise SettingsError(
                f"{checkpoint.name!r} is a model for another pair: its tokenizer_config.json says that it {does} "
                f"{stated!r}, and {pivot}-{language} is needed. Name a model for {pivot}-{language} "
                "with translation.model (docs/bring-your-own.md)."
            )


def target_token(checkpoint: Checkpoint, language: str, setting: str | None = None) -> str:
    """Return the `>>xx<<` token that makes the checkpoint write `language`; "" if it has a single target language.

    `setting` is translation.advanced.prefix, which decides if it is not None. Raises SettingsError if the checkpoint
    does not have that token, or has several target languages and `language` is not one of them.
    """
    if setting is not None:
        if setting and setting not in checkpoint.target_tokens:
            raise SettingsError(
                f"translation.advanced.prefix is {setting!r}, and {checkpoint.name!r} has no such target token. "
                f"Its tokens: {', '.join(checkpoint.target_tokens[:20]) or 'none at all'}."
            )
        return setting
    for name in (language, three_letters(language)):
        if f">>{name}<<" in checkpoint.target_tokens:
            return f">>{name}<<"
    if not checkpoint.target_tokens or _members(checkpoint.target_lang) == {
        three_letters(language)
    }:
        return ""
    shown = " ".join(checkpoint.target_tokens[:20])
    raise SettingsError(
        f"{checkpoint.name!r} writes several languages and has no target token for {language!r}. "
        f"Its tokens begin with {shown}; name the one to use with translation.advanced.prefix, or another model."
    )


def _members(stated: str | None) -> set[str]:
    """Return the languages in a value like `fra+spa`; none if it is absent or the name of a group."""
    codes = {three_letters(code) for code in re.split(r"[+, ]+", stated or "") if code}
    return codes if codes <= set(_data()["languages"].values()) else set()


def _data() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("models.toml"))
