"""Find and check the files of a Marian checkpoint before it is loaded.

All layouts of OPUS-MT models on the Hugging Face hub are supported: the original layout (`pytorch_model.bin`,
generation settings in config.json), models with several target languages (`>>xx<<` tokens), and models with one
vocabulary per side (`target_vocab.json`).
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
_REQUIRED_TOKENIZER_FILES = ("source.spm", "target.spm", "vocab.json")
_TARGET_VOCABULARY = "target_vocab.json"
_TOKENIZER_CONFIG = "tokenizer_config.json"
_CONFIG_AND_TOKENIZER = (
    "config.json",
    *_REQUIRED_TOKENIZER_FILES,
    _TARGET_VOCABULARY,
    _TOKENIZER_CONFIG,
)
_LARGEST_SIZES = {
    "d_model": 100_000, "encoder_ffn_dim": 1_000_000, "decoder_ffn_dim": 1_000_000, "encoder_layers": 1_000,
    "decoder_layers": 1_000, "encoder_attention_heads": 1_000, "decoder_attention_heads": 1_000,
    "max_position_embeddings": 1_000_000,
}  # fmt: skip
"""Upper limits for the sizes in config.json. No real model reaches them."""
_SPECIAL_TOKEN_IDS = ("decoder_start_token_id", "eos_token_id", "pad_token_id")
_TARGET_TOKEN = re.compile(r">>.+<<")
_INVALID_CHARACTERS = re.compile("[\0\ud800-\udfff]")
"""Characters that CTranslate2 cannot store. No valid vocabulary piece contains them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A folder with a complete Marian model and its tokenizer."""

    name: str
    """Name on the Hugging Face hub, or name of the folder."""
    folder: Path
    digest: str
    """Digest of the weights, config.json, the vocabularies and both SentencePiece models: 16 hexadecimal digits."""
    positions: int
    """Maximum length of a text or translation, in vocabulary pieces."""
    target_tokens: tuple[str, ...]
    """The `>>xx<<` tokens in the vocabulary, sorted: one per target language; empty for a model with a single
    target language."""
    source_lang: str | None
    """Source languages stated in tokenizer_config.json, such as `fr`, `fra+spa+deu` or `ROMANCE`; None if missing."""
    target_lang: str | None

    def refuse_changed(self) -> None:
        """Raise SettingsError if the files have changed since the checkpoint was opened.

        This matters because a build opens a checkpoint long before it loads the weights.
        """
        hub.refuse_changed(self.folder, self.digest, _compute_digest(self.folder))


def choose_marian_files(names: Sequence[str]) -> list[str]:
    """Select the files of a Marian model to download from all file names of a model on the hub."""
    return [
        *(name for name in _CONFIG_AND_TOKENIZER if name in names),
        *weights.choose_weights(names),
    ]


def open_checkpoint(model: str, *, revision: str | None = None) -> Checkpoint:
    """Check the files of a model in a folder or on the hub, and return them as a checkpoint.

    No weights are loaded, and no code of the model runs.

    Raises:
        SettingsError: the model does not exist, or is not a complete Marian checkpoint.
        SourceError: the model cannot be downloaded, or its files are damaged.
    """
    local = hub.fetch(model, choose=choose_marian_files, setting=SETTING, revision=revision)
    folder = local.folder
    _check_config(folder, local.config)
    _check_sizes_and_ids(folder, local.config)
    stated = (
        weights.read_json(folder / _TOKENIZER_CONFIG)
        if (folder / _TOKENIZER_CONFIG).is_file()
        else {}
    )
    _check_languages(folder, stated)
    source, target = read_vocabularies(folder)
    _check_layout(folder, is_separate=bool(stated.get("separate_vocabs")))
    size = local.config.get("vocab_size")
    is_shared = local.config.get("share_encoder_decoder_embeddings", True)
    _check_vocabulary(folder / "vocab.json", source, size)
    _check_vocabulary(
        folder / _TARGET_VOCABULARY,
        target,
        size if is_shared else local.config.get("decoder_vocab_size"),
    )
    return Checkpoint(
        name=folder.resolve().name if Path(model).is_dir() else model,
        folder=folder,
        digest=_compute_digest(folder),
        positions=int(local.config.get("max_position_embeddings", 512)),
        target_tokens=tuple(sorted(token for token in source if _TARGET_TOKEN.fullmatch(token))),
        source_lang=stated.get("source_lang"),
        target_lang=stated.get("target_lang"),
    )


def read_vocabularies(folder: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the source and the target vocabulary, each a mapping of pieces to ids.

    In most models, both languages share a vocabulary; the same dictionary is then returned twice. Raises
    SourceError if a file is damaged.
    """
    source = weights.read_json(folder / "vocab.json")
    target = folder / _TARGET_VOCABULARY
    return source, weights.read_json(target) if target.is_file() else source


def _check_config(folder: Path, config: dict[str, Any]) -> None:
    """Raise SettingsError unless a folder has a Marian model with a complete tokenizer."""
    kind, architectures = config.get("model_type"), config.get("architectures") or ["MarianMTModel"]
    if kind != "marian" or "MarianMTModel" not in str(architectures):
        hint = (
            " It seems to have been converted for CTranslate2 already."
            if (folder / "model.bin").exists()
            else ""
        )
        raise SettingsError(
            f"{folder} is not a Marian checkpoint: its config.json has model_type {kind!r} and architectures "
            f"{architectures}. Expected 'marian' and MarianMTModel.{hint} Name another model with {SETTING}."
        )
    if missing := [name for name in _REQUIRED_TOKENIZER_FILES if not (folder / name).is_file()]:
        raise SettingsError(
            f"{folder} is not a complete Marian checkpoint: it lacks the tokenizer's {', '.join(missing)}. "
            "Copy missing files from the original model (models with BPE instead of SentencePiece cannot be used)."
        )


def _check_sizes_and_ids(folder: Path, config: dict[str, Any]) -> None:
    """Raise SettingsError if a size or a special token's id in config.json is out of range."""
    size = config.get("decoder_vocab_size") or config.get("vocab_size")
    ranges = {name: (1, most) for name, most in _LARGEST_SIZES.items()}
    ranges |= {
        name: (0, size - 1)
        for name in _SPECIAL_TOKEN_IDS
        if isinstance(size, int) and config.get(name) is not None
    }
    for name, (least, most) in ranges.items():
        value = config.get(name, least)
        if type(value) is not int or not least <= value <= most:
            raise SettingsError(
                f"{folder / 'config.json'} has {name} {value!r}: expected a whole number from {least} to {most:,}. "
                f"Copy the file from the original model, or name another model with {SETTING}."
            )


def _check_layout(folder: Path, *, is_separate: bool) -> None:
    """Raise SettingsError if target_vocab.json is missing, or exists although it should not.

    `separate_vocabs` in tokenizer_config.json states whether a model has this file.
    """
    if is_separate != (folder / _TARGET_VOCABULARY).is_file():
        raise SettingsError(
            f"{folder} is not a complete Marian checkpoint: {_TOKENIZER_CONFIG} has separate_vocabs: "
            f"{str(is_separate).lower()}, but {_TARGET_VOCABULARY} {'is missing' if is_separate else 'exists'}. "
            "Copy both files from the original model."
        )


def _check_languages(folder: Path, stated: dict[str, Any]) -> None:
    """Raise SettingsError if a language stated in tokenizer_config.json is not a string."""
    for name in ("source_lang", "target_lang"):
        if not isinstance(stated.get(name), str | None):
            raise SettingsError(
                f"{folder / _TOKENIZER_CONFIG} has {name} {shown(repr(stated[name]), 50)}: expected a string such as "
                f"'fr' or 'fra+spa'. Copy the file from the original model, or name another model with {SETTING}."
            )


def _check_vocabulary(path: Path, entries: dict[str, Any], size: int | None) -> None:
    if odd := [
        piece
        for piece, number in entries.items()
        if type(number) is not int or _INVALID_CHARACTERS.search(piece)
    ]:
        raise SettingsError(
            f"{path} does not belong to this model: the piece {shown(repr(odd[0]), 50)} has the id "
            f"{shown(repr(entries[odd[0]]), 50)}. Expected pieces in UTF-8, each with an integer as its id. Copy the "
            "vocabulary from the original model."
        )
    lacking = [token for token in ("</s>", "<unk>") if token not in entries]
    if lacking or len(entries) != size or set(entries.values()) != set(range(len(entries))):
        raise SettingsError(
            f"{path} does not belong to this model: it has {len(entries)} entries, and config.json requires {size}"
            f"{'. It lacks ' + ', '.join(lacking) if lacking else ''}. Expected one entry for each id from 0, "
            "without gaps. Copy the vocabulary from the original model."
        )


def _compute_digest(folder: Path) -> str:
    files = choose_marian_files([path.name for path in folder.iterdir() if path.is_file()])
    names = [name for name in files if name != _TOKENIZER_CONFIG]  # does not affect outputs
    # Signatures of stored translations contain this digest: keep its separator and length.
    return atomic.digest(folder, names, separator=b"")[:16]
