"""`bitext-pivot verify`: check a data set that was received."""

from pydantic_settings import CliPositionalArg

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.standard_output import show


class Verify(Settings):
    """Check a data set: its files against the manifest, its counts, its licence and its signature."""

    dataset: CliPositionalArg[str]
    """Folder, such as data/fr-en/latest, an address in an object store, or owner/name on the hub."""

    def cli_cmd(self) -> None:
        """Print a line per file and per comparison. Raises SettingsError if one fails."""
        from bitext_pivot.corpus import verifying  # imports pyarrow and the hub's client

        failed = 0
        for check in verifying.verify(verifying.folder_of(self.dataset)):
            show(check.line, wrap=False)
            failed += bool(check.problem)
        if failed:
            raise SettingsError(
                f"{self.dataset}: checks that failed: {failed}. Build or download it again."
            )
