"""Find and check the files of a Marian checkpoint in Hugging Face's layout, before anything is loaded.

All layouts of OPUS-MT are read: those of 2020 (`pytorch_model.bin`, generation settings in config.json), those with
several target languages (`>>xx<<`), and those with one vocabulary per side (`target_vocab.json`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import hub, weights
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.untrusted import shown

SETTING = "translation.model"
_TOKENIZER = ("source.spm", "target.spm", "vocab.json")
_TARGET_VOCABULARY = "target_vocab.json"
_TOKENIZER_CONFIG = "tokenizer_config.json"
_NEEDED = ("config.json", *_TOKENIZER, _TARGET_VOCABULARY, _TOKENIZER_CONFIG)
_MOST = {
    "d_model": 100_000, "encoder_ffn_dim": 1_000_000, "decoder_ffn_dim": 1_000_000, "encoder_layers": 1_000,
    "decoder_layers": 1_000, "encoder_attention_heads": 1_000, "decoder_attention_heads": 1_000,
    "max_position_embeddings": 1_000_000,
}  # fmt: skip
"""Sizes in config.json, with more than any model has."""
_PIECES = ("decoder_start_token_id", "eos_token_id", "pad_token_id")
_TARGET_TOKEN = re.compile(r">>.+<<")
_ODD = re.compile("[\0\ud800-\udfff]")
"""Characters that no piece has, and that CTranslate2 cannot store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A folder that holds a complete Marian model and its tokenizer."""

    name: str
    """Hub name, or the name of the folder."""
    folder: Path
    digest: str
    """Sixteen hexadecimal digits of the weights, the configuration, the vocabularies and both SentencePiece models."""
    positions: int
    """Length of the longest sequence, in pieces."""
    target_tokens: tuple[str, ...]
    """The `>>xx<<` tokens of the vocabulary, sorted: one per language of a model with several target languages."""
    source_lang: str | None
    """From tokenizer_config.json: `fr`, `fra+spa+deu`, `ROMANCE`; None if it is not stated."""
    target_lang: str | None

    def refuse_changed(self) -> None:
        """Raise SettingsError if the files are not those of the digest any more: they are loaded later."""
        hub.refuse_changed(self.folder, self.digest, _digest(self.folder))


def choose(names: Sequence[str]) -> list[str]:
    """Return the files to download among the file names of a hub model."""
    return [*(name for name in _NEEDED if name in names), *weights.choose(names)]


def open_checkpoint(model: str, *, revision: str | None = None) -> Checkpoint:
    """Return a model given by folder or hub name, after checking its files. Nothing is loaded, no code of it is run.

    Raises:
        SettingsError: it is not a Marian checkpoint that can be used here.
        SourceError: it cannot be downloaded, or its files are damaged.
    """
    local = hub.fetch(model, choose=choose, setting=SETTING, revision=revision)
    folder = local.folder
    _check_config(folder, local.config)
    _check_numbers(folder, local.config)
    stated = (
        weights.read_json(folder / _TOKENIZER_CONFIG)
        if (folder / _TOKENIZER_CONFIG).is_file()
        else {}
    )
    _check_languages(folder, stated)
    source, target = vocabularies(folder)
    _check_layout(folder, is_separate=bool(stated.get("separate_vocabs")))
    size, is_shared = (
        local.config.get("vocab_size"),
        local.config.get("share_encoder_decoder_embeddings", True),
    )
    _check_vocabulary(folder / "vocab.json", source, size)
    _check_vocabulary(
        folder / _TARGET_VOCABULARY,
        target,
        size if is_shared else local.config.get("decoder_vocab_size"),
    )
    return Checkpoint(
        name=folder.resolve().name if Path(model).is_dir() else model,
        folder=folder,
        digest=_digest(folder),
        positions=int(local.config.get("max_position_embeddings", 512)),
        target_tokens=tuple(sorted(token for token in source if _TARGET_TOKEN.fullmatch(token))),
        source_lang=stated.get("source_lang"),
        target_lang=stated.get("target_lang"),
    )


def vocabularies(folder: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of each piece that a model reads, and of each that it writes; most models have one for both.

    Raises SourceError if a file is damaged.
    """
    source = weights.read_json(folder / "vocab.json")
    target = folder / _TARGET_VOCABULARY
    return source, weights.read_json(target) if target.is_file() else source


def _check_config(folder: Path, config: dict[str, Any]) -> None:
    """Raise SettingsError unless this is a Marian model for translation, with all files of its tokenizer."""
    kind, architectures = config.get("model_type"), config.get("architectures") or ["MarianMTModel"]
    if kind != "marian" or "MarianMTModel" not in architectures:
        hint = (
            " It seems to be converted for CTranslate2 already."
            if (folder / "model.bin").exists()
            else ""
        )
        raise SettingsError(
            f"{folder} is not a Marian checkpoint: config.json says model_type {kind!r}, architectures "
            f"{architectures}. Expected 'marian' and MarianMTModel.{hint} Name another with {SETTING}."
        )
    if missing := [name for name in _TOKENIZER if not (folder / name).is_file()]:
        raise SettingsError(
            f"{folder} is not a complete Marian checkpoint: it lacks {', '.join(missing)} of the tokenizer. "
            "Copy them from where the model comes from (models that need BPE instead of SentencePiece cannot be used)."
        )


def _check_numbers(folder: Path, config: dict[str, Any]) -> None:
    """Raise SettingsError for sizes that no model has, and for numbers of pieces outside of the vocabulary."""
    size = config.get("decoder_vocab_size") or config.get("vocab_size")
    ranges = {name: (1, most) for name, most in _MOST.items()}
    ranges |= {
        name: (0, size - 1)
        for name in _PIECES
        if isinstance(size, int) and config.get(name) is not None
    }
    for name, (least, most) in ranges.items():
        value = config.get(name, least)
        if type(value) is not int or not least <= value <= most:
            raise SettingsError(
                f"{folder / 'config.json'} has {name} {value!r}: expected a whole number from {least} to {most:,}. "
                f"Copy the file from where the model comes from, or name another model with {SETTING}."
            )


def _check_layout(folder: Path, *, is_separate: bool) -> None:
    """Raise SettingsError unless there is a second vocabulary exactly if the tokenizer's configuration says so."""
    if is_separate != (folder / _TARGET_VOCABULARY).is_file():
        raise SettingsError(
            f"{folder} is not a complete Marian checkpoint: {_TOKENIZER_CONFIG} says separate_vocabs: "
            f"{str(is_separate).lower()}, but {_TARGET_VOCABULARY} is {'missing' if is_separate else 'there'}. "
            "Copy both from where the model comes from."
        )


def _check_languages(folder: Path, stated: dict[str, Any]) -> None:
    """Raise SettingsError for languages of the tokenizer's configuration that are no text."""
    for name in ("source_lang", "target_lang"):
        if not isinstance(stated.get(name), str | None):
            raise SettingsError(
                f"{folder / _TOKENIZER_CONFIG} has {name} {shown(repr(stated[name]), 50)}: expected a text such as "
                f"'fr' or 'fra+spa'. Copy the file from where the model comes from, or name another with {SETTING}."
            )


def _check_vocabulary(path: Path, entries: dict[str, Any], size: int | None) -> None:
    if odd := [
        piece for piece, number in entries.items() if type(number) is not int or _ODD.search(piece)
    ]:
        raise SettingsError(
            f"{path} does not belong to this model: the piece {shown(repr(odd[0]), 50)} has the number "
            f"{shown(repr(entries[odd[0]]), 50)}. Expected texts in UTF-8 with a whole number each. Copy the "
            "vocabulary that the model was trained with."
        )
    lacking = [token for token in ("</s>", "<unk>") if token not in entries]
    if lacking or len(entries) != size or set(entries.values()) != set(range(len(entries))):
        raise SettingsError(
            f"{path} does not belong to this model: it has {len(entries)} entries, config.json says {size}"
            f"{', and it lacks ' + ', '.join(lacking) if lacking else ''}. Expected one entry per number from 0. "
            "Copy the vocabulary that the model was trained with."
        )


def _digest(folder: Path) -> str:
    files = choose([path.name for path in folder.iterdir() if path.is_file()])
    names = [name for name in files if name != _TOKENIZER_CONFIG]  # it changes no output
    return atomic.digest(folder, names, separator=b"")[
        :16
    ]  # as in the signatures of stored translations
