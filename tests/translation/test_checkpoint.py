import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from marian_models import as_of_2020
from safetensors.numpy import load_file, save_file

from pairs.checkpoints import hub
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
        entries = json.loads((damaged / name).read_text(encoding="utf-8"))
        change(damaged / name, **{"▁le": entries["▁la"], "▁la": entries["▁le"]})
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


def _one_vocabulary_missing(folder: Path) -> None:
    change(folder / "tokenizer_config.json", separate_vocabs=True)


def _a_second_vocabulary(folder: Path) -> None:
    (folder / "target_vocab.json").write_bytes((folder / "vocab.json").read_bytes())


def _a_target_vocabulary_of_another_size(folder: Path) -> None:
    _one_vocabulary_missing(folder)
    (folder / "target_vocab.json").write_text('{"</s>": 0, "<unk>": 1}')


def _numbers_with_a_gap(folder: Path) -> None:
    entries = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    change(folder / "vocab.json", **{list(entries)[-1]: len(entries)})


def _a_layer_of_2020(folder: Path) -> None:
    change(folder / "config.json", normalize_embedding=True)


def _foreign_vocabulary(folder: Path) -> None:
    (folder / "vocab.json").write_text('{"</s>": 0, "▁a": 1}')


def _without(*names: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            _without("config.json"),
            r"translation\.model is .*no model in Hugging Face's format: config\.json is missing",
        ),
        (_other_kind, r"model_type 'bart'.*Expected 'marian'"),
        (_half_a_model, r"architectures \['MarianForCausalLM'\]"),
        (_converted, r"model_type None.*converted for CTranslate2 already"),
        (_without("source.spm", "vocab.json"), r"lacks source\.spm, vocab\.json of the tokenizer"),
        (_without("model.safetensors"), r"has no weights: expected model\.safetensors or pytorch_model\.bin"),
        (_one_vocabulary_missing, r"separate_vocabs: true, but target_vocab\.json is missing"),
        (_a_second_vocabulary, r"separate_vocabs: false, but target_vocab\.json is there"),
        (_a_target_vocabulary_of_another_size, r"target_vocab\.json does not belong to this model: it has 2 entries"),
        (_numbers_with_a_gap, r"vocab\.json does not belong.*one entry per number"),
        (_a_layer_of_2020, r"no longer computes: config\.json says normalize_embedding: true"),
        (_foreign_vocabulary, r"vocab\.json does not belong.*2 entries.*lacks <unk>"),
    ],
)
def test_a_folder_that_cannot_be_used_is_a_setting_to_correct(
    damage: Callable[[Path], None], message: str, damaged: Path
) -> None:
    damage(damaged)
    with pytest.raises(SettingsError, match=message):
        open_checkpoint(str(damaged))


def _no_json(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "mar')


def _a_list(folder: Path) -> None:
    (folder / "vocab.json").write_text('["</s>"]')


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_no_json, r"config\.json is damaged.*Expected JSON"),
        (_a_list, r"vocab\.json is damaged: expected a JSON object, got list"),
    ],
)
def test_a_damaged_file_is_a_source_error(damage: Callable[[Path], None], message: str, damaged: Path) -> None:
    damage(damaged)
    with pytest.raises(SourceError, match=message):
        open_checkpoint(str(damaged))


def test_a_model_of_the_hub_is_opened_without_the_files_that_are_not_read(
    damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_of_2020(damaged)
    for name in ("README.md", "generation_config.json", "metadata.json", "rust_model.ot", "tf_model.h5"):
        (damaged / name).touch()
    local = tmp_path / "local"
    local.mkdir()

    digest = open_checkpoint(str(damaged)).digest

    def fetch(model: str, *, choose: Callable[[list[str]], list[str]], setting: str, revision: str | None) -> hub.Local:
        assert (model, setting, revision) == ("owner/model", "translation.model", "refs/pr/2")
        for name in choose(sorted(path.name for path in damaged.iterdir())):
            shutil.copy(damaged / name, local / name)
        config = json.loads((local / "config.json").read_text(encoding="utf-8"))
        return hub.Local(name=model, folder=local, commit="1f3c", config=config)

    monkeypatch.setattr(hub, "fetch", fetch)
    found = open_checkpoint("owner/model", revision="refs/pr/2")
    assert (found.name, found.revision, found.source_lang) == ("owner/model", "1f3c", "fr")
    assert sorted(path.name for path in local.iterdir()) == [
        "config.json", "pytorch_model.bin", "source.spm", "target.spm", "tokenizer_config.json", "vocab.json",
    ]  # fmt: skip
    assert found.digest == digest
