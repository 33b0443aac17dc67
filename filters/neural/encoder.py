"""Encode texts as token vectors for the filters `bertscore` and `meaning`, and for `evaluate`.

Only the layers up to the compared layer are loaded. On a GPU, texts are encoded in padded batches
(padded_batches.py); the rest of this text is about the CPU.

Texts are packed without padding into rows of 512 tokens, one pack per thread, and each text attends only to
itself. Kernels round depending on the shape of a product, and the shape is always the same. The score of a
pair is therefore bit-identical whatever other pairs are compared, in which order and with how many threads.
In float32 it agrees to 1e-6 with the bert_score package scoring the pair alone.

`bfloat16` applies to matrix products only. Sums, normalisation, attention and matching stay in float32, which
halves the error of a model that runs entirely in bfloat16 and costs no time.
"""

import functools
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.filters.neural import encoder_check, padded_batches
from bitext_pivot.filters.neural.encoder_checkpoint import (
    EncoderCheckpoint,
    first_position_id,
    load_model_and_tokenizer,
    max_tokens,
    tokenizer_lock,
)
from bitext_pivot.filters.neural.matching import MatchScore, match_tokens, weakest_similarity
from bitext_pivot.filters.neural.precision import Precision

_PACK_SIZE = 512  # tokens per pack; smaller packs are slower, larger packs exceed the cache
_PACKABLE = {"bert", "roberta", "xlm-roberta"}  # accept position ids and our attention function
_kept_vectors = threading.local()


@dataclass(frozen=True, slots=True)
class Encoder:
    """A loaded encoder.

    `longest` is the maximum number of tokens in a text, special tokens included. `first` is the position id of the
    first token, or None for a model that encodes each text alone.
    """

    model: Any
    tokenizer: Any
    longest: int
    first: int | None
    device: Device = "cpu"

    def compare(self, pairs: Sequence[tuple[str, str]], threads: int) -> list[MatchScore]:
        """Return the BERTScore of each pair (candidate, reference), in order.

        A text that occurs in several pairs is encoded once.
        """
        vectors = self._encode_distinct(chain.from_iterable(pairs), threads, self._has_weight)
        return list(
            thread_pool(threads).map(
                lambda pair: match_tokens(*vectors[pair[0]], *vectors[pair[1]]), pairs
            )
        )

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return BERTScore's F for each pair of texts, in order."""
        return [comparison.f1 for comparison in self.compare(pairs, 1)]

    def weakest_spans(
        self, comparisons: Sequence[tuple[str, tuple[str, ...]]], threads: int
    ) -> list[float]:
        """Return for each text with its other texts how similar its weakest span is to them.

        A span is a run of tokens with a minimum number of letters (matching.py).
        """
        texts = []
        for text, others in comparisons:
            texts += [text, *others]
        vectors = self._encode_distinct(texts, threads, self._count_letters)

        def weakest(comparison: tuple[str, tuple[str, ...]]) -> float:
            text, others = comparison
            return weakest_similarity(*vectors[text], [vectors[other][0] for other in others])

        return list(thread_pool(threads).map(weakest, comparisons))

    def _has_weight(self, token: int) -> bool:
        """Return True unless a token is special: special tokens can be matched, but have no weight."""
        return token not in (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id)

    def _count_letters(self, token: int) -> int:
        """Return the number of letters and digits in a token, or 0 for a special token."""
        return (
            sum(map(str.isalnum, self.tokenizer.decode([token]))) if self._has_weight(token) else 0
        )

    def _encode_distinct(
        self, texts: Iterable[str], threads: int, weigh: Callable[[int], float]
    ) -> dict[str, tuple[Any, list[float]]]:
        """Return for each distinct text the unit vectors of its tokens and their weights."""
        distinct = list(dict.fromkeys(texts))
        tokens = dict(zip(distinct, self._tokenize(distinct), strict=True))
        weight = {token: weigh(token) for token in set(chain.from_iterable(tokens.values()))}
        units: dict[str, Any] = (
            _kept_vectors.units[self.model] if hasattr(_kept_vectors, "units") else {}
        )
        missing = [text for text in distinct if text not in units]
        for text, rows in zip(
            missing, self._encode_texts([tokens[text] for text in missing], threads), strict=True
        ):
            units[text] = rows / rows.norm(dim=-1, keepdim=True)
        return {
            text: (units[text], [weight[token] for token in row]) for text, row in tokens.items()
        }

    def _encode_texts(self, tokens: Sequence[Sequence[int]], threads: int) -> list[Any]:
        if self.device == "cuda":
            return padded_batches.encode_padded(
                self.model, tokens, self.tokenizer.pad_token_id or 0
            )
        groups = pack_texts([len(row) for row in tokens], 0 if self.first is None else _PACK_SIZE)
        encodings = thread_pool(threads).map(
            lambda group: self._encode_pack([tokens[n] for n in group]), groups
        )
        vectors = dict(
            zip(chain.from_iterable(groups), chain.from_iterable(encodings), strict=True)
        )
        return [vectors[n] for n in range(len(tokens))]

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        options: dict[str, Any] = {"truncation": True, "max_length": self.longest, "padding": False}
        plain = [text.strip() for text in texts]
        with tokenizer_lock:
            if self.device == "cuda" and plain:  # on all cores: one would keep the GPU waiting
                return [list(tokens) for tokens in self.tokenizer(plain, **options)["input_ids"]]
            return [self.tokenizer.encode(text, **options) for text in plain]

    def _encode_pack(self, texts: Sequence[Sequence[int]]) -> list[Any]:
        """Encode texts that share a pack (a row without padding), and return a tensor for each text.

        Each tensor has one row per token.
        """
        import torch

        lengths = [len(text) for text in texts]
        with torch.inference_mode():
            rows = self.model(**self._pack_inputs(texts, lengths))[0][0]
            return list(rows[: sum(lengths)].split(lengths))

    def _pack_inputs(
        self, texts: Sequence[Sequence[int]], lengths: Sequence[int]
    ) -> dict[str, Any]:
        """Concatenate texts and pad them to whole packs, so that all products have the same shape."""
        import torch

        tokens = [token for text in texts for token in text]
        if self.first is None:
            return {"input_ids": torch.tensor([tokens])}
        filling = [0] * (-len(tokens) % _PACK_SIZE)
        places = [self.first + place for length in lengths for place in range(length)]
        return {
            "input_ids": torch.tensor([tokens + filling]),
            "position_ids": torch.tensor([places + filling]),
            "lengths": lengths,
        }


def pack_texts(lengths: Sequence[int], room: int) -> list[list[int]]:
    """Group texts so that each group has at most `room` tokens, and return the indices by group.

    A longer text is a group of its own. The groups are filled first-fit, the longest texts first: with 500
    sentences, about 1 % of the room stays unused. The result is deterministic.
    """
    groups: list[list[int]] = []
    free: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        fitting = next((n for n, left in enumerate(free) if left >= lengths[place]), None)
        if fitting is None:
            groups.append([])
            free.append(room)
            fitting = len(groups) - 1
        groups[fitting].append(place)
        free[fitting] -= lengths[place]
    return groups


@contextmanager
def keep_vectors() -> Iterator[None]:
    """Keep the vectors of encoded texts in this thread until the end of the `with` block.

    Filters with the same encoder compare the same texts, so each text is encoded only once.
    """
    _kept_vectors.units = defaultdict[Any, dict[str, Any]](dict)
    try:
        yield
    finally:
        del _kept_vectors.units


@load_once
def load_encoder(
    checkpoint: EncoderCheckpoint, precision: Precision, device: Device = "cpu"
) -> Encoder:
    """Load an encoder and test it (encoder_check.py), once per process.

    Raises SettingsError if it fails the test.
    """
    loaded = _load_unchecked(checkpoint, precision, device)
    encoder_check.check_encoder(loaded.similarity, loaded.tokenizer, checkpoint)
    return loaded


def _load_unchecked(checkpoint: EncoderCheckpoint, precision: Precision, device: Device) -> Encoder:
    _use_one_thread()
    model, tokenizer = load_model_and_tokenizer(
        checkpoint, "AutoModel", num_hidden_layers=checkpoint.layer
    )
    config, first = model.config, None
    if config.is_encoder_decoder:
        raise SettingsError(
            f"The model {checkpoint.name!r} has a decoder. Expected an encoder alone; name another model with "
            f"{checkpoint.setting}."
        )
    if device == "cuda":
        model = padded_batches.move_to_gpu(model, precision)
    else:
        if config.model_type in _PACKABLE and not getattr(config, "is_decoder", False):
            first = _isolate_texts(model)
        if precision == "bfloat16":
            _use_bfloat16(model)
    return Encoder(model, tokenizer, max_tokens(config, tokenizer), first, device)


def _isolate_texts(model: Any) -> int:
    """Make a model attend only within each text of a pack; return the first token's position id."""
    from transformers import AttentionInterface

    AttentionInterface.register("each text by itself", _attend_within_texts)
    model.set_attn_implementation("each text by itself")
    return first_position_id(model.config)


def _attend_within_texts(
    _: Any, query: Any, key: Any, value: Any, __: Any, **options: Any
) -> tuple[Any, None]:
    """Compute the attention for tensors of shape (1, heads, tokens, size), each text by itself.

    The parameters are those that transformers passes to an attention function.
    """
    import torch

    result, begin = torch.zeros_like(query), 0
    for length in options["lengths"]:
        span = slice(begin, begin + length)
        result[:, :, span] = torch.nn.functional.scaled_dot_product_attention(
            query[:, :, span], key[:, :, span], value[:, :, span], scale=options["scaling"]
        )
        begin += length
    return result.transpose(1, 2), None


def _use_bfloat16(model: Any) -> None:
    """Make all linear layers of a model multiply in bfloat16, with float32 inputs and outputs."""
    import torch

    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.weight.data = module.weight.data.bfloat16()
            module.forward = functools.partial(_multiply_in_bfloat16, module)


def _multiply_in_bfloat16(module: Any, rows: Any) -> Any:
    import torch

    product = torch.nn.functional.linear(rows.bfloat16(), module.weight).float()
    return product if module.bias is None else product.add_(module.bias)


@functools.cache
def thread_pool(threads: int) -> ThreadPoolExecutor:
    """Return the thread pool for encoding, shared by all comparisons in this process."""
    return ThreadPoolExecutor(threads, initializer=_use_one_thread)


def _use_one_thread() -> None:
    import torch

    torch.set_num_threads(1)
