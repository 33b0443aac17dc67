"""Build models and tokenizers of transformers from folders of anyone: complete, finite and fitting each other.

transformers fills missing tensors with random numbers and makes do without tokenizer files; both are refused here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from bitext_pivot.core.errors import BuildError, SettingsError, is_out_of_memory
from bitext_pivot.core.hub import weights

Lack = Literal["exact", "nothing", "pooler", "head"]
"""What weights may lack: a model's pooler, if only vectors of tokens are used; its head, at the start of a training, to
which the pooler belongs if there is one. `exact` weights have no tensor more, either."""


def model(
    folder: Path,
    kind: str,
    subject: str,
    *,
    setting: str,
    lack: Lack = "nothing",
    **options: object,
) -> Any:
    """Return a model in float32 on the CPU, in evaluation mode, by the name of its Auto class.

    `subject` begins the messages: "model.start is 'x/y', which". `options` replace values of config.json.

    Raises:
        SettingsError: transformers cannot load it, its weights are incomplete, no numbers or refused.
        SourceError: the weights are damaged.
    """
    tensors = weights.read(weights.find(folder, setting))
    with (
        weights.loading(),
        explained(f"{subject} cannot be loaded as {kind}", "Name another model."),
    ):
        import torch  # takes seconds, as transformers does
        import transformers

        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False, **options)
        # Built without weights, only to learn which class of transformers the configuration names.
        with torch.device("meta"):
            architecture = type(
                getattr(transformers, kind).from_config(config, trust_remote_code=False)
            )
        result, missing, unexpected = weights.fill(architecture, config, tensors)
        if (folder / "generation_config.json").is_file() and result.can_generate():
            result.generation_config = transformers.GenerationConfig.from_pretrained(folder)
    prefix = result.base_model_prefix
    needed = [name for name in sorted(missing) if not _may_lack(name, prefix, lack)]
    if needed:
        raise SettingsError(
            f"{subject} lacks {len(needed)} tensors of the model in config.json or has them in another shape, "
            f"{needed[0]} the first. Download both again, from the same model, or name another."
        )
    if lack == "exact" and unexpected:
        raise SettingsError(
            f"{subject} has {len(unexpected)} tensors that are no part of the model in config.json, {min(unexpected)} "
            "the first. Download both again, from the same model."
        )
    return result


def tokenizer(folder: Path, subject: str) -> Any:
    """Return the tokenizer of a folder. Raises SettingsError if transformers cannot load it."""
    with (
        weights.loading(),
        explained(f"{subject} has a tokenizer that cannot be loaded", "Name another model."),
    ):
        import transformers

        return transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)


def check_fit(built: Any, its_tokenizer: Any, subject: str) -> None:
    """Raise SettingsError if a tokenizer has entries that a model knows no vector of."""
    rows = built.get_input_embeddings().num_embeddings
    # vocab_size does not count tokens that were added later, such as <mask>, which no text contains.
    if its_tokenizer.vocab_size > rows:
        raise SettingsError(
            f"{subject} has a tokenizer of {its_tokenizer.vocab_size} entries and weights of {rows}: they do not "
            "belong together. Copy the tokenizer that the model was trained with."
        )


@contextmanager
def explained(problem: str, advice: str) -> Iterator[None]:
    """Raise SettingsError with a problem, its reason and an advice for what transformers, tokenizers and torch raise.

    That is almost anything; an endless regular expression of a tokenizer ends in a panic, which is no Exception.
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
    """Return True for a panic of Rust's tokenizers, whose class no module exports."""
    return type(error).__name__ == "PanicException"


def _may_lack(name: str, prefix: str, lack: Lack) -> bool:
    """Return True if a tensor need not be in the weights; `prefix` begins the names of those of the body."""
    if lack == "pooler":
        return name.startswith("pooler.")
    if lack != "head" or not prefix:
        return False
    return not name.startswith(f"{prefix}.") or name.startswith(f"{prefix}.pooler.")
