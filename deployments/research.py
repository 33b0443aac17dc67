"""Deployments of the room `research`: trainings."""

from bitext_pivot.deployments.deployment import Deployment, environment
from bitext_pivot.flows import presets
from bitext_pivot.flows.train_model import train_model


def deployments() -> list[Deployment]:
    """Return the deployments that train: on the pairs of the demo, and on those of any data set."""
    what = {
        "demo": "A small splitter from the pairs of demo-fr-en, which has to run first - 60 updates, no network.",
        "split": "A splitter from a data set of pairs - other tasks (fuse, markers, relations, entailment), data sets "
        "and networks can be chosen in the form. An hour or more on a CPU; large networks need a GPU.",
    }
    folder = presets.FOLDER / "train"
    return [
        Deployment(
            name=f"train-{preset}",
            description=description,
            flow=train_model,
            tags=["train"],
            settings=presets.load(preset, folder),
            environment=environment(preset),
        )
        for preset, description in what.items()
    ]
