"""Load models and tokenizers of transformers from untrusted folders, and refuse unusable ones.

transformers replaces missing tensors by random numbers, and loads a tokenizer even if its files are missing. This
module checks that the weights are complete and finite, and that the tokenizer fits the model.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from bitext_pivot.core.errors import BuildError, SettingsError, is_out_of_memory
from bitext_pivot.core.hub import weights

Lack = Literal["exact", "nothing", "pooler", "head"]
"""The tensors that may be missing in the weights of a model.

`pooler` is for models of which only token vectors are used. `head` (which includes the pooler) is for the start of a
training. With `exact`, nothing may be missing, and the weights must not contain additional tensors, either."""


def load_model(
    folder: Path,
    kind: str,
    subject: str,
    *,
    setting: str,
    lack: Lack = "nothing",
    **options: object,
) -> Any:
    """Return the model in a folder, in float32 on the CPU and in evaluation mode.

    `kind` is the name of an Auto class of transformers, such as `AutoModel`. Error messages begin with `subject`, such
    as "model.start is 'x/y', which". `options` replace values of config.json.

    Raises:
        SettingsError: transformers cannot load the model, or its weights are incomplete, not finite or unsafe.
        SourceError: the weights are damaged.
    """
    tensors = weights.read_tensors(weights.find_weights(folder, setting))
    with (
        weights.loading(),
        explain_errors(f"{subject} cannot be loaded as {kind}", "Name another model."),
    ):
        import torch  # takes seconds, as transformers does
        import transformers

        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False, **options)
        # Built without weights, to find the class of transformers that the configuration names.
        with torch.device("meta"):
            architecture = type(
                getattr(transformers, kind).from_config(config, trust_remote_code=False)
            )
        result, missing, unexpected = weights.build_model(architecture, config, tensors)
        if (folder / "generation_config.json").is_file() and result.can_generate():
            result.generation_config = transformers.GenerationConfig.from_pretrained(folder)
    prefix = result.base_model_prefix
    needed = [name for name in sorted(missing) if not _may_lack(name, prefix, lack)]
    if needed:
        raise SettingsError(
            f"{subject} lacks {len(needed)} tensors of the model in config.json or has them in another shape, "
            f"such as {needed[0]}. Download config.json and weights of one model again, or name another model."
        )
    if lack == "exact" and unexpected:
        raise SettingsError(
            f"{subject} has {len(unexpected)} tensors that do not belong to the model in config.json, such as "
            f"{min(unexpected)}. Download config.json and weights of one model again."
        )
    return result


def load_tokenizer(folder: Path, subject: str) -> Any:
    """Return the tokenizer of a folder. Raises SettingsError if transformers cannot load it."""
    with (
        weights.loading(),
        explain_errors(f"{subject} has a tokenizer that cannot be loaded", "Name another model."),
    ):
        import transformers

        return transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)


def check_fit(built: Any, its_tokenizer: Any, subject: str) -> None:
    """Raise SettingsError if the vocabulary of a tokenizer is larger than the embedding matrix of the model."""
    rows = built.get_input_embeddings().num_embeddings
    # vocab_size does not count tokens that were added later, such as <mask>, which do not occur in texts.
    if its_tokenizer.vocab_size > rows:
        raise SettingsError(
            f"{subject} has a tokenizer with {its_tokenizer.vocab_size} entries, but weights for {rows}: they do not "
            "belong together. Copy the tokenizer that the model was trained with."
        )


@contextmanager
def explain_errors(problem: str, advice: str) -> Iterator[None]:
    """Turn exceptions of transformers, tokenizers and torch into SettingsError.

    The message consists of `problem`, the text of the exception, and `advice`. Exceptions of all classes are handled: a
    Rust panic in tokenizers 0.23, for example caused by a regular expression that never ends, is not derived from
    Exception.
    """
    try:
        yield
    except BuildError:
        raise
    except BaseException as error:
        if is_out_of_memory(error) or not (is_panic(error) or isinstance(error, Exception)):
            raise
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise SettingsError(f"{problem} ({reason}). {advice}") from error


def is_panic(error: BaseException) -> bool:
    """Return True for a Rust panic in tokenizers, whose class is not exported by any module."""
    return type(error).__name__ == "PanicException"


def _may_lack(name: str, prefix: str, lack: Lack) -> bool:
    """Return True if the tensor `name` may be missing in the weights.

    Names of tensors that belong to the encoder, not to the head, begin with `prefix`, such as `bert`.
    """
    if lack == "pooler":
        return name.startswith("pooler.")
    if lack != "head" or not prefix:
        return False
    return not name.startswith(f"{prefix}.") or name.startswith(f"{prefix}.pooler.")
