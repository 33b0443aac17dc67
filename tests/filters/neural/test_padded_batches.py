"""Encoders on a GPU: padded batches, run on the CPU in its place, against packs and the bert_score package."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.hub.weights import loading
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural import padded_batches
from bitext_pivot.filters.neural.bertscore import BertscoreFilter
from bitext_pivot.filters.neural.encoder import Encoder, load_encoder
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.matching import MatchScore
from bitext_pivot.filters.neural.meaning import MeaningFilter
from bitext_pivot.filters.neural.padded_batches import encode_padded

if TYPE_CHECKING:
    import torch

MINILM = "all-MiniLM-L6-v2"
PAIRS = [
    ("We left early and they came .", "We left early . They came ."),
    ("Rain .", "Although it rained , my sister sold 3 tickets in the market of the old town ."),
    (
        "He forgot the naïve plan to go to Łódź .",
        "He had a naïve plan . It was to go to Łódź ; he forgot it .",
    ),
    ("word", ""),
    ("Rain .", "Rain ."),
]


@pytest.fixture
def on_gpu(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    """The encoder as it is loaded for a GPU, left on the CPU."""
    moved: list[str] = []

    def stay(model: Any, precision: str) -> Any:
        moved.append(precision)
        return model

    monkeypatch.setattr(padded_batches, "move_to_gpu", stay)
    uncached: Any = load_encoder
    loaded: Encoder = uncached.__wrapped__(fetch_checkpoint(MINILM, 6), "float32", "cuda")
    assert moved == ["float32"]
    return loaded


def difference(found: list[MatchScore], expected: list[Any]) -> float:
    pairs = zip(found, expected, strict=True)
    return max(float(abs(a - b)) for one, two in pairs for a, b in zip(one, two, strict=True))


def test_padded_batches_equal_packs_and_the_package(on_gpu: Encoder) -> None:
    from bert_score import BERTScorer

    found = on_gpu.compare(PAIRS, 1)
    assert (
        difference(found, load_encoder(fetch_checkpoint(MINILM, 6), "float32").compare(PAIRS, 1))
        <= 2e-6
    )
    with loading():
        scorer = BERTScorer(
            model_type=str(fetch_checkpoint(MINILM, 6).folder), num_layers=6, device="cpu"
        )
    columns = scorer.score([one for one, _ in PAIRS[:3]], [two for _, two in PAIRS[:3]])
    assert (
        difference(found[:3], list(zip(*(column.tolist() for column in columns), strict=True)))
        <= 2e-6
    )
    assert found[3] == MatchScore(0, 0, 0)
    assert on_gpu.compare([], 1) == []
    assert found[4].f1 == pytest.approx(1, abs=1e-6)


class Model:
    """Gives each token the vector of its number; has memory for `room` texts."""

    device = "cpu"

    def __init__(self, room: int = 100, scale: float = 1.0) -> None:
        self.room, self.scale, self.shapes = room, scale, list[tuple[int, ...]]()

    def __call__(
        self, input_ids: "torch.Tensor", attention_mask: "torch.Tensor"
    ) -> "tuple[torch.Tensor]":
        import torch

        self.shapes.append(tuple(input_ids.shape))
        assert (attention_mask == (input_ids != 0)).all()
        if len(input_ids) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        angles = input_ids.double()
        return (torch.stack([angles.cos(), angles.sin()], dim=-1) * self.scale,)


def texts(*lengths: int) -> list[list[int]]:
    return [[*range(1, length + 1)] for length in lengths]


def is_near(found: "list[torch.Tensor]", expected: "list[torch.Tensor]") -> bool:
    import torch

    return all(
        torch.allclose(one, two, atol=1e-6) for one, two in zip(found, expected, strict=True)
    )


def test_a_batch_holds_limited_texts_of_like_length() -> None:
    model, rows = Model(), texts(3, 9, 1, 4, 4, 2, 30)
    together = encode_padded(model, rows, 0, tokens=12)
    assert model.shapes == [(1, 30), (1, 9), (3, 4), (2, 2)]
    assert [len(vectors) for vectors in together] == [3, 9, 1, 4, 4, 2, 30]
    assert is_near(together, [encode_padded(Model(), [row], 0)[0] for row in rows])


def test_a_text_too_large_fails_and_overflowing_vectors_are_refused() -> None:
    with pytest.raises(
        ShardError, match=r"failed on the GPU .*out of memory.*BITEXT_PIVOT_DEVICE=cpu"
    ):
        encode_padded(Model(room=0), texts(3, 4), 0)
    with pytest.raises(SettingsError, match=r"overflow in the number format.*mode to reference"):
        encode_padded(Model(scale=float("inf")), texts(3, 4), 0)


def test_numbers_of_two_devices_have_stores_of_their_own(runtime: Runtime) -> None:
    filters = [BertscoreFilter(), BertscoreFilter(mode="reference"), MeaningFilter()]
    on_cpu = {one.signature(runtime) for one in filters}
    fast, reference, meaning = (one.signature(replace(runtime, device="cuda")) for one in filters)
    assert not {fast, reference, meaning} & on_cpu
    assert " fast float16 torch-" in fast and fast.endswith(":cuda")
    assert " reference float32 torch-" in reference and ":cuda " in reference
    assert " float16 torch-" in meaning and meaning.endswith(":cuda")
