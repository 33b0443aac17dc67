"""`bitext-pivot publish`: upload a data set or a model to the Hugging Face hub."""

from pathlib import Path

from pydantic_settings import CliPositionalArg, CliToggleFlag

from bitext_pivot.core.settings import Settings
from bitext_pivot.core.standard_output import show


class Publish(Settings):
    """Upload a data set or a model to the Hugging Face hub (or HF_ENDPOINT). Without --yes, only check it."""

    folder: CliPositionalArg[Path]
    """Folder of the data set or the model, such as data/fr-en/latest."""
    repo: str
    """The repository on the hub, as owner/name. It is created if it does not exist."""
    public: CliToggleFlag[bool] = False
    """If the repository is created, make it public instead of private."""
    yes: CliToggleFlag[bool] = False
    """Upload the files. Without this option, nothing is sent."""

    def cli_cmd(self) -> None:
        """Print the repository, the number and size of the files, and warnings. With --yes, upload them."""
        from bitext_pivot.corpus.publish import prepare  # imports the hub's client

        upload = prepare(self.folder)
        show(upload.describe(self.repo), wrap=False)
        for warning in upload.warnings:
            show(warning, wrap=False)
        if not self.yes:
            show("Nothing was uploaded. To upload, give the same command with --yes.")
            return
        show(f"Uploaded: {upload.send(self.repo, is_private=not self.public)}", wrap=False)
