"""A process that is killed while it trains: the same command ends with the weights of an undisturbed one."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from learned import weights
from served import PATIENCE, until

from bitext_pivot.research.models.training_settings import ModelKind

pytestmark = pytest.mark.nightly
SCRIPT = """
import sys, time
from pathlib import Path
from learned import examples, plan
from bitext_pivot.research.models import trainer
from bitext_pivot.research.models.data import ExampleSubsets
from bitext_pivot.research.models.kinds import network_class
from bitext_pivot.research.models.training_settings import Hyperparameters

folder, kind = Path(sys.argv[1]), sys.argv[2]
training = Hyperparameters(max_steps=40, batch=8, learning_rate=1e-3)
trainer.seed(0)
rows = examples(kind, 200)
network = network_class(kind).build(plan(kind, training), rows)
pause = lambda done, total: time.sleep(0.05)
runtime = trainer.TrainingRuntime(device="cpu", threads=1, checkpoint_minutes=0.003, on_step=pause)
trainer.fit(network, ExampleSubsets(rows[:180], rows[180:], []), training, folder / "checkpoints", runtime)
network.save(folder)
"""


def start(folder: Path, kind: ModelKind) -> "subprocess.Popen[bytes]":
    tests = Path(__file__).parents[2]
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder), kind], cwd=tests)


@pytest.mark.parametrize("kind", ["generate", "classify", "joint"])
def test_a_killed_process_ends_with_the_same_weights(tmp_path: Path, kind: ModelKind) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert start(whole, kind).wait(PATIENCE) == 0
    process = start(killed, kind)
    until(lambda: list(killed.glob("checkpoints/*/manifest.json")), pause=0.02)
    time.sleep(random.uniform(0, 1.5))
    process.send_signal(signal.SIGKILL)
    assert process.wait(PATIENCE) == -signal.SIGKILL
    assert not (killed / "model").exists()
    assert start(killed, kind).wait(PATIENCE) == 0
    results = [
        {name: data for name, data in weights(folder).items() if "check" not in name}
        for folder in (whole, killed)
    ]
    assert results[0] == results[1] and results[0]
