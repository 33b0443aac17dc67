"""Settings of translation, and loading of the engine that they name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from pydantic import (
    BaseModel,
    Field,
    NonNegativeInt,
    TypeAdapter,
    field_validator,
    model_validator,
)

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.endpoint_server import Server, required
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device, DeviceChoice
from bitext_pivot.core.outside import Loaded, OutsideKind, checked, explained
from bitext_pivot.core.settings import Settings
from bitext_pivot.translation.checkpoint import Checkpoint, open_checkpoint
from bitext_pivot.translation.directions import (
    check_direction,
    default_model,
    target_token,
)
from bitext_pivot.translation.engine import Deferred, Echo, Engine, TranslatedText
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

    engine: str = Field(
        default="marian", json_schema_extra=lambda schema: schema.update(_choices())
    )
    """marian: MarianMT through CTranslate2. endpoint: a model behind a server of OpenAI's protocol, whose
    address is BITEXT_PIVOT_ENDPOINT. echo: returns its input. Or one of your own: the name of one in an
    installed package, or a class in a file, `my_engine.py:Apertium`. Its code is loaded if you name it on
    the command line or in BITEXT_PIVOT_ENGINES."""
    model: str | None = Field(default=None, min_length=1)
    """Marian: a hub name or a folder in Hugging Face's layout. Endpoint: the model's name on the server.
    Empty: the default of the direction, from translation/models.toml."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a hub model; empty: its newest."""
    advanced: Advanced = Advanced()
    """Marian: target token, search, quantization and limits."""

    @field_validator("engine")
    @classmethod
    def _is_here(cls, engine: str) -> str:
        """Load an engine from outside. Raises ValueError for what cannot be loaded, or may not."""
        try:
            if engine not in _ENGINES:
                _load_outside(engine)
        except ValueError as error:
            known = ", ".join(_ENGINES)
            raise ValueError(f"expected {known}, or an engine from outside: {error}") from error
        return engine

    @model_validator(mode="after")
    def _names_its_model(self) -> Self:
        """Raise ValueError for a server without a model."""
        if model_kind(self.engine) == "served" and self.model is None:
            raise ValueError(
                f"translation.engine is {self.engine}, and translation.model is empty. "
                "Name the server's model."
            )
        return self

    @property
    def has_model(self) -> bool:
        """True if the engine reads a model in Hugging Face's layout."""
        return model_kind(self.engine) == "checkpoint"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What an engine is wanted for, and where it runs."""

    settings: Translation
    pivot: str
    """Language of the texts."""
    language: str
    """Language of their translations."""
    models_folder: Path
    """Where converted models are kept."""
    threads: int = 1
    device: DeviceChoice = "cpu"
    server: Server | None = None
    """That of the engine `endpoint`."""


def load(settings: Translation, pivot: str, language: str, **place: Any) -> Engine:
    """Return the engine of `prepare`, loaded.

    Raises what `prepare` raises, and SourceError for a model that is damaged.
    """
    return prepare(settings, pivot, language, **place).loaded()


def prepare(settings: Translation, pivot: str, language: str, **place: Any) -> Deferred:
    """Return the engine that translates `pivot` into `language`, to be loaded when it translates.

    `place` are the further fields of `Wanted`. The files of its model are downloaded and their digest is in
    the signature. Where there is a GPU, the model is tried on it now.

    Raises:
        SettingsError: a direction without a model, an engine that is not installed, a folder that is not a Marian
            checkpoint, a model for another pair, `cuda` if that does not work, code from outside that raises.
        SourceError: a model cannot be downloaded.
    """
    wanted = Wanted(settings=settings, pivot=pivot, language=language, **place)
    if settings.engine in _ENGINES:
        return _ENGINES[settings.engine].make(wanted)
    return _outside(wanted)


def _echo(wanted: Wanted) -> Deferred:
    return Deferred(Echo.signature, Echo)


def _marian(wanted: Wanted) -> Deferred:
    settings, pivot, language = wanted.settings, wanted.pivot, wanted.language
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
    return model.marian(wanted.models_folder, wanted.threads, wanted.device)


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

    def marian(self, models_folder: Path, threads: int, choice: DeviceChoice) -> Deferred:
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

        device = kernels.select_device(choice, lambda: load("cuda").translate(["1"]))
        return Deferred(signature(computed(device)), lambda: load(device), kernels.gpus(device))


def _endpoint(wanted: Wanted) -> Deferred:
    """Return the engine of a server. Raises SettingsError without a server."""
    settings, pivot, language = wanted.settings, wanted.pivot, wanted.language
    server = required(wanted.server, "translation.engine is endpoint")
    from bitext_pivot.translation.endpoint import Endpoint  # openai is slow to import

    advanced = settings.advanced
    options: dict[str, object] = {"max_tokens": round(advanced.max_tokens * advanced.max_ratio)}
    if advanced.probabilities:
        options["logprobs"] = True
    engine = Endpoint(server, settings.model or "", pivot, language, options)
    return Deferred(engine.signature, lambda: engine)


class _Offered(NamedTuple):
    """An engine of this package."""

    make: Callable[[Wanted], Deferred]
    model: Literal["", "checkpoint", "served"] = ""


_ENGINES: Mapping[str, _Offered] = {
    "marian": _Offered(_marian, "checkpoint"),
    "endpoint": _Offered(_endpoint, "served"),
    "echo": _Offered(_echo),
}
OUTSIDE = OutsideKind("engines", "--translation.engine", "my_engine.py:Apertium")


def model_kind(engine: str) -> Literal["", "checkpoint", "served"]:
    """Return what `translation.model` names for an engine; loads no code.

    A checkpoint in Hugging Face's layout, a model of a server that translates from all languages, or "": a
    mode of one direction, or what an engine from outside makes of it.
    """
    if engine not in _ENGINES:
        return ""
    return _ENGINES[engine].model


def _choices() -> dict[str, Any]:
    """Return what the form of the Prefect UI offers: the engines here, and those that the user named."""
    return {"enum": [*dict.fromkeys([*_ENGINES, *OUTSIDE.allowed()])]}


def _load_outside(name: str) -> Loaded:
    """Return the class of an engine from outside. Raises ValueError."""
    loaded = OUTSIDE.load(name)
    if not callable(getattr(loaded.found, "translate", None)):
        raise ValueError(
            f"{name} is no engine: expected a class with the method translate, as in docs/engines.md."
        )
    return loaded


def _outside(wanted: Wanted) -> Deferred:
    """Return an engine from outside; its signature begins with its name and where its code comes from."""
    name, model = wanted.settings.engine.rpartition(":")[2], wanted.settings.model or ""
    found, origin = _load_outside(wanted.settings.engine)
    with explained(f"engine {name}", origin):
        engine = found(wanted)
        facts = checked(_facts, engine, "the class")
    direction = f"{wanted.pivot}-{wanted.language}"
    own = f"{name} {origin} direction={direction} model={model} {facts.signature}".strip()
    return Deferred(own, lambda: _Outside(engine, name, origin, own, facts.gpus), facts.gpus)


class _Facts(BaseModel):
    """What an engine from outside may say of itself."""

    signature: str = ""
    gpus: NonNegativeInt = 0


class _Output(BaseModel):
    """A `TranslatedText` from outside."""

    text: str = Field(pattern=r"^[^\x00]*$")
    confidence: float | None = Field(ge=0, le=1)


_facts = partial(_Facts.model_validate, from_attributes=True)
_outputs = partial(TypeAdapter(list[_Output]).validate_python, from_attributes=True)


@dataclass(frozen=True)
class _Outside:
    """An engine from outside, whose exceptions become a line."""

    engine: Any
    name: str
    origin: str
    signature: str
    gpus: int

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return what the engine returns. Raises SettingsError for what its code raises."""
        with explained(f"engine {self.name}", self.origin):
            outputs = checked(_outputs, [*self.engine.translate(texts)], "translate")
            if len(outputs) != len(texts):
                found = f"translate returned {len(outputs)} outputs for {len(texts)} texts"
                raise ValueError(f"{found}, expected one for each")
        return [TranslatedText(**dict(output)) for output in outputs]


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
