"""Three files per recipe: its flow of Prefect, the stages that it runs (`*_stages.py`), its settings (`*_settings.py`).

Without Prefect the stages run by themselves (`deployments/run.py`).
"""

from importlib import import_module
from typing import Any, NamedTuple


class RecipeEntry(NamedTuple):
    """Where a recipe is, and what it does: what commands, deployments and the library know of it."""

    flow: str
    """Name of the flow and of its file."""
    form: str
    """Name of the settings model."""
    form_file: str
    """Its file."""
    what: str
    """What a user reads of it, without a full stop."""

    def settings_model(self) -> Any:
        """Import the settings model, without Prefect."""
        return getattr(import_module(f"{__name__}.{self.form_file}"), self.form)


RECIPES = {
    "unfuse": RecipeEntry(
        "unfuse_text",
        "UnfuseText",
        "unfuse_settings",
        "Build sentence-fusion pairs (DiscoFuse) of documents",
    ),
    "mine": RecipeEntry(
        "mine_markers",
        "MineMarkers",
        "mine_settings",
        "Build sentence pairs with discourse markers of documents",
    ),
    "explicitate": RecipeEntry(
        "explicitate_bitext",
        "ExplicitateBitext",
        "explicitation_settings",
        "Label implicit relations of neighbouring sentences",
    ),
}
"""Recipes by their commands, which have the options of the forms and no others. Their presets are in a folder with the
name of the command."""


_STAGES = {
    "pivot_bitext": "pivot_stages", "plan_bitext": "plan_stages", "join_builds": "join_stages",
    "train_model": "train_stages",
    **{recipe.flow: recipe.form_file.replace("settings", "stages") for recipe in RECIPES.values()},
}  # fmt: skip
"""The files of the stages by flow."""


def stages(flow: str) -> Any:
    """Return the function that runs the stages of a flow, without Prefect."""
    return import_module(f"{__name__}.{_STAGES[flow]}").build


def load(name: str) -> Any:
    """Return the flow of a recipe, which has the name of its file. This imports Prefect."""
    return getattr(import_module(f"{__name__}.{name}"), name)
