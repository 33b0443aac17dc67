"""Loading of models that score pairs, through transformers, with nothing missing and no code of the model's own.

transformers fills missing tensors with random numbers and makes do without tokenizer files; both are refused here.
"""

from pathlib import Path
from typing import Any, Literal

from filters.neural.checkpoint import Checkpoint
from pairs.checkpoints import weights
from pairs.errors import BuildError, SettingsError

_UNUSED = "pooler."
"""Tensors that a checkpoint may lack: only vectors of tokens are compared."""


def load(
    found: Checkpoint, kind: Literal["AutoModel", "AutoModelForSequenceClassification"], **options: object
) -> tuple[Any, Any]:
    """Return the model, in float32 for inference, and its tokenizer; `options` replace values of config.json.

    Raises:
        SettingsError: transformers cannot load it, its weights are incomplete or refused, or its tokenizer differs.
        SourceError: the weights are damaged.
    """
    tensors = weights.read(weights.find(found.folder, found.setting))
    try:
        model, missing, tokenizer = _build(found.folder, kind, tensors, options)
    except BuildError:
        raise
    except Exception as error:  # transformers and tokenizers raise almost anything
        raise SettingsError(
            f"{found.setting} is {found.name!r}, which cannot be loaded ({_first_line(error)}). Name another model."
        ) from error
    needed = [name for name in sorted(missing) if kind != "AutoModel" or not name.startswith(_UNUSED)]
    if needed:
        raise SettingsError(
            f"{found.setting} is {found.name!r}, whose weights lack {len(needed)} tensors of the model in config.json "
            f"or have them in another shape, {needed[0]} the first. Download both again, from the same model, or name "
            "another."
        )
    rows = model.get_input_embeddings().num_embeddings
    if tokenizer.vocab_size > rows:  # without tokens added later, such as <mask>, which no text has
        raise SettingsError(
            f"{found.setting} is {found.name!r}, whose tokenizer has {tokenizer.vocab_size} entries and whose weights "
            f"have {rows}: they do not belong together. Copy the tokenizer that the model was trained with."
        )
    return model, tokenizer


def _build(folder: Path, kind: str, tensors: Any, options: dict[str, object]) -> tuple[Any, set[str], Any]:
    with weights.loading():
        import transformers

        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False, **options)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        architecture = getattr(transformers, kind)._model_mapping[type(config)]  # never code that comes with the model
        model, missing, _ = weights.fill(architecture, config, tensors)
    return model, missing, tokenizer


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
