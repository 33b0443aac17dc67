"""The networks by kind, and the one in the folder of a trained model."""

from pathlib import Path

from bitext_pivot.core import extras
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.models.network import Network, Plan
from bitext_pivot.models.settings import Kind

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
    extras.require("sentence_transformers", "train", "A classifier")
    from bitext_pivot.models.pair_classifier import Classifier

    return Classifier


def load(folder: Path) -> tuple[Network, Plan]:
    """Return the network in the folder of a trained model. Raises SettingsError if the folder is none."""
    if (problems := manifest.problems(folder)) or not (folder / SCORES).is_file():
        raise SettingsError(
            f"{folder} is no trained model: {', '.join(problems) or f'{SCORES} is missing'}. Expected the folder of a "
            "finished training, such as data/trained/split/latest."
        )
    plan = Plan(**atomic.load_json(folder / SCORES)["plan"])
    return network_class(plan.kind).load(folder, plan), plan
