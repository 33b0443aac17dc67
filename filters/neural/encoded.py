"""What the filters share that compare texts in the vectors of an encoder: which encoder, which layer, and a store."""

import functools
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from filters.base import Filter
from filters.neural.checkpoint import Checkpoint, checkpoint
from filters.neural.encoder import Encoder, Precision, encoder
from filters.neural.probe import doubt
from pairs.device import Device, torch_device
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site

_AT_ONCE: dict[Device, int] = {"cpu": 256, "cuda": 1024}


class Encoded(Filter):
    """A filter with an encoder; its settings begin with the encoder and the layer."""

    is_model_based: ClassVar = True

    model: str = Field(
        default="all-MiniLM-L6-v2",
        title="Encoder",
        min_length=1,
        description="all-MiniLM-L6-v2 (from its package), a name on the Hugging Face hub, or a folder.",
    )
    revision: str | None = Field(
        default=None,
        title="Revision of the encoder",
        min_length=1,
        description="Branch, tag or commit of a hub model; empty: its newest.",
    )
    layer: int | None = Field(
        default=None, title="Layer", ge=1, le=100, description="Layer whose vectors are compared. Empty: the usual one."
    )

    @model_validator(mode="after")
    def _layer_is_known(self) -> Self:
        """Refuse a model of which the layer would be a guess; raises SettingsError."""
        if self.layer is None and "layer" not in self._known:
            raise SettingsError(
                f"There is no default layer for the encoder {self.model!r}. Give `layer`, or choose one of "
                f"{', '.join(encoders())}."
            )
        return self

    @property
    def compared_layer(self) -> int:
        """The layer whose vectors are compared, counted from 1."""
        return self.layer or int(self._known["layer"])

    @property
    def _known(self) -> dict[str, Any]:
        """The encoder's entry in encoders.toml, empty when it has none."""
        return encoders().get(self.model, {})

    @property
    def _layer_is_usual(self) -> bool:
        return self.layer in {None, self._known.get("layer")}

    @property
    def precision(self) -> Precision:
        """What the encoder's products are computed in on this machine."""
        return "float32"

    @property
    def device(self) -> Device:
        """Where the encoder runs. Raises SettingsError if a GPU is requested and does not work."""
        return torch_device(Site().device)

    @property
    def at_once(self) -> int:
        """How many pairs are compared and stored together, which is what a kill may cost."""
        return _AT_ONCE[self.device]

    def checkpoint(self) -> Checkpoint:
        """Return the encoder's files, downloaded unless they are here. Raises SettingsError and SourceError."""
        return checkpoint(self.model, self.compared_layer, revision=self.revision, setting=self._setting)

    def encoder(self) -> Encoder:
        """Return the encoder, loaded once and checked. Raises SettingsError for one that cannot work."""
        return encoder(self.checkpoint(), self.precision, self.device)

    def load(self, language: str) -> str:
        """Load the encoder; return a warning if it is weak in a language, or "". Raises as `encoder` does."""
        return doubt(self.encoder(), self.checkpoint(), language)

    def measuring(self) -> dict[str, Any]:
        """Return the settings that change scores: not the revision, because the signature has the weights' digest."""
        return {name: value for name, value in super().measuring().items() if name != "revision"}

    @property
    def _setting(self) -> str:
        return f"sieve.advanced.{type(self).__name__.lower()}.model"

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return one number a pair, from -1 to 1."""
        return [parts["score"] for parts in self.parts(pairs)]


@functools.cache
def encoders() -> dict[str, dict[str, Any]]:
    """Return encoders.toml: layer and threshold of each known encoder."""
    return tomllib.loads(Path(__file__).with_name("encoders.toml").read_text(encoding="utf-8"))


def pair_key(pair: ParsedPair) -> str:
    """Return the text under which a pair's numbers are stored: its three sentences as a JSON array."""
    return json.dumps([pair.pair.long, *pair.pair.split])
