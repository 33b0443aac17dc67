"""Map the kinds of networks to their classes, and load the network of a trained model."""

from pathlib import Path

from pydantic import BaseModel

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.hub import pretrained
from bitext_pivot.core.storage import manifest, received
from bitext_pivot.core.untrusted import shown
from bitext_pivot.research.models.network import Network, NetworkPlan
from bitext_pivot.research.models.training_settings import ModelKind

SCORES = "scores.json"
"""File in the folder of a trained model, with its scores and its `NetworkPlan`."""


class _Scores(BaseModel):
    plan: NetworkPlan
    worth: str = ""


def network_class(kind: ModelKind) -> type[Network]:
    """Return the class that implements a kind of network.

    Its libraries are imported here, because importing them takes seconds.

    Raises SettingsError if sentence-transformers, which classifiers need, is not installed.
    """
    if kind == "generate":
        from bitext_pivot.research.models.generation import Generator

        return Generator
    if kind == "joint":
        from bitext_pivot.research.models.joint_classifier import JointClassifier

        return JointClassifier
    optional_packages.require("sentence_transformers", "research", "A classifier")
    from bitext_pivot.research.models.pair_classifier import Classifier

    return Classifier


def main_score(folder: Path) -> str:
    """Return the main score of a trained model, as written in the scores.json of its folder.

    Raises ShardError if the file is damaged.
    """
    return shown(received.model(folder / SCORES, _Scores).worth or "no score")


def load(folder: Path) -> tuple[Network, NetworkPlan]:
    """Load a trained model from its folder: the network, and the plan by which it was built.

    Raises SettingsError if the folder contains no trained model, or if the model is damaged.
    """
    if problems := manifest.problems(folder):
        raise SettingsError(
            f"{folder} is not a complete trained model: {', '.join(problems)}. Expected the folder of a finished "
            "training, such as data/trained/split/latest."
        )
    if not (folder / SCORES).exists():
        raise SettingsError(
            f"{folder} has no file {SCORES}, so it is not a trained model. Expected the folder of a finished training, "
            "such as data/trained/split/latest."
        )
    try:
        plan = received.model(folder / SCORES, _Scores).plan
    except ShardError as error:
        raise SettingsError(str(error)) from error
    with pretrained.explain_errors(
        f"{folder} cannot be loaded", "Train or download the model again."
    ):
        return network_class(plan.kind).load(folder, plan), plan
