"""`bitext-pivot publish`: upload a data set or a model to a hub."""

from pathlib import Path

from pydantic_settings import CliPositionalArg, CliToggleFlag

from bitext_pivot.core.settings import Settings
from bitext_pivot.core.standard_output import show


class Publish(Settings):
    """Upload a data set or a model to the Hugging Face hub (or HF_ENDPOINT); without --yes only check it."""

    folder: CliPositionalArg[Path]
    """Folder of a data set or a model, such as data/fr-en/latest."""
    repo: str
    """The repository on the hub, as owner/name. It is created if it does not exist."""
    public: CliToggleFlag[bool] = False
    """Make a new repository public, not private."""
    yes: CliToggleFlag[bool] = False
    """Upload. Without it nothing is sent."""

    def cli_cmd(self) -> None:
        """Print the repository, the number of files, their size and licence warnings; upload with --yes."""
        from bitext_pivot.corpus.publish import prepare  # imports the hub's client

        upload = prepare(self.folder)
        show(upload.describe(self.repo), wrap=False)
        for warning in upload.warnings:
            show(warning, wrap=False)
        if not self.yes:
            show("Nothing was uploaded. To upload, give the same command with --yes.")
            return
        show(f"Uploaded: {upload.send(self.repo, is_private=not self.public)}", wrap=False)
