"""A training reads a data set of the hub by its name, one table of it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hubs
import pytest
from learned import split_rows

SCRIPT = """
import sys
from collections import Counter
from pathlib import Path
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.research.tasks import training_examples
from bitext_pivot.research.tasks.training_resource import TrainingResource
from bitext_pivot.tasks.ahead.refusals import check_offline
site = Site(home=Path("home"))
for name in sys.argv[1:]:
    form = TrainModel.model_validate({
        "task": "split", "data": [name], "model": {"start": "random"},
        "columns": {"long": "complex", "split": "simple"},
    })
    try:
        check_offline(form, site)
        TrainingResource(form).signature(site)
        tests, parts = training_examples.read(form, site, Counter())
        print(len(parts.train) + len(parts.validation), training_examples.digest(Path(name)))
    except BuildError as error:
        print(type(error).__name__, error)
"""


@pytest.fixture
def train(tmp_path: Path) -> Iterator[Callable[..., list[str]]]:
    """Read the rows of trainings by names in a new process, whose hub has a data set; return the lines it prints."""
    rows = split_rows(100)
    lines = [json.dumps({"complex": row["long"], "simple": row["split"]}) for row in rows]
    folder = tmp_path / "hub" / "owner" / "pairs"
    folder.mkdir(parents=True)
    for number, part in enumerate((lines[:60], lines[60:])):
        name = f"train-{number:05}-of-00002.jsonl"
        (folder / name).write_text("\n".join(part), encoding="utf-8")
    (folder / "test.jsonl").write_text(lines[0], encoding="utf-8")
    (tmp_path / "home" / "fr-en").mkdir(parents=True)
    with hubs.serve(tmp_path / "hub") as hub:

        def run(*names: str) -> list[str]:
            environment = os.environ | {
                "HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "cache"), "NO_PROXY": "127.0.0.1",
                "HF_HUB_OFFLINE": "0",
            }  # fmt: skip
            done = subprocess.run(
                [sys.executable, "-c", SCRIPT, *names], cwd=tmp_path, env=environment,
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            return done.stdout.splitlines()

        yield run


REFUSED = {
    "owner/pairs": "SettingsError owner/pairs has several tables: test, train.",
    "owner/none": "SettingsError The data set 'owner/none' is not a local folder",
    "fr-en/latest": "SettingsError data names 'fr-en/latest', which is neither",
    "none.jsonl": "SettingsError data names 'none.jsonl', which is neither",
}


def test_a_name_on_the_hub_is_the_rows_of_a_training_and_that_of_nothing_is_refused(
    train: Callable[..., list[str]], tmp_path: Path
) -> None:
    line, *refused = train("owner/pairs/train", *REFUSED)
    starts = [said[: len(start)] for said, start in zip(refused, REFUSED.values(), strict=True)]
    assert starts == [*REFUSED.values()]
    number, digest = line.split()
    assert number == "100"
    path = tmp_path / "hub/owner/pairs/train-00000-of-00002.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    (line,) = train("owner/pairs/train")
    number, other = line.split()
    assert number == "100" and other != digest
