"""Weight files: which are used, and that reading them runs no code."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.hub import weights

NAMES = [f"layers.{number}.weight" for number in range(3)]
Save = Callable[[Any, Path], None]


def tensors() -> dict[str, Any]:
    import torch

    return {name: torch.arange(600.0) + number for number, name in enumerate(NAMES)}


def save_file(content: dict[str, Any], path: Path) -> None:
    from safetensors.torch import save_file

    save_file(content, path)


def save_zip(content: Any, path: Path) -> None:
    import torch

    torch.save(content, path)


def save_legacy(content: Any, path: Path) -> None:
    """As torch before 1.6 saved, and most OPUS-MT models on the hub are."""
    import torch

    torch.save(content, path, _use_new_zipfile_serialization=False)


class Payload:
    """Unpickles into a folder: proof that code ran."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.trace),)


def read(folder: Path) -> dict[str, Any]:
    return weights.read_tensors(weights.find_weights(folder, "translation.model"))


def is_whole(content: dict[str, Any]) -> bool:
    return content.keys() == tensors().keys() and all(
        content[name].equal(tensors()[name]) for name in NAMES
    )


def write_shards(folder: Path, single: str, save: Save) -> None:
    """Write one tensor per shard, and the index."""
    stem, suffix = single.rsplit(".", 1)
    names = [f"{stem}-0000{number}-of-00003.{suffix}" for number in (1, 2, 3)]
    for name, (tensor, values) in zip(names, tensors().items(), strict=True):
        save({tensor: values}, folder / name)
    index = {"metadata": {"total_size": 7200}, "weight_map": dict(zip(NAMES, names, strict=True))}
    (folder / f"{single}.index.json").write_text(json.dumps(index))


SAFE = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
CHOICES = [
    (["rust_model.ot", "tf_model.h5", "pytorch_model.bin", "config.json"], ["pytorch_model.bin"]),
    (["pytorch_model.bin", "model.safetensors", "flax_model.msgpack"], ["model.safetensors"]),
    (
        [*SAFE, "model.safetensors.index.json", "pytorch_model.bin"],
        ["model.safetensors.index.json", *SAFE],
    ),
    (
        [
            "pytorch_model-00001-of-00001.bin",
            "pytorch_model.bin.index.json",
            "training_args.bin",
            "model.bin",
        ],
        ["pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin"],
    ),
    (["tf_model.h5", "model.fp16.safetensors", "adapter_model.bin", "onnx/model.safetensors"], []),
]


@pytest.mark.parametrize(("names", "chosen"), CHOICES)
def test_only_the_files_of_one_format_are_chosen(names: list[str], chosen: list[str]) -> None:
    assert weights.choose_weights(names) == chosen


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("model.safetensors", save_file),
        ("pytorch_model.bin", save_zip),
        ("pytorch_model.bin", save_legacy),
    ],
)
@pytest.mark.parametrize("sharded", [False, True])
def test_all_tensors_are_read(name: str, save: Save, sharded: bool, tmp_path: Path) -> None:
    if sharded:
        write_shards(tmp_path, name, save)
    else:
        save(tensors(), tmp_path / name)
    assert is_whole(read(tmp_path))


@pytest.mark.parametrize("save", [save_zip, save_legacy])
@pytest.mark.parametrize(
    "inside", [lambda payload: payload, lambda payload: tensors() | {"bias": payload}]
)
def test_code_in_a_weight_file_does_not_run(
    save: Save, inside: Callable[[Payload], Any], tmp_path: Path, golden: Golden
) -> None:
    import torch

    path, trace = tmp_path / "pytorch_model.bin", tmp_path / "it-ran"
    save(inside(Payload(trace)), path)
    torch.load(path, weights_only=False)
    assert trace.exists()
    trace.rmdir()
    with golden.refused(SettingsError) as caught:
        read(tmp_path)
    assert not trace.exists()
    assert "weights_only" not in str(caught.value)


def test_the_environment_cannot_switch_the_restriction_off(tmp_path: Path) -> None:
    trace = tmp_path / "it-ran"
    save_zip(Payload(trace), tmp_path / "pytorch_model.bin")
    program = (
        "import sys; from pathlib import Path; from bitext_pivot.core.hub import weights\n"
        "weights.read_tensors(weights.find_weights(Path(sys.argv[1]), 'x'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], check=False, capture_output=True, text=True,
        cwd=Path(__file__).parents[3], env={"TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD": "1"},
    )  # fmt: skip
    assert "was refused" in done.stderr
    assert not trace.exists()


@pytest.mark.parametrize("save", [save_zip, save_legacy, save_file])
@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.9, 0.999])
def test_a_file_cut_short_is_damaged(
    save: Save, share: float, tmp_path: Path, golden: Golden
) -> None:
    path = tmp_path / ("model.safetensors" if save is save_file else "pytorch_model.bin")
    save(tensors(), path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with golden.refused(SourceError):
        read(tmp_path)


OTHERS = [
    pytest.param("pytorch_model.bin", b"<html>not found</html>", id="HTML"),
    pytest.param("pytorch_model.bin", b"version https://git-lfs.github.com/spec/v1\nsize 9\n", id="LFS"),
    pytest.param("pytorch_model.bin", pickle.dumps(Payload(Path("it-ran")), protocol=2), id="pickle"),
    pytest.param("model.safetensors", pickle.dumps(Payload(Path("it-ran"))), id="pickle of another name"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), OTHERS)
def test_another_kind_of_file_is_named_for_what_it_is(
    name: str,
    content: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Golden,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    with golden.refused(SettingsError, SourceError):
        read(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    "content",
    [lambda: tensors()[NAMES[0]], lambda: {"state": tensors()}, lambda: [1, 2]],
    ids=["one", "nested", "rows"],
)
def test_anything_but_tensors_by_name_is_refused(
    content: Callable[[], Any], tmp_path: Path, golden: Golden
) -> None:
    save_zip(content(), tmp_path / "pytorch_model.bin")
    with golden.refused(SettingsError):
        read(tmp_path)


def test_a_folder_without_weights_is_refused(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "tf_model.h5").touch()
    with golden.refused(SettingsError):
        read(tmp_path)


def spoil_index(folder: Path, **weight_map: str) -> None:
    path = folder / "pytorch_model.bin.index.json"
    content = json.loads(path.read_text())
    content["weight_map"] |= weight_map
    path.write_text(json.dumps(content))


def test_a_missing_shard_is_named(tmp_path: Path, golden: Golden) -> None:
    write_shards(tmp_path, "pytorch_model.bin", save_zip)
    (tmp_path / "pytorch_model-00002-of-00003.bin").unlink()
    with golden.refused(SourceError):
        read(tmp_path)


def test_shards_that_the_index_does_not_list_are_left_alone(tmp_path: Path) -> None:
    write_shards(tmp_path, "pytorch_model.bin", save_zip)
    save_zip(
        {"layers.0.weight": tensors()[NAMES[1]]}, tmp_path / "pytorch_model-00004-of-00004.bin"
    )
    assert is_whole(read(tmp_path))


def test_an_index_cannot_lead_out_of_the_folder(tmp_path: Path, golden: Golden) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    write_shards(folder, "pytorch_model.bin", save_zip)
    save_zip(tensors(), tmp_path / "other.bin")
    spoil_index(folder, bias="../other.bin")
    with golden.refused(SourceError):
        read(folder)


@pytest.mark.parametrize("content", ["", "[]", '{"weight_map": 3}', '{"metadata": {}}'])
def test_a_damaged_index_is_named(content: str, tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "model.safetensors.index.json").write_text(content)
    with golden.refused(SourceError):
        read(tmp_path)


def test_the_progress_bar_and_the_messages_of_transformers_come_back() -> None:
    import logging as standard

    from transformers.utils import logging

    before = logging.get_verbosity()
    with weights.loading():
        assert not logging.is_progress_bar_enabled()
        assert logging.get_verbosity() == standard.ERROR
    assert logging.is_progress_bar_enabled()
    assert logging.get_verbosity() == before
