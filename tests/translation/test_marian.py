"""Marian in CTranslate2 beside transformers, on a small trained checkpoint; conversion for CTranslate2."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from builds import tree
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marian_models import change_weights, texts, translation
from messages import Golden

from bitext_pivot.core.errors import BuildError, SettingsError, ShardError, SourceError
from bitext_pivot.translation import conversion
from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.conversion import convert_checkpoint
from bitext_pivot.translation.engine import NO_TRANSLATION
from bitext_pivot.translation.kernels import ctranslate2
from bitext_pivot.translation.marian import ComputeOptions, MarianEngine
from bitext_pivot.translation.models import load_engine
from bitext_pivot.translation.pieces import PieceTokenizer, SearchLimits

ROOT = Path(__file__).parents[2]
QUICKSTART = ROOT / "quickstart" / "models" / "marian-frdees-en"
LIMITS = SearchLimits(beam_size=4, max_tokens=60, max_ratio=3.0, positions=64)


def marian(checkpoint: Path, models_folder: Path, **compute: Any) -> MarianEngine:
    compute = {"quantization": "int8"} | compute
    folder = convert_checkpoint(
        open_checkpoint(str(checkpoint)), models_folder, compute["quantization"]
    )
    pieces = PieceTokenizer(checkpoint, prefix="", punctuation="moses", language="fr")
    return MarianEngine(folder, pieces, LIMITS, ComputeOptions(**compute), signature="test")


def by_transformers(
    checkpoint: Path, limits: SearchLimits, sources: list[str]
) -> list[tuple[str, float]]:
    """The translation of each text by transformers alone, and its confidence."""
    from marian_transformers import reference  # torch is slow to import

    pieces = PieceTokenizer(checkpoint, prefix="", punctuation="moses", language="fr")
    return [
        (pieces.decode(row), score) for row, score in map(reference(checkpoint, limits), sources)
    ]


@pytest.mark.parametrize(
    ("quantization", "threads", "batch"), [("int8", 1, 3), ("int8", 2, 64), ("float32", 2, 8)]
)
def test_a_translation_depends_on_the_text_alone(
    quantization: str,
    threads: int,
    batch: int,
    checkpoint: Path,
    models_folder: Path,
    salad: list[str],
) -> None:
    alone = marian(checkpoint, models_folder, quantization=quantization, batch=1)
    expected = {text: alone.translate([text])[0] for text in salad}  # confidence included
    shuffled = random.Random(batch).sample(salad, len(salad))
    together = marian(
        checkpoint, models_folder, quantization=quantization, batch=batch, threads=threads
    )
    assert together.translate(shuffled) == [expected[text] for text in shuffled]
    assert len(set(expected.values())) > 60


@pytest.mark.quickstart
@pytest.mark.parametrize("beam", [1, 4])
def test_texts_and_confidence_are_those_of_transformers(beam: int, models_folder: Path) -> None:
    """`generate` leaves some probability to pieces that are never written, CTranslate2 none to an early `</s>`."""
    sources = [
        "Il pleuvait.",
        "Le chat de ma voisine dort dans le jardin, mais il n'aime pas la pluie.",
        "Où es-tu ?",
    ]
    settings = translation(QUICKSTART, beam_size=beam, quantization="float32")
    ours = load_engine(settings, "fr", "en", models_folder=models_folder).translate(sources)
    limits = SearchLimits(beam_size=beam, max_tokens=400, max_ratio=3.0, positions=512)
    theirs, expected = zip(*by_transformers(QUICKSTART, limits, sources), strict=True)
    assert [output.text for output in ours] == list(theirs)
    assert [output.confidence for output in ours] == pytest.approx(expected, abs=2e-4)
    assert len({round(confidence, 2) for confidence in expected}) == 3


def test_an_endless_text_has_no_translation_and_changes_no_other(
    checkpoint: Path, models_folder: Path
) -> None:
    loaded = marian(checkpoint, models_folder)
    expected = loaded.translate(["Le chat dort."])[0]
    assert loaded.translate(["Le chat dort.", "chat" * 25_000, "Le chat dort."]) == [
        expected,
        NO_TRANSLATION,
        expected,
    ]
    assert expected != NO_TRANSLATION
    assert loaded.translate(["Le chien mange.", "Le chat dort."])[1] == expected
    assert loaded.translate([]) == []


def test_unknown_characters_are_left_out(checkpoint: Path, models_folder: Path) -> None:
    outputs = texts(marian(checkpoint, models_folder), ["Le chat 日本 dort 😀.", "\x01\x02"])
    assert outputs[0] != ""
    assert "<unk>" not in "".join(outputs)


def test_a_search_that_runs_out_of_memory_fails_the_shard(
    checkpoint: Path, models_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = marian(checkpoint, models_folder)

    def fail(*_: Any) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(loaded, "_start", fail)
    with pytest.raises(
        ShardError, match=r"failed on .* \(out of memory\).*run again.*BITEXT_PIVOT_"
    ):
        loaded.translate(["Le chat dort."])


def test_a_model_is_converted_once(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_checkpoint(str(checkpoint))
    folder = convert_checkpoint(opened, tmp_path, "int8")
    assert folder.name == f"tiny-fr-en-{opened.digest}-int8-7bit"
    monkeypatch.setattr(
        "bitext_pivot.translation.conversion._write_converted_model",
        lambda *_: pytest.fail("converted again"),
    )
    assert convert_checkpoint(opened, tmp_path, "int8") == folder


def test_a_model_that_ctranslate2_does_not_support_is_refused(
    damaged: Path, tmp_path: Path, golden: Golden
) -> None:
    config = json.loads((damaged / "config.json").read_text())
    (damaged / "config.json").write_text(json.dumps(config | {"activation_function": "tanh"}))
    with golden.refused(SourceError):
        convert_checkpoint(open_checkpoint(str(damaged)), tmp_path / "converted", "int8")


def test_a_folder_of_models_that_cannot_be_written_is_named(
    checkpoint: Path, tmp_path: Path, golden: Golden
) -> None:
    (tmp_path / "file").write_text("in the way")
    with golden.refused(SourceError):
        convert_checkpoint(open_checkpoint(str(checkpoint)), tmp_path / "file" / "models", "int8")


def test_a_fault_of_the_conversion_itself_is_not_blamed_on_the_model(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AttributeError("a fault of this program")

    monkeypatch.setattr(conversion, "_keep_rows", fail)
    with pytest.raises(AttributeError):
        convert_checkpoint(open_checkpoint(str(checkpoint)), tmp_path, "int8")


@pytest.mark.nightly
def test_a_killed_conversion_leaves_no_folder_that_is_used(
    checkpoint: Path, tmp_path: Path
) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path; import bitext_pivot.translation.conversion as conversion\n"
        "conversion._move_into_place = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from bitext_pivot.translation.checkpoint import open_checkpoint\n"
        "conversion.convert_checkpoint(open_checkpoint(sys.argv[1]), Path(sys.argv[2]), 'int8')\n"
    )
    command = [sys.executable, "-c", program, str(checkpoint), str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    assert done.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == []
    assert marian(checkpoint, tmp_path).translate(["Le chat dort."]) != [NO_TRANSLATION]


def test_a_decoder_without_zero_start_starts_as_trained(
    checkpoint: Path, damaged: Path, models_folder: Path, salad: list[str]
) -> None:
    """Training with transformers moves the vector of the padding, from which the decoder starts."""

    def move_start(weights: dict[str, Any]) -> None:
        weights["model.shared.weight"][-1] = 4 * weights["model.shared.weight"][40]

    change_weights(damaged, move_start)
    before, ours = (
        texts(load_engine(
            translation(model, beam_size=1, quantization="float32", max_tokens=60),
            "fr", "en", models_folder=models_folder,
        ), salad[:40])
        for model in (checkpoint, damaged)
    )  # fmt: skip
    limits = SearchLimits(beam_size=1, max_tokens=60, max_ratio=3.0, positions=64)
    assert ours == [text for text, _ in by_transformers(damaged, limits, salad[:40])]
    assert ours != before


def _crop(weights: dict[str, Any]) -> None:
    weights["model.encoder.layers.0.fc1.weight"] = weights["model.encoder.layers.0.fc1.weight"][
        :, :-1
    ].copy()


def _crop_positions(weights: dict[str, Any]) -> None:
    weights["model.encoder.embed_positions.weight"] = weights["model.shared.weight"][:2, :2].copy()


def _add(weights: dict[str, Any]) -> None:
    weights["model.encoder.layernorm_embedding.weight"] = weights["final_logits_bias"]


@pytest.mark.parametrize(
    "damage",
    [
        _crop,
        _crop_positions,
        lambda weights: weights.pop("model.decoder.layers.0.encoder_attn.k_proj.bias"),
        lambda weights: weights.pop("final_logits_bias"),
        _add,
    ],
)
def test_weights_must_fit_to_the_last_tensor(
    damage: Callable[[dict[str, Any]], object], damaged: Path, tmp_path: Path, golden: Golden
) -> None:
    change_weights(damaged, damage)
    with golden.refused(SourceError):
        marian(damaged, tmp_path / "models")
    assert not list(tmp_path.glob("models/*"))


def flip(path: Path, bits: int) -> None:
    content = bytearray(path.read_bytes())
    for place in random.Random(bits).sample(range(len(content)), bits):
        content[place] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(("name", "harm", "problem"), [
    ("model.bin", lambda path: flip(path, 1), "model.bin has another SHA-256"),
    ("model.bin", lambda path: flip(path, 30), "model.bin has another SHA-256"),
    ("model.bin", lambda path: os.truncate(path, 2_000), "model.bin has 2,000 bytes instead of "),
    ("shared_vocabulary.json", lambda path: flip(path, 3), "shared_vocabulary.json has another SHA-256"),
    ("config.json", Path.unlink, "config.json is missing"),
    ("manifest.json", Path.unlink, "manifest.json is missing or damaged"),
])  # fmt: skip
def test_a_damaged_converted_model_is_converted_again(
    name: str, harm: Callable[[Path], object], problem: str,
    checkpoint: Path, models_folder: Path, tmp_path: Path, salad: list[str], caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    final = convert_checkpoint(open_checkpoint(str(checkpoint)), models_folder, "int8")
    copy = shutil.copytree(final, tmp_path / final.name)
    harm(copy / name)
    engine = marian(checkpoint, tmp_path)
    (line,) = caplog.messages
    assert line.startswith(f"The converted model {final.name} is converted again: {problem}")
    assert [path.name for path in tmp_path.iterdir()] == [final.name] and tree(copy) == tree(final)
    assert engine.translate(salad[:8]) == marian(checkpoint, models_folder).translate(salad[:8])


@pytest.mark.parametrize("values", [
    {"scale_embedding": "x"}, {"share_encoder_decoder_embeddings": 3}, {"dtype": "x"}, {"activation_function": "x"},
    {"decoder_attention_heads": 7}, {"id2label": 3}, {"num_hidden_layers": "x"},
], ids=str)  # fmt: skip
def test_a_configuration_that_transformers_refuses_is_said_in_one_line(
    values: dict[str, Any], damaged: Path, tmp_path: Path, golden: Golden
) -> None:
    path = damaged / "config.json"
    entries = json.loads(path.read_text(encoding="utf-8")) | values
    path.write_text(json.dumps(entries), encoding="utf-8")
    with golden.refused(BuildError) as raised:
        marian(damaged, tmp_path / "models").translate(["Le chat dort."])
    assert len(str(raised.value).splitlines()) == 1


def test_a_quantization_that_the_cpu_lacks_lists_those_it_has(
    checkpoint: Path, models_folder: Path
) -> None:
    message = r"does not compute in 'float16'.*translation\.advanced\.quantization .*int8"
    with pytest.raises(SettingsError, match=message):
        marian(checkpoint, models_folder, quantization="float16")


@pytest.mark.skipif(ctranslate2.get_cuda_device_count() > 0, reason="needs a machine without a GPU")
def test_a_missing_device_is_refused(checkpoint: Path, models_folder: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"no device 'cuda' on this machine.*BITEXT_PIVOT_DEVICE"
    ):
        marian(checkpoint, models_folder, device="cuda")


@given(arrays(numpy.float32, (3, 4), elements=st.floats(-8, 8, width=32)))
def test_int8_weights_use_seven_bits_exact_to_half_a_step(weight: numpy.ndarray) -> None:
    """Larger ones overflow the 16-bit sums of processors without VNNI."""
    layer = ctranslate2.specs.common_spec.LinearSpec()
    layer.weight = weight
    conversion._quantize(layer)
    assert layer.weight.dtype == numpy.int8
    assert numpy.abs(layer.weight).max() <= 63
    assert (
        numpy.abs(layer.weight / layer.weight_scale[:, None] - weight)
        <= 0.501 / layer.weight_scale[:, None]
    ).all()
