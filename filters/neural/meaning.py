"""Halves that mean something else than `long`: BERTScore's precision of each half against `long`.

Not a filter of the paper. The paper's BERTScore compares both halves together, and one good half compensates for one
that belongs to another sentence: 34 to 45 % of such pairs reach its threshold. There is no length penalty and no
recall, because a half should say less than `long`.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Self

from pydantic import Field, model_validator

from filters.base import Runtime
from filters.neural.encoded import AT_ONCE, Encoded, pair_key
from filters.neural.encoder import library
from pairs.errors import SettingsError
from pairs.records import ParsedPair

_DIGITS = 6


class Meaning(Encoded):
    """BERTScore's precision of a half against `long`; the half with the lower precision counts."""

    PARTS: ClassVar = ("first", "second")
    preset: ClassVar = "strict"

    min_precision: float | None = Field(default=None, title="Minimum precision", ge=-1, le=1)
    """Minimum precision of each half. Empty: the threshold measured for the encoder."""

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        """Raise SettingsError for an encoder without a measured threshold."""
        if self.min_precision is None and not (self._layer_is_usual and "min_half" in self._known):
            raise SettingsError(
                f"No minimum precision of a half is known for the encoder {self.model!r} with this layer. "
                "Give `min_precision`, or choose the preset `paper`, which does not need it."
            )
        return self

    def accepts(self, score: float) -> bool:
        """Return True from the threshold on."""
        return score >= (float(self._known["min_half"]) if self.min_precision is None else self.min_precision)

    def parts(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[dict[str, float]]:
        """Return score, `first` and `second`: the precision of each half, rounded to six decimals.

        Raises SettingsError if the model cannot be loaded.
        """
        keys = [pair_key(pair) for pair in pairs]
        store = runtime.store(self.signature(runtime))
        rows = store.numbers(keys, partial(self._compare, runtime=runtime), AT_ONCE[runtime.device])
        return [{"score": min(rows[key]), "first": rows[key][0], "second": rows[key][1]} for key in keys]

    def _compare(self, keys: Sequence[str], runtime: Runtime) -> list[list[float]]:
        """Return the precision of both halves for each key."""
        sides = [(half, long) for long, *halves in map(json.loads, keys) for half in halves]
        results = self.encoder(runtime).compare(sides, runtime.threads)
        rounded = [round(result.precision, _DIGITS) for result in results]
        return [rounded[n : n + 2] for n in range(0, len(rounded), 2)]

    def signature(self, runtime: Runtime) -> str:
        """Return model, digest, layer and library. Raises SettingsError without the model."""
        found = self.checkpoint()
        return f"meaning {found.name} {found.digest} layer={found.layer} float32 {library(runtime.device)}"
