"""The networks by kind, and the one in the folder of a trained model."""

from pathlib import Path

from pydantic import ValidationError

from bitext_pivot.core import extras, refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import pretrained
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.models.network import Network, NetworkPlan
from bitext_pivot.models.training_settings import Kind

SCORES = "scores.json"
"""What is known of a trained model, its plan among it."""


def network_class(kind: Kind) -> type[Network]:
    """Return the class of the networks of a kind, whose libraries take seconds to import.

    Raises SettingsError if the package of classifiers is not installed.
    """
    if kind == "tag":
        from bitext_pivot.models.tagger import Tagger

        return Tagger
    if kind == "generate":
        from bitext_pivot.models.generate import Generator

        return Generator
    if kind == "joint":
        from bitext_pivot.models.joint import JointClassifier

        return JointClassifier
    extras.require("sentence_transformers", "train", "A classifier")
    from bitext_pivot.models.pair_classifier import Classifier

    return Classifier


def load(folder: Path) -> tuple[Network, NetworkPlan]:
    """Return the network in the folder of a trained model. Raises SettingsError if the folder is none, or damaged."""
    problems = manifest.problems(folder)
    facts = atomic.find_json(folder / SCORES) or {}
    if not problems and "plan" not in facts:
        problems = [f"{SCORES} is missing or has no plan"]
    if problems:
        raise SettingsError(
            f"{folder} is no trained model: {', '.join(problems)}. Expected the folder of a finished training, such as "
            "data/trained/split/latest."
        )
    try:
        plan = NetworkPlan.model_validate(facts["plan"])
    except ValidationError as error:
        problem = next(refused_values.problems(error))
        raise SettingsError(
            f"{folder} has a plan in {SCORES} that is not known here ({problem}). Train the model again."
        ) from error
    with pretrained.explained(f"{folder} cannot be loaded", "Train or download the model again."):
        return network_class(plan.kind).load(folder, plan), plan
