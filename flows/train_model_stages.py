"""The stages of `train_model`, for runs in this process and for those that Prefect records."""

from pathlib import Path

from bitext_pivot.core.site import Site
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.research.tasks.train import train
from bitext_pivot.tasks.ahead.check import check


def build(settings: TrainModel) -> Path:
    """Train a model and return its folder.

    A training that was stopped continues from its last checkpoint.
    """
    site = Site()
    settings, _ = check(settings, site)
    return train(settings, site).output
