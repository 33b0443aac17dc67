"""Deployments of the room `discourse`: its recipes over documents."""

from typing import Any

from prefect.flows import Flow

from bitext_pivot.deployments.deployment import START, Deployment, environment
from bitext_pivot.flows import presets
from bitext_pivot.flows.explicitate_bitext import explicitate_bitext
from bitext_pivot.flows.mine_markers import mine_markers
from bitext_pivot.flows.unfuse_text import unfuse_text

_FROM_OPUS = "corpora of OPUS. Downloads up to 1.5 GB; hours on two cores."


def deployments() -> list[Deployment]:
    """Return the deployments of all recipes."""
    return [
        *_recipe(
            unfuse_text,
            "unfuse",
            "Sentence-fusion pairs (DiscoFuse) of English documents - texts with a discourse phenomenon, and two "
            "sentences without it",
        ),
        *_recipe(
            mine_markers,
            "mine",
            "Sentence pairs with discourse markers (Discovery) of English documents - two neighbours, and the marker "
            "that opened the second one",
        ),
        *_recipe(
            explicitate_bitext,
            "explicitate",
            "Implicit relations of neighbouring English sentences, labelled through their translations into other "
            "languages",
        ),
    ]


def _recipe(flow: Flow[Any, Any], name: str, description: str) -> list[Deployment]:
    """Return the deployments of a recipe over documents: the demo's documents, and corpora of OPUS."""
    demo_source = "the documents of the quickstart. A minute, no network."
    folder = presets.FOLDER / name
    return [
        Deployment(
            name=f"{name}-{preset}",
            description=f"{description}; {demo_source if preset == 'demo' else _FROM_OPUS}",
            flow=flow,
            tags=[*([START] if preset == "demo" else []), f"recipe:{name}"],
            settings=presets.load(preset, folder),
            environment=environment(preset),
        )
        for preset in presets.names(folder)
    ]
