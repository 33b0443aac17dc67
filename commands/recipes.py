"""The commands of the recipes in `flows.RECIPES`. Their options are the settings that Prefect's UI shows as forms."""

from typing import Any

from bitext_pivot import flows
from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.flows import presets


def __getattr__(name: str) -> Any:
    """Return the class of the command for the recipe called `name`."""
    if name not in flows.RECIPES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    recipe = flows.RECIPES[name]
    form = recipe.settings_model()

    class Command(RunFlow, form):  # type: ignore[misc, valid-type]
        FORM = form
        PRESETS = presets.FOLDER / name
        FLOW = recipe.flow

    Command.__doc__ = f"{recipe.what}; print the folder of the data set."
    return Command
