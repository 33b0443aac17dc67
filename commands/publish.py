"""`bitext-pivot publish`: upload a data set or a model to a hub."""

from pathlib import Path

from pydantic_settings import CliPositionalArg, CliToggleFlag

from bitext_pivot.core.settings import Settings
from bitext_pivot.core.standard_output import show


class Publish(Settings):
    """Upload a data set or a model to the Hugging Face hub (or HF_ENDPOINT); without --yes only show the files."""

    folder: CliPositionalArg[Path]
    """Folder of a data set or a model, such as data/fr-en/latest."""
    repo: str
    """Where to: owner/name on the hub; made if it does not exist."""
    public: CliToggleFlag[bool] = False
    """Make a new repository public, not private."""
    yes: CliToggleFlag[bool] = False
    """Upload. Without it nothing is sent."""

    def cli_cmd(self) -> None:
        """Print files, sizes and licence warnings; upload with --yes."""
        from bitext_pivot.corpus import publish  # imports the hub's client

        plan = publish.prepare(self.folder, self.repo, is_private=not self.public)
        show(plan.table())
        for note in plan.notes:
            show(note, wrap=False)
        if not self.yes:
            show("Nothing was uploaded. To upload, give the same command with --yes.")
            return
        show(f"Uploaded: {publish.upload(plan)}", wrap=False)
