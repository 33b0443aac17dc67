"""The settings model of the flow `train_model`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bitext_pivot.research.models.training_settings import TrainSettings
from bitext_pivot.tasks.run.forms import RecipeForm

if TYPE_CHECKING:
    from bitext_pivot.tasks.run.resources import Resource


class TrainModel(TrainSettings, RecipeForm):
    """What to train, on which rows, and how to test it."""

    @property
    def folder(self) -> str:
        """Name of the folder of trained models."""
        return "trained"

    def resources(self) -> Sequence["Resource"]:
        """Return what the training needs: packages, data, test sets and a pretrained model."""
        from bitext_pivot.research.tasks.training_resource import TrainingResource

        return [TrainingResource(self)]
