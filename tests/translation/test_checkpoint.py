import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from marian_models import as_of_2020, change_weights
from messages import Golden

from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.hub import hub
from bitext_pivot.translation.checkpoint import open_checkpoint


def change(path: Path, **values: Any) -> None:
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8"
    )


def test_a_complete_checkpoint_has_name_languages_and_size(checkpoint: Path) -> None:
    found = open_checkpoint(str(checkpoint))
    assert (found.name, found.source_lang, found.target_lang) == ("tiny-fr-en", "fr", "en")
    assert (found.positions, found.target_tokens, len(found.digest)) == (64, (), 16)


def test_target_tokens_come_from_the_vocabulary(many_targets: Path, damaged: Path) -> None:
    assert open_checkpoint(str(many_targets)).target_tokens == (">>por<<", ">>spa<<")
    (damaged / "tokenizer_config.json").unlink()
    found = open_checkpoint(str(damaged))
    assert (found.source_lang, found.target_lang) == (None, None)


@pytest.mark.parametrize(
    "name", ["model.safetensors", "source.spm", "target.spm", "vocab.json", "config.json"]
)
def test_the_digest_changes_with_every_file_that_matters(
    name: str, checkpoint: Path, damaged: Path
) -> None:
    # The digest depends on the contents only.
    assert open_checkpoint(str(damaged)).digest == open_checkpoint(str(checkpoint)).digest
    if name == "model.safetensors":
        change_weights(damaged, lambda weights: weights["final_logits_bias"].fill(1))
    elif name == "vocab.json":
        entries = json.loads((damaged / name).read_text(encoding="utf-8"))
        change(damaged / name, **{"▁le": entries["▁la"], "▁la": entries["▁le"]})
    elif name == "config.json":
        change(damaged / name, scale_embedding=True)
    else:
        (damaged / name).write_bytes((damaged / name).read_bytes() + b"\0")
    assert open_checkpoint(str(damaged)).digest != open_checkpoint(str(checkpoint)).digest


def _config(**values: Any) -> Callable[[Path], None]:
    return lambda folder: change(folder / "config.json", **values)


def _without(*names: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return damage


def _file(name: str, content: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content, encoding="utf-8")


def _tokenizer(**values: Any) -> Callable[[Path], None]:
    return lambda folder: change(folder / "tokenizer_config.json", **values)


def _number(number: Any) -> Callable[[Path], None]:
    """Give the last piece of the vocabulary another number."""

    def damage(folder: Path) -> None:
        entries = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        change(folder / "vocab.json", **{list(entries)[-1]: number})

    return damage


ODD_NUMBERS: list[Any] = [[1], {}, None, "5", True, 5.0, float("nan")]
ODD_LANGUAGES: list[Any] = [["fr"], 3, {}, True]


def _piece(piece: str) -> Callable[[Path], None]:
    """Give the last number of the vocabulary another piece."""

    def damage(folder: Path) -> None:
        entries = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        *others, (_, number) = entries.items()
        (folder / "vocab.json").write_text(
            json.dumps(dict(others) | {piece: number}), encoding="utf-8"
        )

    return damage


def _converted(folder: Path) -> None:
    (folder / "config.json").write_text('{"unk_token": "<unk>"}')
    (folder / "model.bin").touch()


def _two_vocabularies(folder: Path) -> None:
    change(folder / "tokenizer_config.json", separate_vocabs=True)
    (folder / "target_vocab.json").write_text('{"</s>": 0, "<unk>": 1}')


def _numbers_with_a_gap(folder: Path) -> None:
    entries = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    change(folder / "vocab.json", **{list(entries)[-1]: len(entries)})


@pytest.mark.parametrize(
    "damage",
    [
        _without("config.json"),
        _config(model_type="bart", architectures=["BartForConditionalGeneration"]),
        _config(architectures=["MarianForCausalLM"]),
        _converted,
        _without("source.spm", "vocab.json"),
        _without("model.safetensors"),
        lambda folder: change(folder / "tokenizer_config.json", separate_vocabs=True),
        lambda folder: shutil.copy(folder / "vocab.json", folder / "target_vocab.json"),
        _two_vocabularies,
        _numbers_with_a_gap,
        _file("vocab.json", '{"</s>": 0, "▁a": 1}'),
        _config(d_model="1e9"),
        _config(encoder_layers=10**6),
        _config(encoder_attention_heads=0),
        _config(decoder_start_token_id=10**9),
        _config(pad_token_id=[1]),
        _config(vocab_size="x"),
        _config(vocab_size=None),
        _file("config.json", "[" * 100_000),
        _file("config.json", '{"model_type": "mar'),
        _file("vocab.json", '["</s>"]'),
        *(_number(number) for number in ODD_NUMBERS),
        _number(10**400),
        _piece("\ud800"),
        _piece("a\x00"),
        *(_tokenizer(source_lang=value) for value in ODD_LANGUAGES),
        _tokenizer(target_lang=["en\x1b[31m"]),
        _config(architectures=7),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused(
    damage: Callable[[Path], object], damaged: Path, golden: Golden
) -> None:
    damage(damaged)
    with golden.refused(SettingsError, SourceError):
        open_checkpoint(str(damaged))


def test_a_model_of_the_hub_needs_no_other_files(
    damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_of_2020(damaged)
    for name in (
        "README.md",
        "generation_config.json",
        "metadata.json",
        "rust_model.ot",
        "tf_model.h5",
    ):
        (damaged / name).touch()
    local = tmp_path / "local"
    local.mkdir()

    digest = open_checkpoint(str(damaged)).digest

    def fetch(
        model: str, *, choose: Callable[[list[str]], list[str]], setting: str, revision: str | None
    ) -> hub.LocalModel:
        assert (model, setting, revision) == ("owner/model", "translation.model", "refs/pr/2")
        for name in choose(sorted(path.name for path in damaged.iterdir())):
            shutil.copy(damaged / name, local / name)
        config = json.loads((local / "config.json").read_text(encoding="utf-8"))
        return hub.LocalModel(name=model, folder=local, commit="1f3c", config=config)

    monkeypatch.setattr(hub, "fetch", fetch)
    found = open_checkpoint("owner/model", revision="refs/pr/2")
    assert (found.name, found.source_lang) == ("owner/model", "fr")
    assert sorted(path.name for path in local.iterdir()) == [
        "config.json", "pytorch_model.bin", "source.spm", "target.spm", "tokenizer_config.json", "vocab.json",
    ]  # fmt: skip
    assert found.digest == digest
