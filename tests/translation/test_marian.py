import itertools
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from safetensors.numpy import load_file, save_file

from pairs.errors import SettingsError, ShardError, SourceError
from translation import conversion
from translation.checkpoint import open_checkpoint
from translation.conversion import convert
from translation.kernels import ctranslate2
from translation.marian import Compute, Marian
from translation.models import Advanced, Translation, load
from translation.pieces import Limits, Pieces

ROOT = Path(__file__).parents[2]


def engine(checkpoint: Path, models_folder: Path, *, ratio: float = 3.0, beam: int = 4, **compute: Any) -> Marian:
    compute = {"quantization": "int8"} | compute
    folder = convert(open_checkpoint(str(checkpoint)), models_folder, compute["quantization"])
    pieces = Pieces(checkpoint, prefix="", punctuation="moses", language="fr")
    limits = Limits(beam_size=beam, max_tokens=60, max_ratio=ratio, positions=64)
    return Marian(folder, pieces, limits, Compute(**compute), signature="test")


@pytest.mark.parametrize("quantization", ["int8", "float32"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch", [3, 8, 64])
def test_a_translation_depends_on_the_text_alone(
    quantization: str, threads: int, batch: int, checkpoint: Path, models_folder: Path, salad: list[str]
) -> None:
    alone = engine(checkpoint, models_folder, quantization=quantization, batch=1)
    expected = {text: alone.translate([text])[0] for text in salad}
    shuffled = random.Random(batch).sample(salad, len(salad))
    together = engine(checkpoint, models_folder, quantization=quantization, batch=batch, threads=threads)
    assert together.translate(shuffled) == [expected[text] for text in shuffled]
    assert len(set(expected.values())) > 60


def test_scores_are_equal_to_the_last_bit_in_batches_of_one_length(
    checkpoint: Path, models_folder: Path, salad: list[str]
) -> None:
    """Texts can agree by luck; scores would show the smallest change."""
    folder = convert(open_checkpoint(str(checkpoint)), models_folder, "int8")
    translator = ctranslate2.Translator(str(folder), compute_type="int8", intra_threads=1)
    pieces = Pieces(checkpoint, prefix="", punctuation="moses", language="fr")
    rows = sorted((pieces.encode(text, 60) for text in salad), key=len)
    same = [list(group) for _, group in itertools.groupby(rows, key=len)]

    def scores(batch: list[list[str]]) -> list[float]:
        return [found.scores[0] for found in translator.translate_batch(batch, beam_size=4, return_scores=True)]

    assert max(map(len, same)) > 4
    for group in same:
        assert scores(group) == [scores([row])[0] for row in group]


def test_the_model_is_handed_batches_of_one_length(
    checkpoint: Path, models_folder: Path, salad: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    marian = engine(checkpoint, models_folder)
    batches: list[list[list[str]]] = []
    start = marian._start
    monkeypatch.setattr(marian, "_start", lambda rows: batches.append(rows) or start(rows))
    marian.translate(salad)
    assert [len({len(row) for row in batch}) for batch in batches] == [1] * len(batches)
    assert max(map(len, batches)) == 8
    assert sum(map(len, batches)) == len(salad)


def test_only_int8_on_a_cpu_shares_a_batch() -> None:
    assert Compute(quantization="int8").at_once == 8
    assert Compute(quantization="float32").at_once == 1
    assert Compute(quantization="int8", device="cuda").at_once == 1


@pytest.mark.parametrize(("beam", "agreeing"), [(1, 120), (4, 115)])
def test_it_agrees_with_transformers(
    beam: int, agreeing: int, checkpoint: Path, models_folder: Path, salad: list[str]
) -> None:
    written = []
    for kind in ("marian", "marian-transformers"):
        advanced = Advanced(beam_size=beam, quantization="float32", max_tokens=60)
        translation = Translation(engine=kind, model=str(checkpoint), advanced=advanced)
        written.append(load(translation, "fr", "en", models_folder=models_folder).translate(salad))
    assert sum(ours == theirs for ours, theirs in zip(*written, strict=True)) >= agreeing


def test_blank_unsound_and_endless_texts_get_nothing_and_change_no_other(checkpoint: Path, models_folder: Path) -> None:
    marian = engine(checkpoint, models_folder)
    texts = ["", "Le chat dort.", " \n", "\ud83d", "a\0b", "chat" * 25_000, "Le chat dort."]
    expected = marian.translate(["Le chat dort."])[0]
    assert marian.translate(texts) == ["", expected, "", "", "", "", expected]
    assert expected != ""
    assert marian.translate([]) == []


def test_characters_it_never_saw_are_translated_around(checkpoint: Path, models_folder: Path) -> None:
    written = engine(checkpoint, models_folder).translate(["Le chat 日本 dort 😀.", "\x01\x02"])
    assert written[0] != ""
    assert "<unk>" not in "".join(written)


def test_a_translation_that_finds_no_end_is_none_instead_of_a_cut_one(
    checkpoint: Path, models_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Le chat dort dans la maison rouge."
    monkeypatch.setattr(Limits, "longest_output", lambda *_: 2)
    assert engine(checkpoint, models_folder).translate([text]) == [""]
    monkeypatch.undo()
    assert engine(checkpoint, models_folder).translate([text]) != [""]


def test_a_model_is_converted_once(checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = open_checkpoint(str(checkpoint))
    folder = convert(found, tmp_path, "int8")
    assert folder.name == f"tiny-fr-en-{found.digest}-int8-7bit"
    monkeypatch.setattr("translation.conversion._convert", lambda *_: pytest.fail("converted again"))
    assert convert(found, tmp_path, "int8") == folder


def test_a_conversion_that_was_killed_leaves_nothing_that_is_used(checkpoint: Path, tmp_path: Path) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path; import translation.conversion as conversion\n"
        "conversion._rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from translation.checkpoint import open_checkpoint\n"
        "conversion.convert(open_checkpoint(sys.argv[1]), Path(sys.argv[2]), 'int8')\n"
    )
    command = [sys.executable, "-c", program, str(checkpoint), str(tmp_path)]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    assert done.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == []
    assert engine(checkpoint, tmp_path).translate(["Le chat dort."]) != [""]


def test_two_that_convert_at_once_end_with_one_whole_folder(checkpoint: Path, tmp_path: Path) -> None:
    found = open_checkpoint(str(checkpoint))
    folders: list[Path] = []
    workers = [threading.Thread(target=lambda: folders.append(convert(found, tmp_path, "int8"))) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert len(folders) == 2
    assert set(tmp_path.iterdir()) == set(folders)
    assert sorted(path.name for path in folders[0].iterdir()) == ["config.json", "model.bin", "shared_vocabulary.json"]


def test_a_decoder_that_does_not_start_from_zeros_starts_as_trained(
    checkpoint: Path, damaged: Path, models_folder: Path, salad: list[str]
) -> None:
    """Training on with transformers moves the vector of the padding, which is what the decoder starts from."""
    weights = load_file(damaged / "model.safetensors")
    weights["model.shared.weight"][-1] = 4 * weights["model.shared.weight"][40]
    save_file(weights, damaged / "model.safetensors", metadata={"format": "pt"})
    advanced = Advanced(beam_size=1, quantization="float32", max_tokens=60)
    before, ours, theirs = (
        load(
            Translation(engine=kind, model=str(model), advanced=advanced),
            "fr",
            "en",
            models_folder=models_folder,
        ).translate(salad)
        for kind, model in (("marian", checkpoint), ("marian", damaged), ("marian-transformers", damaged))
    )
    assert ours == theirs
    assert ours != before


def test_weights_that_do_not_fit_their_configuration_are_refused(damaged: Path, tmp_path: Path) -> None:
    weights = load_file(damaged / "model.safetensors")
    weights["model.encoder.layers.0.fc1.weight"] = weights["model.encoder.layers.0.fc1.weight"][:, :-1].copy()
    save_file(weights, damaged / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(SourceError, match=r"in another shape, model\.encoder\.layers\.0\.fc1\.weight the first"):
        convert(open_checkpoint(str(damaged)), tmp_path / "models", "int8")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_converted_folder_that_is_damaged_says_to_delete_it(checkpoint: Path, tmp_path: Path) -> None:
    folder = convert(open_checkpoint(str(checkpoint)), tmp_path, "int8")
    (folder / "model.bin").write_bytes((folder / "model.bin").read_bytes()[:2000])
    with pytest.raises(SourceError, match=r"cannot be loaded.*Delete that folder: it will be written again"):
        engine(checkpoint, tmp_path)


def test_a_quantisation_that_the_cpu_lacks_names_those_it_has(checkpoint: Path, models_folder: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"does not compute in 'float16'.*translation\.advanced\.quantization .*int8"
    ):
        engine(checkpoint, models_folder, quantization="float16")


@pytest.mark.skipif(ctranslate2.get_cuda_device_count() > 0, reason="needs a machine without a GPU")
def test_a_device_that_is_not_there_is_a_setting_to_correct(checkpoint: Path, models_folder: Path) -> None:
    with pytest.raises(SettingsError, match=r"no device 'cuda' here.*BITEXT_PIVOT_DEVICE"):
        engine(checkpoint, models_folder, device="cuda")


def test_a_search_that_breaks_down_fails_the_shard(
    checkpoint: Path, models_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marian = engine(checkpoint, models_folder)

    def out_of_memory(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(marian, "_start", out_of_memory)
    with pytest.raises(ShardError, match=r"failed on a batch \(out of memory\).*run again"):
        marian.translate(["Le chat dort."])


@given(arrays(numpy.float32, (3, 4), elements=st.floats(-8, 8, width=32)))
def test_int8_weights_use_seven_bits_and_keep_half_a_step(weight: numpy.ndarray) -> None:
    """Larger ones overflow the 16-bit sums of processors without VNNI."""
    layer = ctranslate2.specs.common_spec.LinearSpec()
    layer.weight = weight
    conversion._quantize(layer)
    assert layer.weight.dtype == numpy.int8
    assert numpy.abs(layer.weight).max() <= 63
    assert (numpy.abs(layer.weight / layer.weight_scale[:, None] - weight) <= 0.501 / layer.weight_scale[:, None]).all()
