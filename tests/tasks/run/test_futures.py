"""The order of shards: each goes through all stages, and a GPU never waits for the cores while it has texts to come."""

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bitext_pivot.core.errors import ShardError

SHARDS = [Path(f"{number}.parquet") for number in range(12)]


RunStages = Callable[..., list[Path]]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The shards of the last stage whose first rows are shown."""
    from bitext_pivot.tasks.run import futures

    shards: list[Path] = []
    monkeypatch.setattr(futures, "first_rows", lambda recipe: shards.append)
    return shards


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What stands beside the bar of each stage."""
    from bitext_pivot.tasks.run import stage_progress

    numbers: dict[str, str] = {}

    def show(name: str, done: int, total: int, beside: str) -> None:
        numbers[name] = beside.partition(",")[0]

    monkeypatch.setattr(stage_progress, "show_stage", show)
    return numbers


@pytest.fixture
def run(shown: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStages:
    """Take the shards through stages, given as functions, with so many workers."""

    def begin(workers: int, **stages: Callable[..., Path]) -> list[Path]:
        from bitext_pivot.core.site import Site
        from bitext_pivot.tasks.run import futures
        from bitext_pivot.tasks.run.current_run import Run, StageResult, use_run

        def build(shard: Path, make: Callable[[Path], Path]) -> StageResult[Path]:
            return StageResult(make(shard), True, "")

        class Shown(Run):
            has_page = True

        site = Site(home=tmp_path, workers=workers)
        recipe: Any = "of the rows that are shown"
        made: Any = {
            name: lambda shard, work=work, name=name: work(shard, name)
            for name, work in stages.items()
        }
        monkeypatch.setattr(futures, "build_shard", build)
        with ThreadPoolExecutor(workers) as pool, use_run(Shown(pool)):
            return futures.depth_first(SHARDS, site, recipe, made)

    return begin


def test_a_worker_takes_a_shard_through_all_stages(run: RunStages, shown: list[Path]) -> None:
    calls: list[tuple[str, Path]] = []

    def work(shard: Path, stage: str) -> Path:
        calls.append((stage, shard))
        return shard

    assert run(1, translate=work, parse=work, score=work) == SHARDS == shown
    assert calls == [
        (stage, shard) for shard in SHARDS for stage in ("translate", "parse", "score")
    ]


def test_a_shard_that_fails_goes_no_further_and_stops_no_other(
    run: RunStages, shown: list[Path], bars: dict[str, str]
) -> None:
    calls = Counter[str]()

    def work(shard: Path, stage: str) -> Path:
        calls[stage] += 1
        if (shard, stage) == (SHARDS[3], "parse"):
            raise ShardError("parsed-0/3: broken")
        return shard

    with pytest.raises(
        ShardError, match=r"^1 of 12 shards were not built.*Reasons: parsed-0/3: broken"
    ):
        run(3, translate=work, parse=work, score=work)
    assert calls == {"translate": 12, "parse": 12, "score": 11}
    assert sorted(shown) == sorted(set(SHARDS) - {SHARDS[3]})
    assert bars == {
        "translate": "12 of 12",
        "parse": "12 of 12 (1 failed)",
        "score": "12 of 12 (1 failed)",
    }


class Gpus:
    """Stands for CTranslate2 on GPUs that are slower than everything else.

    A GPU ends a batch when the next one is queued and the cores have finished all that was translated before. What
    does not come within two minutes never comes: the GPU was `idle`, or the cores were `late`.
    """

    def __init__(self, number: int, batches: int) -> None:
        self._queue = deque[tuple[list[list[str]], Future[None]]]()
        self._changed = threading.Condition()
        self._coming, self._patience = batches, 120.0
        self.idle = self.late = self.translated = self.scored = 0
        self.shards: list[str] = []  # of all batches, as they are queued
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(number)]
        for thread in self.threads:
            thread.start()

    def translate_batch(self, rows: list[list[str]], **_: Any) -> list[Any]:
        done = Future[None]()
        with self._changed:
            self._queue.append((rows, done))
            self.shards.append("".join(rows[0][:2]))
            self._coming -= 1
            self._changed.notify_all()
        result = SimpleNamespace(hypotheses=[["x"]], scores=[-1.0])
        return [SimpleNamespace(result=lambda: done.result() or result) for _ in rows]

    def count(self, name: str) -> None:
        """Count a shard that is translated, or scored."""
        with self._changed:
            setattr(self, name, getattr(self, name) + 1)
            self._changed.notify_all()

    def _work(self) -> None:
        with self._changed:
            while self._changed.wait_for(lambda: self._queue or not self._coming) and self._queue:
                _, done = self._queue.popleft()
                self.idle += not self._wait(lambda: bool(self._queue))
                self.late += not self._wait(lambda: self.scored == self.translated)
                done.set_result(None)

    def _wait(self, is_there: Callable[[], bool]) -> bool:
        is_met = self._changed.wait_for(lambda: is_there() or not self._coming, self._patience)
        self._patience = self._patience if is_met else 0.01  # one lesson is enough
        return is_met


@pytest.fixture
def marian(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Gpus, int], Any]]:
    """Return the engine on stand-ins for GPUs; a piece is a letter."""
    from bitext_pivot.translation import cached, kernels
    from bitext_pivot.translation.marian import ComputeOptions, MarianEngine
    from bitext_pivot.translation.pieces import SearchLimits

    def load(gpus: Gpus, number: int) -> Any:
        monkeypatch.setattr(
            kernels.ctranslate2, "get_supported_compute_types", lambda _: {"int8_float16"}
        )
        monkeypatch.setattr(kernels.ctranslate2, "get_cuda_device_count", lambda: number)
        monkeypatch.setattr(kernels.ctranslate2, "Translator", lambda *_, **__: gpus)
        monkeypatch.setattr(cached, "_GPU_GROUP", 4)
        pieces: Any = SimpleNamespace(encode=lambda text, _: [*text, "</s>"], decode="".join)
        limits = SearchLimits(beam_size=4, max_tokens=60, max_ratio=1.0, positions=64)
        return MarianEngine(
            Path(),
            pieces,
            limits,
            ComputeOptions(quantization="int8", device="cuda", tokens=16),
            signature="test",
        )

    yield load


def texts_of(shard: Path) -> Sequence[str]:
    """Return four groups of texts, each two batches of 16 pieces."""
    return [f"{shard.stem:0>2} {letter}   " for letter in "abcdefghijklmnop"]


@pytest.mark.parametrize("number", [1, 2, 4])
def test_gpus_and_cores_are_busy_together(
    number: int, run: RunStages, marian: Any, tmp_path: Path
) -> None:
    """No GPU is ever without a batch while texts are to come, and the cores do all that they can meanwhile.

    Shards queue one after the other: side by side they would end together, and leave nothing to the GPUs.
    """
    from bitext_pivot.tasks.translate import translate_texts

    gpus = Gpus(number, batches=8 * len(SHARDS))
    engine = marian(gpus, number)

    def translate(shard: Path, stage: str) -> Path:
        translate_texts(engine, texts_of(shard), tmp_path, stage)
        gpus.count("translated")
        return shard

    def score(shard: Path, _: str) -> Path:
        gpus.count("scored")
        return shard

    assert run(2 * number, translate=translate, score=score) == SHARDS
    for thread in gpus.threads:
        thread.join(30)
    assert (gpus.idle, gpus.late, gpus.scored) == (0, 0, len(SHARDS))
    second = list(dict.fromkeys(gpus.shards))[1]
    assert gpus.shards.index(second) >= 8 - 2 * number  # as many groups as GPUs may be on their way
