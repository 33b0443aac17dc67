"""Settings of the translation, and functions that load the selected engine."""

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
from bitext_pivot.core.endpoint_server import EndpointServer, require_server
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device, DeviceChoice
from bitext_pivot.core.outside import Loaded, OutsideKind, checked, explained
from bitext_pivot.core.settings import Settings
from bitext_pivot.translation.checkpoint import Checkpoint, open_checkpoint
from bitext_pivot.translation.directions import (
    check_direction,
    default_opus_model,
    find_target_token,
)
from bitext_pivot.translation.engine import EchoEngine, Engine, LazyEngine, TranslatedText
from bitext_pivot.translation.pieces import (
    LIBRARIES,
    OutputVocabulary,
    PieceTokenizer,
    SearchLimits,
)


class Advanced(Settings):
    """Settings of the translation engines whose defaults suit most builds."""

    prefix: str | None = Field(default=None, title="Target token", pattern=r"^(>>[^<>\s]+<<)?$")
    """Marian: token that selects the target language of a model with several target languages, such as >>por<<. If
    it is empty, the token is found in the model's vocabulary."""
    beam_size: int = Field(default=4, ge=1, le=16)
    """Marian: number of hypotheses in the beam search; 1 is greedy search."""
    quantization: Literal["auto", "int8", "int8_float16", "float16", "float32"] = "auto"
    """Marian: number format of the weights. `auto` is int8 on a CPU and float16 on a GPU. `int8_float16` and
    `float16` need a GPU. On a CPU, only `int8` runs in batches; `float32` translates one text at a time, which is
    slower."""
    pieces: OutputVocabulary = Field(default="target", title="Pieces that are written")
    """Marian: which pieces of its vocabulary the model can write. `target` omits the pieces that only the source
    language uses, which makes OPUS-MT models 1.4 times as fast at the same quality (docs/scaling.md). `all` omits
    no pieces."""
    max_tokens: int = Field(default=400, title="Longest text", ge=8, le=2000)
    """Marian: maximum length of a text, in pieces of the model's vocabulary. Longer texts are counted but not
    translated."""
    max_ratio: float = Field(default=3.0, title="Longest translation", ge=1.0, le=10.0)
    """Marian: maximum length of a translation, in pieces per piece of the text, plus ten pieces. Longer
    translations are usually endless repetitions, and are counted but not used."""
    punctuation: Literal["moses", "kept"] = "moses"
    """Marian: `moses` normalises quotes, dashes and spaces in the source text with the rules of Moses, as in the
    training of OPUS-MT models. `kept` leaves the text unchanged."""
    probabilities: bool = True
    """Endpoint: request the probabilities of tokens, which the filter `confidence` needs. Switch this off if the
    server does not accept `logprobs`."""


class Translation(Settings):
    """Machine translation of the pivot side of a bitext into the language of the pairs."""

    engine: str = Field(
        default="marian", json_schema_extra=lambda schema: schema.update(_list_choices())
    )
    """`marian`: a MarianMT model, run by CTranslate2. `endpoint`: a model on a server with OpenAI's protocol, at
    the address in BITEXT_PIVOT_ENDPOINT. `echo`: returns the text untranslated, for tests. Or a custom engine: its
    name in an installed package, or a class in a file, such as `my_engine.py:Apertium`. Its code is loaded only if
    you name it on the command line or in BITEXT_PIVOT_ENGINES."""
    model: str | None = Field(default=None, min_length=1)
    """Marian: a name on the Hugging Face hub, or a folder with the files of such a model. Endpoint: the model's
    name on the server. If it is empty, the engine `marian` uses the OPUS-MT model for the two languages."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a model on the hub. If it is empty, the newest commit is used."""
    advanced: Advanced = Advanced()
    """Settings of the engines: target token, beam search, number format and length limits."""

    @field_validator("engine")
    @classmethod
    def _check_engine(cls, engine: str) -> str:
        """Load the code of a custom engine, and return the name of the engine unchanged.

        Raises ValueError if the code cannot be loaded, or the user has not allowed it.
        """
        try:
            if engine not in _ENGINES:
                _load_custom_class(engine)
        except ValueError as error:
            known = ", ".join(_ENGINES)
            raise ValueError(f"expected {known}, or a custom engine: {error}") from error
        return engine

    @model_validator(mode="after")
    def _require_served_model(self) -> Self:
        """Raise ValueError if the engine is `endpoint` and the settings name no model."""
        if model_kind(self.engine) == "served" and self.model is None:
            raise ValueError(
                f"translation.engine is {self.engine}, but translation.model is empty. "
                "Set translation.model to the name of the model on the server."
            )
        return self

    @property
    def has_model(self) -> bool:
        """True if the engine loads the files of a model in Hugging Face's layout."""
        return model_kind(self.engine) == "checkpoint"


@dataclass(frozen=True, kw_only=True)
class EngineRequest:
    """The settings, languages and resources from which a built-in or custom engine is created."""

    settings: Translation
    pivot: str
    """Language of the texts to translate (the pivot language of the build)."""
    language: str
    """Language into which the texts are translated."""
    models_folder: Path
    """Folder that contains the converted models."""
    threads: int = 1
    device: DeviceChoice = "cpu"
    server: EndpointServer | None = None
    """The server that the engine `endpoint` uses."""


def load_engine(settings: Translation, pivot: str, language: str, **resources: Any) -> Engine:
    """Return a loaded engine that translates from `pivot` into `language`.

    Takes the arguments of `prepare_engine` and raises the same errors, and SourceError if the model is damaged.
    """
    return prepare_engine(settings, pivot, language, **resources).load()


def prepare_engine(
    settings: Translation, pivot: str, language: str, **resources: Any
) -> LazyEngine:
    """Return an engine that translates from `pivot` into `language` and is loaded at first use.

    `resources` contains the other fields of `EngineRequest`. The model's files are downloaded now, because the
    signature contains their digest. If there is a GPU, the model translates a short text on the GPU now, as a test.

    Raises:
        SettingsError: there is no model for the direction, the engine is not installed, the model is not a Marian
            checkpoint or is for other languages, the GPU does not work, or custom code fails.
        SourceError: the model cannot be downloaded.
    """
    request = EngineRequest(settings=settings, pivot=pivot, language=language, **resources)
    if settings.engine in _ENGINES:
        return _ENGINES[settings.engine].make(request)
    return _prepare_custom(request)


def _prepare_echo(request: EngineRequest) -> LazyEngine:
    return LazyEngine(EchoEngine.signature, EchoEngine)


def _prepare_marian(request: EngineRequest) -> LazyEngine:
    settings, pivot, language = request.settings, request.pivot, request.language
    checkpoint = open_checkpoint(
        settings.model or default_opus_model(pivot, language), revision=settings.revision
    )
    check_direction(checkpoint, pivot, language)
    model = _MarianFactory(
        settings=settings,
        checkpoint=checkpoint,
        direction=(pivot, language),
        limits=_make_search_limits(settings, checkpoint),
        prefix=find_target_token(checkpoint, language, settings.advanced.prefix),
    )
    return model.make_engine(request.models_folder, request.threads, request.device)


@dataclass(frozen=True, kw_only=True)
class _MarianFactory:
    """Creates the Marian engine for two languages from a checkpoint that has been checked."""

    settings: Translation
    checkpoint: Checkpoint
    direction: tuple[str, str]
    limits: SearchLimits
    prefix: str

    @cached_property
    def tokenizer(self) -> PieceTokenizer:
        """The tokenizer of the checkpoint. Raises SourceError if a file is damaged."""
        punctuation = self.settings.advanced.punctuation
        return PieceTokenizer(
            self.checkpoint.folder,
            prefix=self.prefix,
            punctuation=punctuation,
            language=self.direction[0],
        )

    def make_engine(self, models_folder: Path, threads: int, choice: DeviceChoice) -> LazyEngine:
        """Return an engine that uses a GPU if `choice` allows it and a trial translation succeeds."""
        # Imported here, because CTranslate2 is slow to import.
        from bitext_pivot.translation import (
            conversion,
            kernels,
            marian,
        )

        checkpoint, advanced = self.checkpoint, self.settings.advanced

        def compute_options(device: Device) -> marian.ComputeOptions:
            quantization: str = advanced.quantization
            if quantization == "auto":
                quantization = _FASTEST_QUANTIZATION[device]
            return marian.ComputeOptions(quantization=quantization, device=device, threads=threads)

        def signature(compute: marian.ComputeOptions) -> str:
            direction, quantization = "-".join(self.direction), compute.quantization
            weights = conversion.describe_weights(checkpoint.folder, quantization, advanced.pieces)
            return (
                f"marian {checkpoint.name}@{checkpoint.digest} direction={direction} "
                f"prefix={self.prefix} compute={quantization} beam={advanced.beam_size} "
                f"max_tokens={advanced.max_tokens} max_ratio={advanced.max_ratio} "
                f"punctuation={advanced.punctuation} {LIBRARIES} weights={weights} "
                f"ctranslate2={kernels.VERSION} kernels={compute.kernels}"
            )

        def load(device: Device) -> Engine:
            checkpoint.refuse_changed()
            compute = compute_options(device)
            folder = conversion.convert_checkpoint(
                checkpoint, models_folder, compute.quantization, advanced.pieces
            )
            return marian.MarianEngine(
                folder, self.tokenizer, self.limits, compute, signature=signature(compute)
            )

        device = kernels.select_device(choice, lambda: load("cuda").translate(["1"]))
        return LazyEngine(
            signature(compute_options(device)), lambda: load(device), kernels.count_gpus(device)
        )


def _prepare_endpoint(request: EngineRequest) -> LazyEngine:
    """Return the engine `endpoint` for a request. Raises SettingsError if no server is set."""
    settings, pivot, language = request.settings, request.pivot, request.language
    server = require_server(request.server, "translation.engine is endpoint")
    from bitext_pivot.translation.endpoint import EndpointEngine  # openai is slow to import

    advanced = settings.advanced
    options: dict[str, object] = {"max_tokens": round(advanced.max_tokens * advanced.max_ratio)}
    if advanced.probabilities:
        options["logprobs"] = True
    engine = EndpointEngine(server, settings.model or "", pivot, language, options)
    return LazyEngine(engine.signature, lambda: engine)


class _BuiltInEngine(NamedTuple):
    """The function that creates a built-in engine, and the kind of model the engine uses."""

    make: Callable[[EngineRequest], LazyEngine]
    model: Literal["", "checkpoint", "served"] = ""


_ENGINES: Mapping[str, _BuiltInEngine] = {
    "marian": _BuiltInEngine(_prepare_marian, "checkpoint"),
    "endpoint": _BuiltInEngine(_prepare_endpoint, "served"),
    "echo": _BuiltInEngine(_prepare_echo),
}
OUTSIDE = OutsideKind("engines", "--translation.engine", "my_engine.py:Apertium")


def model_kind(engine: str) -> Literal["", "checkpoint", "served"]:
    """Return the kind of model that `translation.model` names for an engine.

    "checkpoint" means a model in Hugging Face's layout, and "served" a model on a server, which translates from any
    language. "" means that the engine has no model, or is a custom engine, which may use the setting in its own
    way. The engine's code is not loaded.
    """
    if engine not in _ENGINES:
        return ""
    return _ENGINES[engine].model


def _list_choices() -> dict[str, Any]:
    """Return a JSON schema of the built-in engines and the custom engines that the user allowed."""
    return {"enum": [*dict.fromkeys([*_ENGINES, *OUTSIDE.allowed()])]}


def _load_custom_class(name: str) -> Loaded:
    """Return the class of a custom engine. Raises ValueError if it cannot be used."""
    loaded = OUTSIDE.load(name)
    if not callable(getattr(loaded.found, "translate", None)):
        raise ValueError(
            f"{name} is not an engine: expected a class with the method translate, as in docs/engines.md."
        )
    return loaded


def _prepare_custom(request: EngineRequest) -> LazyEngine:
    """Return a custom engine, whose signature begins with its name and the origin of its code."""
    name, model = request.settings.engine.rpartition(":")[2], request.settings.model or ""
    engine_class, origin = _load_custom_class(request.settings.engine)
    with explained(f"custom engine {name!r}", origin):
        engine = engine_class(request)
        facts = checked(_validate_attributes, engine, "the class")
    direction = f"{request.pivot}-{request.language}"
    own = f"{name} {origin} direction={direction} model={model} {facts.signature}".strip()
    return LazyEngine(own, lambda: _CustomEngine(engine, name, origin, own, facts.gpus), facts.gpus)


class _CustomAttributes(BaseModel):
    """The optional attributes of a custom engine, to be validated."""

    signature: str = ""
    gpus: NonNegativeInt = 0


class _CustomOutput(BaseModel):
    """A `TranslatedText` returned by a custom engine, to be validated."""

    text: str = Field(pattern=r"^[^\x00]*$")
    confidence: float | None = Field(ge=0, le=1)


_validate_attributes = partial(_CustomAttributes.model_validate, from_attributes=True)
_validate_outputs = partial(TypeAdapter(list[_CustomOutput]).validate_python, from_attributes=True)


@dataclass(frozen=True)
class _CustomEngine:
    """A custom engine whose output is checked and whose exceptions are reported in one line."""

    engine: Any
    name: str
    origin: str
    signature: str
    gpus: int

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one checked output per text. Raises SettingsError if the engine's code fails."""
        with explained(f"custom engine {self.name!r}", self.origin):
            outputs = checked(_validate_outputs, [*self.engine.translate(texts)], "translate")
            if len(outputs) != len(texts):
                found = f"translate returned {len(outputs)} outputs for {len(texts)} texts"
                raise ValueError(f"{found}, expected one for each")
        return [TranslatedText(**dict(output)) for output in outputs]


_FASTEST_QUANTIZATION: Mapping[Device, str] = {"cpu": "int8", "cuda": "float16"}
"""The fastest number format of Marian weights on each device (docs/scaling.md).

On an H200, float16 is a tenth faster than int8_float16, and its outputs are closer to the outputs of float32."""
GOOD_CONFIDENCE = 0.79
"""Median confidence of good translations, measured on 100 translations by the quickstart's model. A reader found 38
of the translations good; the median confidence of the other 62 is 0.55."""


def measured_min_confidence(signature: str) -> float | None:
    """Return the minimum confidence that was measured for a model, or None if there is none.

    `signature` is the signature of an engine, which contains the digest of its model.
    """
    measured: dict[str, float] = read_toml(Path(__file__).with_suffix(".toml"))["min_confidence"]
    return next(
        (minimum for digest, minimum in measured.items() if f"@{digest} " in signature), None
    )


def _make_search_limits(settings: Translation, checkpoint: Checkpoint) -> SearchLimits:
    if settings.advanced.max_tokens > checkpoint.positions:
        raise SettingsError(
            f"translation.advanced.max_tokens is {settings.advanced.max_tokens}, but {checkpoint.name!r} supports "
            f"{checkpoint.positions} positions only. Set it to {checkpoint.positions} or less."
        )
    return SearchLimits(
        beam_size=settings.advanced.beam_size,
        max_tokens=settings.advanced.max_tokens,
        max_ratio=settings.advanced.max_ratio,
        positions=checkpoint.positions,
    )
