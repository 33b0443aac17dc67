"""The commands of `flows.RECIPES`: their options are the settings of the Prefect forms."""

from pydantic import create_model

from bitext_pivot import flows
from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.flows import presets


def __getattr__(name: str) -> type[RunFlow]:
    """Return the command of a recipe by its name."""
    if name not in flows.RECIPES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    recipe = flows.RECIPES[name]
    form = recipe.settings_model()
    command = create_model(
        name, __base__=(RunFlow, form), __doc__=f"{recipe.what}; print the folder of the data set."
    )
    command.FORM, command.PRESETS, command.FLOW = form, presets.FOLDER / name, recipe.flow
    return command
