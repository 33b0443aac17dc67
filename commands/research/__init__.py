"""The commands `sample`, `evaluate`, `train` and `apply`, which need the extra `research` of the package."""

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
        "Score the outputs of split-and-rephrase systems.",
    ),
    "train": Command(
        "research.train_command",
        "Train",
        "Train a model on a data set, for example to split sentences.",
        takes_long=True,
    ),
    "apply": Command(
        "research.train_command",
        "Apply",
        "Apply a trained model to the lines of a file.",
        takes_long=True,
    ),
}
