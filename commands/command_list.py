"""All subcommands of `bitext-pivot`, in the order in which `--help` lists them."""

from bitext_pivot import flows
from bitext_pivot.commands import research
from bitext_pivot.commands.command import Command

COMMANDS = {
    "catalogue": Command("catalogue", "Catalogue", "List what OPUS has for two languages."),
    "plan": Command(
        "build",
        "Plan",
        "Show what a build would do, without downloading anything.",
        takes_long=True,
    ),
    "build": Command("build", "Build", "Build the pairs of one language pair.", takes_long=True),
    "join": Command(
        "join_command",
        "Join",
        "Join the pairs of several builds into one data set.",
        takes_long=True,
    ),
    **{
        name: Command("recipes", name, f"{recipe.what}.", takes_long=True)
        for name, recipe in flows.RECIPES.items()
    },
    "show": Command("show", "Show", "Open the newest data set in a browser to read its pairs."),
    "judge": Command(
        "judge_command", "JudgePairs", "Filter and label pairs you already have.", takes_long=True
    ),
    **research.COMMANDS,
    "builds": Command("builds_command", "Builds", "List data sets, or unused folders."),
    "publish": Command(
        "publish_command", "Publish", "Upload a data set or a model to the Hugging Face hub."
    ),
    "models": Command("download", "Models", "Download all models of a language pair."),
    "serve": Command("serve_command", "Serve", "Start the Prefect UI on this machine."),
    "stop": Command("serve_command", "Stop", "Stop what `serve` started."),
    "status": Command("serve_command", "Status", "Show whether the Prefect server is running."),
    "completion": Command("completion", "Completion", "Complete commands and options in a shell."),
}
