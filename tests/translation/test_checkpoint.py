import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from safetensors.numpy import load_file, save_file

from pairs import hub
from pairs.errors import SettingsError, SourceError
from translation.checkpoint import open_checkpoint


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8")


def test_a_whole_checkpoint_tells_name_languages_and_size(checkpoint: Path) -> None:
    found = open_checkpoint(str(checkpoint))
    assert (found.name, found.source_lang, found.target_lang) == ("tiny-fr-en", "fr", "en")
    assert (found.positions, found.target_tokens, len(found.digest)) == (64, (), 16)


def test_target_tokens_are_read_from_the_vocabulary(many_targets: Path) -> None:
    assert open_checkpoint(str(many_targets)).target_tokens == (">>por<<", ">>spa<<")


def test_the_languages_are_unknown_without_tokenizer_config(damaged: Path) -> None:
    (damaged / "tokenizer_config.json").unlink()
    found = open_checkpoint(str(damaged))
    assert (found.source_lang, found.target_lang) == (None, None)


def test_the_digest_is_of_the_contents_not_of_the_place(checkpoint: Path, damaged: Path) -> None:
    assert open_checkpoint(str(damaged)).digest == open_checkpoint(str(checkpoint)).digest


@pytest.mark.parametrize("name", ["model.safetensors", "source.spm", "target.spm", "vocab.json", "config.json"])
def test_the_digest_changes_with_every_file_that_can_change_an_output(
    name: str, checkpoint: Path, damaged: Path
) -> None:
    if name == "model.safetensors":
        weights = load_file(damaged / name)
        weights["model.shared.weight"][3, 3] += numpy.float32(1e-6)
        save_file(weights, damaged / name)
    elif name == "vocab.json":
        change(damaged / name, **{"▁le": 3, "<unk>": 1})
    elif name == "config.json":
        change(damaged / name, scale_embedding=True)
    else:
        (damaged / name).write_bytes((damaged / name).read_bytes() + b"\0")
    assert open_checkpoint(str(damaged)).digest != open_checkpoint(str(checkpoint)).digest


def _other_kind(folder: Path) -> None:
    change(folder / "config.json", model_type="bart", architectures=["BartForConditionalGeneration"])


def _half_a_model(folder: Path) -> None:
    change(folder / "config.json", architectures=["MarianForCausalLM"])


def _converted(folder: Path) -> None:
    (folder / "config.json").write_text('{"unk_token": "<unk>"}')
    (folder / "model.bin").touch()


def _pickle_only(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _two_vocabularies(folder: Path) -> None:
    change(folder / "config.json", share_encoder_decoder_embeddings=False)


def _foreign_vocabulary(folder: Path) -> None:
    (folder / "vocab.json").write_text('{"</s>": 0, "▁a": 1}')


def _without(*names: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_without("config.json"), r"not a Marian checkpoint: it has no config\.json"),
        (_other_kind, r"model_type 'bart'.*Expected 'marian'"),
        (_half_a_model, r"architectures \['MarianForCausalLM'\]"),
        (_converted, r"model_type None.*converted for CTranslate2 already"),
        (_without("source.spm", "vocab.json"), r"lacks source\.spm, vocab\.json of the tokenizer"),
        (_pickle_only, r"pytorch_model\.bin only; that is a pickle.*save it once as model\.safetensors"),
        (_without("model.safetensors"), r"has no weights.*refs/pr/N"),
        (_two_vocabularies, r"a vocabulary for each side"),
        (_foreign_vocabulary, r"vocab\.json does not belong.*2 entries.*lacks <unk>"),
    ],
)
def test_a_folder_that_cannot_be_used_is_a_setting_to_mend(
    spoil: Callable[[Path], None], said: str, damaged: Path
) -> None:
    spoil(damaged)
    with pytest.raises(SettingsError, match=said):
        open_checkpoint(str(damaged))


def _cut_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def _a_layer_missing(folder: Path) -> None:
    change(folder / "config.json", decoder_layers=3)


def _no_json(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "mar')


def _a_list(folder: Path) -> None:
    (folder / "vocab.json").write_text('["</s>"]')


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_cut_weights, r"model\.safetensors is damaged or cut short.*fetch it again"),
        (_a_layer_missing, r"lacks 2 tensors.*model\.decoder\.layers\.1\.fc1\.weight the first"),
        (_no_json, r"config\.json is damaged.*Expected JSON"),
        (_a_list, r"vocab\.json is damaged: expected a JSON object, got list"),
    ],
)
def test_a_damaged_file_is_the_outside_world_s_fault(spoil: Callable[[Path], None], said: str, damaged: Path) -> None:
    spoil(damaged)
    with pytest.raises(SourceError, match=said):
        open_checkpoint(str(damaged))


@pytest.mark.parametrize("model", ["/nowhere/at/all", "./nowhere", "../a/b", "a/b/c"])
def test_what_is_neither_a_folder_nor_a_hub_name_is_refused(model: str) -> None:
    with pytest.raises(SettingsError, match="neither a folder that exists nor a name on the hub"):
        open_checkpoint(model)


def test_a_hub_model_is_opened_with_its_commit(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(name: str, **options: Any) -> hub.Local:
        asked.update(options, name=name)
        return hub.Local(name=name, folder=checkpoint, commit="c" * 40)

    asked: dict[str, Any] = {}
    monkeypatch.setattr(hub, "fetch", fetch)
    opened = open_checkpoint("owner/model", revision="refs/pr/2")
    assert (opened.name, opened.revision) == ("owner/model", "c" * 40)
    assert (asked["name"], asked["revision"], asked["setting"]) == ("owner/model", "refs/pr/2", "translation.model")
