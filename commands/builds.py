"""`bitext-pivot builds`: the data sets of the data folder, and what can be deleted."""

from pydantic_settings import CliImplicitFlag
from rich.filesize import decimal

from bitext_pivot.core.screen import show
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.core.tables import Table


class Builds(Settings):
    """List the data sets of the data folder with rows, size and date."""

    prune: CliImplicitFlag[bool] = False
    """Name the shards and downloads that none of the listed data sets needs, to delete them with --yes. Shards of an
    unfinished build are among them."""
    yes: CliImplicitFlag[bool] = False
    """With --prune: delete them. Stop all builds first."""

    def cli_cmd(self) -> None:
        """Print a table; with --prune what is deleted, before it is."""
        from bitext_pivot.tasks.run import kept

        site = Site()
        listed = kept.data_sets(site.build_folder(""))
        rows = [
            (each.folder, f"{each.rows:,}", decimal(each.bytes), each.written, each.title)
            for each in listed
        ]
        show(Table(head=("folder", "rows", "size", "date", "title"), rows=rows), wide=True)
        if not self.prune:
            return
        unneeded = kept.unneeded(listed, site)
        sizes = [folders.size(folder) for folder in unneeded]
        lines = [(folder, decimal(number)) for folder, number in zip(unneeded, sizes, strict=True)]
        show(Table(head=("needed by none", "size"), rows=[*lines, ("all", decimal(sum(sizes)))]))
        if self.yes:
            kept.delete(unneeded)
            show("Deleted.")
        else:
            show("Nothing was deleted. Add --yes to delete them; stop all builds first.")
