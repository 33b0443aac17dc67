"""Every layout of OPUS-MT through the engine, beside `MarianMTModel.generate` and MarianTokenizer."""

import json
from pathlib import Path
from typing import Any

import pytest
from marian_models import as_of_2020, random_model, write_tokenizer

from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.conversion import convert_checkpoint
from bitext_pivot.translation.marian import ComputeOptions, MarianEngine
from bitext_pivot.translation.pieces import PieceTokenizer, SearchLimits

LIMITS = SearchLimits(beam_size=1, max_tokens=60, max_ratio=1.0, positions=64)
LAYOUTS: dict[str, dict[str, Any]] = {
    "joint, as of 2020": {"activation_function": "swish", "scale_embedding": True, "of_2020": True},
    "several targets, as of 2020": {"tokens": (">>spa<<", ">>por<<"), "of_2020": True},
    "target larger": {"target_size": 145, "share_encoder_decoder_embeddings": False, "activation_function": "relu"},
    "target smaller": {"target_size": 90, "share_encoder_decoder_embeddings": False, "activation_function": "gelu"},
    "sides of one size": {"target_size": 130, "share_encoder_decoder_embeddings": False, "of_2020": True},
    "joint vocabulary, own embeddings": {"share_encoder_decoder_embeddings": False},
    "sides and output untied": {
        "target_size": 145, "share_encoder_decoder_embeddings": False, "tie_word_embeddings": False,
        "scale_embedding": True,
    },
}  # fmt: skip


@pytest.fixture(scope="module", params=LAYOUTS, ids=list(LAYOUTS))
def layout(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of random weights."""
    import torch

    options = dict(LAYOUTS[request.param])
    folder = tmp_path_factory.mktemp("layouts") / "model"
    is_of_2020 = options.pop("of_2020", False)
    own = {name: options.pop(name) for name in ("tokens", "target_size") if name in options}
    source, target = write_tokenizer(folder, **own)
    start = min(source, target) - 1  # that of the source where the target has it too
    model = random_model(
        source, target, init_std=0.6, decoder_start_token_id=start, pad_token_id=start, forced_eos_token_id=None,
        **options,
    )  # fmt: skip
    torch.manual_seed(4)
    model.final_logits_bias.normal_(std=0.5)
    model.final_logits_bias[0, 0] = 8.0  # so that some translations end
    for name, weights in model.named_parameters():
        if name.endswith("layer_norm.weight"):
            weights.data.normal_(mean=1.0, std=0.2)
    model.save_pretrained(folder)
    if is_of_2020:
        as_of_2020(folder)
    return folder


def _target(folder: Path) -> dict[str, int]:
    path = folder / "target_vocab.json"
    vocabulary = (path if path.is_file() else folder / "vocab.json").read_text(encoding="utf-8")
    return dict[str, int](json.loads(vocabulary))


def test_the_engine_writes_the_pieces_that_generate_writes(layout: Path, salad: list[str]) -> None:
    """Beams of CTranslate2 stop by another rule, which shows on random weights; test_marian compares them on trained
    ones."""
    from marian_transformers import reference  # torch is slow to import

    prefix = ">>por<<" if ">>por<<" in _target(layout) else ""
    write, texts = reference(layout, LIMITS, is_scored=False), salad[:20]
    expected = [write(f"{prefix} {text}".strip())[0] for text in texts]
    assert len(set(map(tuple, expected))) > 10
    assert any("</s>" in row for row in expected)
    pieces = PieceTokenizer(layout, prefix=prefix, punctuation="kept", language="fr")
    converted = convert_checkpoint(
        open_checkpoint(str(layout)), layout.parent / "converted", "float32"
    )
    engine = MarianEngine(
        converted, pieces, LIMITS, ComputeOptions(quantization="float32"), signature=""
    )
    written = engine.search([pieces.encode(text, 60) for text in texts])
    equal = sum(one == other for (one, _), other in zip(written, expected, strict=True))
    assert equal >= 19


def test_the_pieces_are_those_of_marian_tokenizer(layout: Path, salad: list[str]) -> None:
    import transformers

    tokenizer = transformers.MarianTokenizer.from_pretrained(layout)
    tokens = sorted(piece for piece in tokenizer.get_vocab() if piece.startswith(">>"))
    known = json.loads((layout / "vocab.json").read_text(encoding="utf-8"))
    for prefix in ["", *tokens]:
        pieces = PieceTokenizer(layout, prefix=prefix, punctuation="kept", language="fr")
        for text in [*salad[:20], "L'été à Zürich, 12 h 30 !", "日本 et 😀"]:
            numbers = [known.get(piece, known["<unk>"]) for piece in pieces.encode(text, 400)]
            assert numbers == tokenizer(f"{prefix} {text}".strip()).input_ids
