"""Commands of the room `discourse`: corpora of documents."""

from bitext_pivot.commands.command import Command

COMMANDS = {
    "unfuse": Command(
        "discourse.recipes", "Unfuse", "Build sentence-fusion pairs of documents.", takes_long=True
    ),
    "mine": Command(
        "discourse.recipes",
        "Mine",
        "Build sentence pairs with discourse markers of documents.",
        takes_long=True,
    ),
    "explicitate": Command(
        "discourse.recipes",
        "Explicitate",
        "Label implicit relations of neighbouring sentences.",
        takes_long=True,
    ),
}
