"""Select and safely read the weight files of published models, and build models from them.

Two formats of Hugging Face are read, each as one file or in shards listed by `*.index.json`:

* safetensors, which contains tensors only, is preferred;
* `pytorch_model.bin`, a pickle (in a zip file, or in torch's format before 1.6), is read by `torch.load` with
  `weights_only=True`. That unpickler builds tensors and plain containers and raises for everything else, so no code of
  the file runs (docs.pytorch.org/docs/stable/notes/serialization.html).
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
"""Single file and shards of each format, the preferred format first."""
_loading = threading.RLock()
"""Held while a model is built: during `from_pretrained`, transformers sets the default device of the whole process. Two
threads at once would leave it at `meta`, and every later model would have no weights."""
_BLOCKED = re.compile(r"GLOBAL ([\w.]+)")


def choose(names: Iterable[str]) -> list[str]:
    """Return the weight files to use among the file names of a model, empty if it has none.

    safetensors comes before pytorch_model.bin, and one file before shards. Shards come with their index.

    >>> choose(["config.json", "pytorch_model.bin", "tf_model.h5", "rust_model.ot"])
    ['pytorch_model.bin']
    """
    files = sorted(names)
    for single, shards in _LAYOUTS:
        if single in files:
            return [single]
        if f"{single}.index.json" in files:
            return [f"{single}.index.json", *(name for name in files if fnmatch(name, shards))]
    return []


def find(folder: Path, setting: str) -> list[Path]:
    """Return the weight files of a model's folder, of several shards those that its index lists. Nothing is loaded.

    `setting` is the name of the setting that holds the model, for the message.

    Raises:
        SettingsError: the folder has no weights in a format that is read here.
        SourceError: a shard that the index lists is missing, the index is damaged, or a file is a pointer of Git LFS.
    """
    files = [path for path in folder.iterdir() if path.is_file()]
    for path in files:
        if problem := text_files.pointer(path):
            raise SourceError(problem)
    names = choose(path.name for path in files)
    if not names:
        raise SettingsError(
            f"{folder} has no weights: expected model.safetensors or pytorch_model.bin, or their shards with an index. "
            f"Copy the weights there, or name another model with {setting}."
        )
    if names[0].endswith(".json"):
        names = _shards(folder / names[0])
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise SourceError(
            f"{folder} lacks {len(missing)} of the weight files that its index lists, {missing[0]} the first. "
            "Download the model again."
        )
    return [folder / name for name in names]


def _shards(index: Path) -> list[str]:
    """Return the file names of the shards (huggingface.co/docs/transformers/big_models). Raises SourceError."""
    shard_of = read_json(index).get("weight_map")
    names = sorted(set(map(str, shard_of.values()))) if isinstance(shard_of, dict) else []
    if not names or any(Path(name).name != name for name in names):
        raise SourceError(
            f"{index} is damaged: it lists {names}, expected the names of files. Download it again."
        )
    return names


def read(paths: Sequence[Path]) -> "dict[str, Tensor]":
    """Return all tensors of files, by name, on the CPU.

    Raises:
        SettingsError: a file holds objects other than tensors, none of whose code was run, or values that are no
            numbers.
        SourceError: a file is damaged or cut short.
    """
    tensors: dict[str, Any] = {}
    for path in paths:
        content = _read_file(path)
        refuse_no_numbers(content, str(path))
        tensors |= content
    return tensors


def refuse_no_numbers(tensors: "Mapping[str, Tensor]", name: str) -> None:
    """Raise SettingsError if a tensor has values that are NaN or infinite; `name` is that of the model or file."""
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
    """Return the JSON object in a file of a model. Raises SourceError if the file is damaged."""
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


def fill(
    architecture: Any, config: Any, tensors: "dict[str, Tensor]"
) -> tuple[Any, set[str], set[str]]:
    """Return a transformers model in float32, in evaluation mode, and what does not fit `tensors`.

    The first set has the tensors of the model that are missing or have another shape (transformers fills them with
    random numbers), the second those that are not part of the model. Call it inside `loading`.
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
    """Decorate a function that loads a model: results are cached, and one thread of the process loads at a time."""
    cached: Callable[P, _Result] = functools.cache(load)  # type: ignore[assignment]

    @functools.wraps(load)
    def locked(*args: P.args, **options: P.kwargs) -> _Result:
        with _loading:
            return cached(*args, **options)

    return locked


@contextmanager
def loading() -> Iterator[None]:
    """Let one thread at a time build a model with transformers, in silence."""
    with _loading, quiet():
        yield


@contextmanager
def quiet() -> Iterator[None]:
    """Keep progress bars and reports of transformers away from the terminal."""
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
    except Exception as error:  # cut or garbled bytes make the readers raise almost anything
        if is_out_of_memory(error):
            raise MemoryError(str(error)) from error
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise SourceError(
            f"{path} is damaged or cut short ({reason}). Delete it and download it again."
        ) from error
    if not isinstance(tensors, dict) or not all(
        isinstance(value, torch.Tensor) for value in tensors.values()
    ):
        raise SettingsError(
            f"{path} does not hold weights: expected tensors by name. Choose another model."
        )
    return tensors


def _refusal(path: Path, error: str) -> BuildError:
    blocked = _BLOCKED.search(error)
    reason = f"it asks for {blocked[1]}" if blocked else "it is not a file of tensors"
    return SettingsError(
        f"{path} was refused: {reason}. Weights may hold tensors and plain containers only; nothing in the file was "
        "run. Download it again if that was interrupted; otherwise do not trust this model and choose another."
    )
