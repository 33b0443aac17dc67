"""`bitext-pivot completion`: print the completion script for a shell."""

import sys
from typing import Literal

from pydantic_settings import CliPositionalArg

from bitext_pivot.core.settings import Settings


class Completion(Settings):
    """Print the script that completes commands and options: eval "$(bitext-pivot completion bash)"."""

    shell: CliPositionalArg[Literal["bash", "zsh", "fish"]]
    """The shell that will run the script."""

    def cli_cmd(self) -> None:
        """Print the script."""
        import shtab

        from bitext_pivot.commands.run import command_line_source

        sys.stdout.write(shtab.complete(command_line_source([]).root_parser, self.shell) + "\n")
