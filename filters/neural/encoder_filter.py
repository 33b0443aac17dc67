"""The base class of filters that use an encoder: its settings, files and loading."""

from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.hub.device import Device
from bitext_pivot.filters.base import ModelFilter, Runtime
from bitext_pivot.filters.neural.encoder import Encoder, load_encoder
from bitext_pivot.filters.neural.encoder_check import weakness_warning
from bitext_pivot.filters.neural.encoder_checkpoint import EncoderCheckpoint, fetch_checkpoint
from bitext_pivot.filters.neural.precision import Precision, fastest_precision

ENCODERS: dict[str, dict[str, Any]] = read_toml(Path(__file__).with_name("encoders.toml"))
"""Default layer and thresholds of each known encoder."""


class EncoderFilter(ModelFilter):
    """A filter that compares texts by the token vectors of an encoder."""

    model: str = Field(default="all-MiniLM-L6-v2", title="Encoder", min_length=1)
    """Encoder: all-MiniLM-L6-v2 (an installed package), the name of a model on the Hugging Face hub, or a folder."""
    revision: str | None = Field(default=None, title="Revision of the encoder", min_length=1)
    """Branch, tag or commit of a model on the hub. If it is empty, the newest commit is used."""
    layer: int | None = Field(default=None, ge=1, le=100)
    """Layer of the encoder whose vectors are compared. If it is empty, the encoder's default layer is used."""

    @model_validator(mode="after")
    def _check_layer(self) -> Self:
        """Raise ValueError if the layer is missing and the encoder has no default layer."""
        if self.layer is None and "layer" not in self._defaults:
            raise ValueError(
                f"There is no default layer for the encoder {self.model!r}. Set `layer`, or choose one of "
                f"{', '.join(ENCODERS)}."
            )
        return self

    @property
    def compared_layer(self) -> int:
        """The number of the layer whose vectors are compared, counted from 1."""
        return self.layer or int(self._defaults["layer"])

    @property
    def _defaults(self) -> dict[str, Any]:
        """The default layer and thresholds of the encoder in encoders.toml; empty for other encoders."""
        return ENCODERS.get(self.model, {})

    @property
    def _uses_default_layer(self) -> bool:
        return self.layer in {None, self._defaults.get("layer")}

    def precision(self, device: Device) -> Precision:
        """Return the number format in which the encoder multiplies matrices on a device."""
        return "float16" if device == "cuda" else fastest_precision()

    def checkpoint(self) -> EncoderCheckpoint:
        """Find the files of the encoder, and download them if necessary.

        Raises SettingsError and SourceError, like `fetch_checkpoint`.
        """
        return fetch_checkpoint(
            self.model, self.compared_layer, revision=self.revision, setting=self.setting
        )

    def encoder(self, runtime: Runtime) -> Encoder:
        """Return the encoder, loaded and tested once per process.

        Raises SettingsError if it fails the test.
        """
        return load_encoder(self.checkpoint(), self.precision(runtime.device), runtime.device)

    def load(self, language: str, runtime: Runtime) -> str:
        """Load the encoder. Return a warning if it is weak in the language, otherwise "".

        Raises the same errors as `encoder`.
        """
        return weakness_warning(self.encoder(runtime).similarity, self.checkpoint(), language)
