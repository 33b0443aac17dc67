"""benchmarks/gpu.py runs: on the CPU with tiny models, because there is no GPU where the tests run."""

import re

import gpu
import pytest


def test_the_gpu_benchmark_compares_both_parts_with_their_peers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu.encoders.probe, "check_encoder", None)  # undone afterwards: the benchmark replaces it
    gpu.main(["--device", "cpu", "--tiny", "--sentences", "130", "--pairs", "40"])
    lines = [line for line in capsys.readouterr().out.splitlines() if " a second, " in line]
    names = ["CTranslate2 int8", "transformers torch.float32", "filter float32", "bert_score float32"]
    assert [re.split(r"\s{2,}", line)[0] for line in lines] == names
    assert ["sentences" in line for line in lines] == [True, True, False, False]
    assert all(float(match[1]) > 0 for match in map(re.compile(r" ([\d.]+) \w+ a second").search, lines) if match)
