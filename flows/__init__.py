"""Three files per recipe: a Prefect flow, the list of its stages (`*_stages.py`) and its settings (`*_settings.py`).

A run that no Prefect server records calls the stages without the flow (`deployments/run_recipe.py`).
"""

from importlib import import_module
from typing import Any, NamedTuple


class RecipeEntry(NamedTuple):
    """The names by which commands and deployments find the flow and the settings of a recipe."""

    flow: str
    """Name of the Prefect flow and of its file."""
    form: str
    """Name of the settings model."""
    form_file: str
    """Name of the file with the settings model."""
    what: str
    """What the recipe does, for users, without a full stop."""

    def settings_model(self) -> Any:
        """Return the class of the recipe's settings, without importing Prefect."""
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
"""Recipes by the command that builds them. The options of a command are the fields of the settings model, and its
presets are in a folder with the name of the command."""


def stages(flow: str) -> Any:
    """Return the function that runs the stages of a flow, without importing Prefect."""
    return import_module(f"{__name__}.{flow}_stages").build


def load(name: str) -> Any:
    """Import Prefect, and return the flow `name` from the file of the same name."""
    return getattr(import_module(f"{__name__}.{name}"), name)
