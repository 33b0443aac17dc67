"""The papers' models: one flow trains, tests and describes a model of any of the four tasks."""

from pathlib import Path

from prefect import flow

from bitext_pivot.core.site import Site
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.research.tasks.train import train
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.run.run_page import begin_run


@flow(name="train-model")
def train_model(settings: TrainModel) -> Path:
    """Train a model and return its folder; what an earlier run finished is kept."""
    begin_run()
    site = Site()
    settings, _ = check(settings, site)
    folder: Path = train(settings, site).result()
    return folder
