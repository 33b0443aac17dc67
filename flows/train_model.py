"""Training: the flow trains and tests a model for one of five tasks, and writes its card (README.md)."""

from pathlib import Path

from prefect import flow

from bitext_pivot.flows import train_model_stages
from bitext_pivot.flows.prefect_run import record_run
from bitext_pivot.flows.train_settings import TrainModel


@flow(name="train-model")
def train_model(settings: TrainModel) -> Path:
    """Train a model and return its folder.

    A training that was stopped continues from its last checkpoint.
    """
    return record_run(train_model_stages.build, settings)
