"""Each half by itself must mean a part of `long`: BERTScore's precision of the half against `long`.

No filter of the paper. Its BERTScore compares both halves together, and one good half covers for another that belongs
to another sentence: 34 to 45 % of such pairs reach its threshold. Alone, the stranger has nothing in `long` to match.
There is no length penalty and no recall: a half says less than `long`, and should.
"""

import json
from collections.abc import Sequence
from typing import ClassVar, Self

from pydantic import Field, model_validator

from filters.base import Filter
from filters.bertscore import encoders
from filters.checkpoint import checkpoint
from filters.encoder import encoder, library
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site
from pairs.store import RowStore

_AT_ONCE = 256  # pairs stored together: what a kill may cost
_DIGITS = 6


class Meaning(Filter):
    """Compares each half with `long`, token by token, in the vectors of an encoder; the poorer half counts."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"min_precision"})
    dear: ClassVar = True

    model: str = Field(
        default="all-MiniLM-L6-v2",
        title="Encoder",
        min_length=1,
        description="all-MiniLM-L6-v2 (from its package), a name on the Hugging Face hub, or a folder.",
    )
    layer: int | None = Field(
        default=None, title="Layer", ge=1, le=100, description="Layer whose vectors are compared. Empty: the usual one."
    )
    min_precision: float | None = Field(
        default=None,
        title="Least precision",
        ge=-1,
        le=1,
        description="BERTScore's precision that each half must reach. Empty: the model's own, where it was measured.",
    )

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        """Refuse a model of which layer or threshold would be a guess; raises SettingsError."""
        known = encoders().get(self.model, {})
        if self.layer is None and "layer" not in known:
            raise SettingsError(
                f"There is no default layer for the encoder {self.model!r}. Give `layer`, or choose one of "
                f"{', '.join(encoders())}."
            )
        if self.min_precision is None and not (self.layer in {None, known.get("layer")} and "min_half" in known):
            raise SettingsError(
                f"No precision is known that a half should reach with the encoder {self.model!r} and this layer. "
                "Give `min_precision`, or choose the preset `paper`, which does not ask for it."
            )
        return self

    def accepts(self, score: float) -> bool:
        """Accept from the threshold on."""
        known = encoders().get(self.model, {})
        return score >= (float(known["min_half"]) if self.min_precision is None else self.min_precision)

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the precision of the poorer half, from -1 to 1."""
        return [parts["score"] for parts in self.parts(pairs)]

    def parts(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return score, `first` and `second`: the precision of each half, rounded to six decimals.

        Raises SettingsError when the model cannot be had.
        """
        keys = [json.dumps([pair.pair.long, *pair.pair.split]) for pair in pairs]
        known = self._compared(list(dict.fromkeys(keys)))
        halves = (known[key] for key in keys)
        return [{"score": min(first, second), "first": first, "second": second} for first, second in halves]

    def _compared(self, keys: Sequence[str]) -> dict[str, list[float]]:
        """Return both precisions for each key, from the store where they are there, and store the others."""
        site = Site()
        store = RowStore(site.store_folder, self.signature())
        rows = store.get(keys)
        missing = [key for key in keys if key not in rows]
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            new = dict(zip(some, map(json.dumps, self._compare(some, site.threads)), strict=True))
            store.put(new)
            rows.update(new)
        return {key: json.loads(row) for key, row in rows.items()}

    def _compare(self, keys: Sequence[str], threads: int) -> list[list[float]]:
        texts = [json.loads(key) for key in keys]
        sides = [(half, long) for long, first, second in texts for half in (first, second)]
        found = encoder(checkpoint(self.model, self._layer), "float32").compare(sides, threads)
        return [[round(half.precision, _DIGITS) for half in found[n : n + 2]] for n in range(0, len(found), 2)]

    @property
    def _layer(self) -> int:
        return self.layer or int(encoders()[self.model]["layer"])

    def signature(self) -> str:
        """Tell the model by its digest, the layer and what computes; raises SettingsError without the model."""
        found = checkpoint(self.model, self._layer)
        return f"meaning {found.name} {found.digest} layer={found.layer} float32 {library()}"
