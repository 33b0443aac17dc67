"""Settings of translation, and loading of the engine that they name."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from bitext_pivot.core.data import read_toml
from bitext_pivot.core.endpoint_server import Server, required
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Choice, Device
from bitext_pivot.core.settings import Settings
from bitext_pivot.translation.apertium import Apertium
from bitext_pivot.translation.checkpoint import Checkpoint, open_checkpoint
from bitext_pivot.translation.directions import (
    check_direction,
    default_model,
    target_token,
    three_letters,
)
from bitext_pivot.translation.engine import Deferred, Echo, Engine
from bitext_pivot.translation.engine_check import check_engine, check_outputs, sentences
from bitext_pivot.translation.pieces import LIBRARIES, Limits, Pieces, Written


class Advanced(Settings):
    """Settings of the MarianMT engine whose defaults suit most builds."""

    prefix: str | None = Field(default=None, title="Target token", pattern=r"^(>>[^<>\s]+<<)?$")
    """Target token of a model with several target languages, such as >>por<<. Empty: taken from the model's
    vocabulary if it needs one."""
    beam_size: int = Field(default=4, ge=1, le=16)
    """Marian: hypotheses in the search; 1 is greedy search."""
    quantization: Literal["auto", "int8", "int8_float16", "float16", "float32"] = "auto"
    """Number format of the engine marian. auto: int8 on a CPU, float16 on a GPU. int8_float16 and
    float16 need a GPU. On a CPU only int8 runs in batches; float32 translates one text at a time,
    which is slower."""
    pieces: Written = Field(default="target", title="Pieces that are written")
    """Engine marian: target leaves out the pieces of a joint vocabulary that only the source language
    has. With OPUS-MT's vocabularies it is 1.4 times as fast, at the same quality
    (docs/scaling.md). all: the model can write every piece."""
    max_tokens: int = Field(default=400, title="Longest text", ge=8, le=2000)
    """Marian: maximum length of a text in SentencePiece pieces. Longer texts are not translated, and
    counted."""
    max_ratio: float = Field(default=3.0, title="Longest translation", ge=1.0, le=10.0)
    """Marian: maximum length of a translation, in pieces per piece of its text, plus ten. Longer ones are
    endless repetitions as a rule; they are not used, and counted."""
    punctuation: Literal["moses", "kept"] = "moses"
    """Marian: moses normalises the source's quotes, dashes and spaces with Moses, as in the training of
    OPUS-MT models; kept leaves them to the model's SentencePiece."""
    probabilities: bool = True
    """Endpoint: ask for the probabilities of tokens, for the filter `confidence`. Switch it off for a server
    that refuses `logprobs`."""


class Translation(Settings):
    """Translation of the foreign side into the language of the pairs."""

    engine: Literal["marian", "apertium", "endpoint", "echo"] = "marian"
    """marian: MarianMT through CTranslate2. apertium: rule-based, without weights. endpoint: a model behind
    a server of OpenAI's protocol, whose address is BITEXT_PIVOT_ENDPOINT. echo: returns its input."""
    model: str | None = Field(default=None, min_length=1)
    """Marian: a hub name or a folder in Hugging Face's layout. Apertium: a mode such as spa-eng. Endpoint:
    the model's name on the server. Empty: the default of the direction, from translation/models.toml."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a hub model; empty: its newest."""
    advanced: Advanced = Advanced()
    """Marian: target token, search, quantization and limits."""

    @field_validator("engine", mode="before")
    @classmethod
    def _is_not_removed(cls, engine: object) -> object:
        """Raise ValueError for a removed engine, which cards of earlier versions name."""
        if engine == "marian-transformers":
            raise ValueError(
                "The engine 'marian-transformers' was removed. Write 'marian', and for the same model "
                "and search without rounding translation.advanced.quantization 'float32'."
            )
        return engine

    @model_validator(mode="after")
    def _names_its_model(self) -> Self:
        """Raise ValueError for an endpoint without a model."""
        if self.engine == "endpoint" and self.model is None:
            raise ValueError(
                "translation.engine is endpoint, and translation.model is empty. Name the server's model."
            )
        return self

    @property
    def has_model(self) -> bool:
        """True if the engine reads a model in Hugging Face's layout."""
        return self.engine == "marian"


def load(  # noqa: PLR0913 -- where it runs, by keyword
    settings: Translation,
    pivot: str,
    language: str,
    *,
    models_folder: Path,
    threads: int = 1,
    device: Choice = "cpu",
    server: Server | None = None,
) -> Engine:
    """Return the engine of `prepare`, loaded.

    Raises what `prepare` raises; SettingsError for a model that fails its self-check (`translation/engine_check.py`),
    SourceError for one that is damaged.
    """
    deferred = prepare(
        settings,
        pivot,
        language,
        models_folder=models_folder,
        threads=threads,
        device=device,
        server=server,
    )
    return deferred.loaded()


def prepare(  # noqa: PLR0913 -- where it runs, by keyword
    settings: Translation,
    pivot: str,
    language: str,
    *,
    models_folder: Path,
    threads: int = 1,
    device: Choice = "cpu",
    server: Server | None = None,
) -> Deferred:
    """Return the engine that translates `pivot` into `language`, to be loaded when it translates.

    The files of its model are downloaded and their digest is in the signature. Converted models are kept in
    `models_folder`; `server` is that of the engine `endpoint`. Where there is a GPU, the model is tried on it now.

    Raises:
        SettingsError: a direction without a model, an engine that is not installed, a folder that is not a Marian
            checkpoint, a model for another pair, `cuda` if that does not work.
        SourceError: a model cannot be downloaded.
    """
    if settings.engine == "echo":
        return Deferred(Echo.signature, Echo)
    if settings.engine == "apertium":
        apertium = Apertium(settings.model or f"{three_letters(pivot)}-{three_letters(language)}")
        return Deferred(apertium.signature, lambda: apertium)
    if settings.engine == "endpoint":
        return _endpoint(settings, pivot, language, server)
    checkpoint = open_checkpoint(
        settings.model or default_model(pivot, language), revision=settings.revision
    )
    check_direction(checkpoint, pivot, language)
    model = _Model(
        settings=settings,
        checkpoint=checkpoint,
        direction=(pivot, language),
        limits=_limits(settings, checkpoint),
        prefix=target_token(checkpoint, language, settings.advanced.prefix),
    )
    return model.marian(models_folder, threads, device)


@dataclass(frozen=True, kw_only=True)
class _Model:
    """A checkpoint of Marian for a direction, before it is loaded."""

    settings: Translation
    checkpoint: Checkpoint
    direction: tuple[str, str]
    limits: Limits
    prefix: str

    @cached_property
    def pieces(self) -> Pieces:
        """What divides texts into pieces. Raises SourceError for a damaged file."""
        punctuation = self.settings.advanced.punctuation
        return Pieces(
            self.checkpoint.folder,
            prefix=self.prefix,
            punctuation=punctuation,
            language=self.direction[0],
        )

    def marian(self, models_folder: Path, threads: int, choice: Choice) -> Deferred:
        """Return the engine that runs in CTranslate2, on a GPU if it translates there."""
        from bitext_pivot.translation import (
            conversion,
            kernels,
            marian,
        )  # CTranslate2 is slow to import

        checkpoint, advanced = self.checkpoint, self.settings.advanced

        def computed(device: Device) -> marian.Compute:
            quantization: str = advanced.quantization
            if quantization == "auto":
                quantization = _FASTEST[device]
            return marian.Compute(quantization=quantization, device=device, threads=threads)

        def signature(compute: marian.Compute) -> str:
            direction, quantization = "-".join(self.direction), compute.quantization
            weights = conversion.weights_name(checkpoint.folder, quantization, advanced.pieces)
            return (
                f"marian {checkpoint.name}@{checkpoint.digest} direction={direction} "
                f"prefix={self.prefix} compute={quantization} beam={advanced.beam_size} "
                f"max_tokens={advanced.max_tokens} max_ratio={advanced.max_ratio} "
                f"punctuation={advanced.punctuation} {LIBRARIES} weights={weights} "
                f"ctranslate2={kernels.VERSION} kernels={compute.kernels}"
            )

        def load(device: Device) -> Engine:
            checkpoint.refuse_changed()
            compute = computed(device)
            folder = conversion.convert(
                checkpoint, models_folder, compute.quantization, advanced.pieces
            )
            return marian.Marian(
                folder, self.pieces, self.limits, compute, signature=signature(compute)
            )

        def checked() -> Engine:
            engine, limit = load(device), self.limits.max_tokens
            check_engine(engine, checkpoint, self.pieces, self.direction, limit=limit)
            return engine

        device = kernels.select_device(choice, lambda: load("cuda").translate(["1"]))
        return Deferred(signature(computed(device)), checked, kernels.gpus(device))


def _endpoint(settings: Translation, pivot: str, language: str, server: Server | None) -> Deferred:
    """Return the engine of a server; loading it tries a few sentences. Raises SettingsError without a server."""
    model = f"The model {settings.model!r} behind BITEXT_PIVOT_ENDPOINT"
    from bitext_pivot.translation.endpoint import Endpoint  # httpx is slow to import

    advanced = settings.advanced
    options: dict[str, object] = {"max_tokens": round(advanced.max_tokens * advanced.max_ratio)}
    if advanced.probabilities:
        options["logprobs"] = True
    server = required(server, "translation.engine is endpoint")
    engine = Endpoint(server, settings.model or "", pivot, language, options)
    advice = "Name another model with translation.model."

    def checked() -> Engine:
        check_outputs(engine, sentences(pivot), model, (pivot, language), advice=advice)
        return engine

    return Deferred(engine.signature, checked)


_FASTEST: Mapping[Device, str] = {"cpu": "int8", "cuda": "float16"}
"""Number format that translates fastest (docs/scaling.md).

On an H200 float16 is a tenth faster than int8_float16, and its outputs are nearer to those of float32.
"""
GOOD_CONFIDENCE = 0.79
"""Median confidence of 38 translations by the quickstart's model that a reader called good; of 62 spoilt ones 0.55."""


def min_confidence(signature: str) -> float | None:
    """Return the minimum confidence measured for the model of an engine's signature; None for other models."""
    measured: dict[str, float] = read_toml(Path(__file__).with_suffix(".toml"))["min_confidence"]
    return next(
        (minimum for digest, minimum in measured.items() if f"@{digest} " in signature), None
    )


def _limits(settings: Translation, checkpoint: Checkpoint) -> Limits:
    if settings.advanced.max_tokens > checkpoint.positions:
        raise SettingsError(
            f"translation.advanced.max_tokens is {settings.advanced.max_tokens}, and {checkpoint.name!r} knows "
            f"{checkpoint.positions} positions. Set it to {checkpoint.positions} or less."
        )
    return Limits(
        beam_size=settings.advanced.beam_size,
        max_tokens=settings.advanced.max_tokens,
        max_ratio=settings.advanced.max_ratio,
        positions=checkpoint.positions,
    )
