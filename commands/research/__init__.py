"""Commands of the room `research`: human assessment, evaluation, models."""

from bitext_pivot.commands.command import Command

COMMANDS = {
    "sample": Command(
        "research.sample",
        "Sample",
        "Draw pairs for human assessment, or report on the answers.",
    ),
    "evaluate": Command(
        "research.evaluate",
        "Evaluate",
        "Score the outputs of systems trained on such pairs.",
    ),
    "train": Command(
        "research.train",
        "Train",
        "Train a model of one of the papers on a data set.",
        takes_long=True,
    ),
    "apply": Command(
        "research.train", "Apply", "Apply a trained model to the lines of a file.", takes_long=True
    ),
}
