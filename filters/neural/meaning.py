"""Each half by itself must mean a part of `long`: BERTScore's precision of the half against `long`.

No filter of the paper. Its BERTScore compares both halves together, and one good half covers for another that belongs
to another sentence: 34 to 45 % of such pairs reach its threshold. Alone, the stranger has nothing in `long` to match.
There is no length penalty and no recall: a half says less than `long`, and should.
"""

import json
from collections.abc import Sequence
from typing import ClassVar, Self

from pydantic import Field, model_validator

from filters.neural.encoded import Encoded, pair_key
from filters.neural.encoder import library
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site
from pairs.store import RowStore

_DIGITS = 6


class Meaning(Encoded):
    """Compares each half with `long`, token by token, in the vectors of an encoder; the poorer half counts."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"min_precision"})

    min_precision: float | None = Field(
        default=None,
        title="Least precision",
        ge=-1,
        le=1,
        description="BERTScore's precision that each half must reach. Empty: the model's own, where it was measured.",
    )

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        """Refuse a model of which the threshold would be a guess; raises SettingsError."""
        if self.min_precision is None and not (self._layer_is_usual and "min_half" in self._known):
            raise SettingsError(
                f"No precision is known that a half should reach with the encoder {self.model!r} and this layer. "
                "Give `min_precision`, or choose the preset `paper`, which does not ask for it."
            )
        return self

    def accepts(self, score: float) -> bool:
        """Accept from the threshold on."""
        return score >= (float(self._known["min_half"]) if self.min_precision is None else self.min_precision)

    def parts(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return score, `first` and `second`: the precision of each half, rounded to six decimals.

        Raises SettingsError when the model cannot be had.
        """
        keys = [pair_key(pair) for pair in pairs]
        known = RowStore(Site().store_folder, self.signature()).numbers(keys, self._compare, self.at_once)
        halves = (known[key] for key in keys)
        return [{"score": min(first, second), "first": first, "second": second} for first, second in halves]

    def _compare(self, keys: Sequence[str]) -> list[list[float]]:
        """Return the precision of both halves for each key."""
        texts = [json.loads(key) for key in keys]
        sides = [(half, long) for long, first, second in texts for half in (first, second)]
        found = self.encoder().compare(sides, Site().encoding)
        return [[round(half.precision, _DIGITS) for half in found[n : n + 2]] for n in range(0, len(found), 2)]

    def signature(self) -> str:
        """Tell the model by its digest, the layer and what computes; raises SettingsError without the model."""
        found = self.checkpoint()
        return f"meaning {found.name} {found.digest} layer={found.layer} float32 {library(self.device)}"
