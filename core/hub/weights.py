"""Select and safely read the weight files of published models, and build models from them.

Two formats of Hugging Face are supported, each as one file or as shards that a file `*.index.json` lists:

* safetensors, which contains only tensors, is preferred;
* `pytorch_model.bin`, a pickle (in a zip file, or in torch's format before 1.6), is read by `torch.load` with
  `weights_only=True`. This unpickler creates only tensors and plain containers and raises an error for everything
  else, so that no code in the file runs (docs.pytorch.org/docs/stable/notes/serialization.html).
"""

import functools
import math
import pickle  # for the class of an error: nothing is unpickled here
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from bitext_pivot.core import text_files
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import (
    BuildError,
    SettingsError,
    ShardError,
    SourceError,
    is_out_of_memory,
)
from bitext_pivot.core.storage import received

if TYPE_CHECKING:
    from torch import Tensor

P = ParamSpec("P")
_Result = TypeVar("_Result")
_LAYOUTS = (
    ("model.safetensors", "model-*-of-*.safetensors"),
    ("pytorch_model.bin", "pytorch_model-*-of-*.bin"),
)
"""For each format, the name of the single file and the pattern of shard names. The preferred format comes first."""
_loading = threading.RLock()
"""Held while a model is built, because `from_pretrained` changes the default device of the whole process.

If two threads built models at the same time, the device could stay `meta`, and later models would have no weights."""
_BLOCKED = re.compile(r"GLOBAL ([\w.]+)")


def choose_weights(names: Iterable[str]) -> list[str]:
    """Select the weight files to use from the file names of a model; the list is empty without weights.

    safetensors is preferred to pytorch_model.bin, and a single file to shards. An index comes before its shards.

    >>> choose_weights(["config.json", "pytorch_model.bin", "tf_model.h5", "rust_model.ot"])
    ['pytorch_model.bin']
    """
    files = sorted(names)
    for single, shards in _LAYOUTS:
        if single in files:
            return [single]
        if f"{single}.index.json" in files:
            return [f"{single}.index.json", *(name for name in files if fnmatch(name, shards))]
    return []


def find_weights(folder: Path, setting: str) -> list[Path]:
    """Return the paths of the weights in a model's folder: one file, or the shards that the index lists.

    Nothing is loaded. The error message names `setting`.

    Raises:
        SettingsError: the folder has no weights in a supported format.
        SourceError: a shard that the index lists is missing, the index is damaged, or a file is a Git LFS pointer.
    """
    files = [path for path in folder.iterdir() if path.is_file()]
    for path in files:
        if problem := text_files.pointer(path):
            raise SourceError(problem)
    names = choose_weights(path.name for path in files)
    if not names:
        raise SettingsError(
            f"{folder} has no weights: expected model.safetensors or pytorch_model.bin, or their shards with an index. "
            f"Copy the weights there, or name another model with {setting}."
        )
    if names[0].endswith(".json"):
        names = _shards(folder / names[0])
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise SourceError(
            f"{folder} lacks {len(missing)} of the weight files that its index lists, such as {missing[0]}. "
            "Download the model again."
        )
    return [folder / name for name in names]


def _shards(index: Path) -> list[str]:
    """Return the file names of the weights that an index lists.

    The format is described at huggingface.co/docs/transformers/big_models. Raises SourceError if the index is damaged.
    """
    shard_of = read_json(index).get("weight_map")
    names = sorted(set(map(str, shard_of.values()))) if isinstance(shard_of, dict) else []
    if not names or any(Path(name).name != name for name in names):
        raise SourceError(
            f"{index} is damaged: it lists {names}, but file names were expected. Download it again."
        )
    return names


def read_tensors(paths: Sequence[Path]) -> "dict[str, Tensor]":
    """Return the tensors of all files by name, on the CPU.

    Raises:
        SettingsError: a file contains other objects than tensors (their code is not run), or NaN or infinite values.
        SourceError: a file is damaged or truncated.
    """
    tensors: dict[str, Any] = {}
    for path in paths:
        content = _read_file(path)
        refuse_non_finite(content, str(path))
        tensors |= content
    return tensors


def refuse_non_finite(tensors: "Mapping[str, Tensor]", name: str) -> None:
    """Raise SettingsError if a tensor has NaN or infinite values. `name` is the model or file for the message."""
    import torch

    known = {torch.float16, torch.bfloat16, torch.float32, torch.float64}
    for key, tensor in tensors.items():
        if tensor.dtype not in known or not tensor.numel():
            continue
        if not all(map(math.isfinite, torch.stack(torch.aminmax(tensor)).tolist())):  # one pass
            raise SettingsError(
                f"{name} has values that are NaN or infinite, first in {key}: the training of this model failed, or "
                "the file was damaged. Choose another model."
            )


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file of a model. Raises SourceError if the file is missing or damaged."""
    try:
        content = parse_json(received.text(path))
    except (OSError, ValueError, ShardError) as error:
        raise SourceError(
            f"{path} is damaged ({error}). Expected JSON; download the model again."
        ) from error
    if not isinstance(content, dict):
        raise SourceError(
            f"{path} is damaged: expected a JSON object, got {type(content).__name__}. Download the model again."
        )
    return content


def build_model(
    architecture: Any, config: Any, tensors: "dict[str, Tensor]"
) -> tuple[Any, set[str], set[str]]:
    """Build a transformers model in float32 and evaluation mode; return it with the missing and unexpected tensors.

    A tensor is missing if `tensors` does not have it in the right shape; transformers fills it with random numbers. A
    tensor is unexpected if it does not belong to the model. Must be called inside `loading`.
    """
    model, report = architecture.from_pretrained(
        None,
        config=config,
        state_dict=tensors,
        dtype="float32",
        ignore_mismatched_sizes=True,
        output_loading_info=True,
    )
    missing = {*report["missing_keys"], *(name for name, *_ in report["mismatched_keys"])}
    return model.eval(), missing, set(report["unexpected_keys"])


def load_once(load: Callable[P, _Result]) -> Callable[P, _Result]:
    """Decorate a function that loads a model: cache its results, and let only one thread load at a time."""
    cached: Callable[P, _Result] = functools.cache(load)  # type: ignore[assignment]

    @functools.wraps(load)
    def locked(*args: P.args, **options: P.kwargs) -> _Result:
        with _loading:
            return cached(*args, **options)

    return locked


@contextmanager
def loading() -> Iterator[None]:
    """Let only one thread build a model with transformers, without progress bars and warnings."""
    with _loading, silence_transformers():
        yield


@contextmanager
def silence_transformers() -> Iterator[None]:
    """Hide the progress bars and warnings of transformers."""
    from transformers.utils import logging

    verbosity, has_bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bar:
            logging.enable_progress_bar()


def _read_file(path: Path) -> "dict[str, Tensor]":
    import safetensors.torch
    import torch

    try:
        if path.suffix == ".safetensors":
            tensors = safetensors.torch.load_file(path)
        else:
            tensors = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise _refusal(path, str(error)) from error
    # For truncated or garbled bytes, the readers raise almost any exception.
    except Exception as error:
        if is_out_of_memory(error):
            raise MemoryError(str(error)) from error
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise SourceError(
            f"{path} is damaged or truncated ({reason}). Delete it and download it again."
        ) from error
    if not isinstance(tensors, dict) or not all(
        isinstance(value, torch.Tensor) for value in tensors.values()
    ):
        raise SettingsError(
            f"{path} does not contain weights: expected tensors by name. Choose another model."
        )
    return tensors


def _refusal(path: Path, error: str) -> BuildError:
    blocked = _BLOCKED.search(error)
    reason = f"it asks for {blocked[1]}" if blocked else "it is not a file of tensors"
    return SettingsError(
        f"{path} was refused: {reason}. Weights may contain only tensors and plain containers; no code in the file was "
        "run. If the download was interrupted, repeat it; otherwise do not trust this model, and choose another."
    )
