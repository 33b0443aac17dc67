"""`bitext-pivot catalogue`: list the corpora of OPUS for two languages."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from pydantic import Field
from pydantic_settings import CliPositionalArg, CliToggleFlag
from rich.console import RenderableType

from bitext_pivot.alignments.catalogue import entries as catalogue
from bitext_pivot.alignments.catalogue import listing
from bitext_pivot.alignments.catalogue.opusdata import open_catalogue
from bitext_pivot.core import standard_output
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.flows import presets


class Catalogue(Settings):
    """List the corpora of OPUS for two languages with releases, sizes and licences, offline."""

    languages: CliPositionalArg[list[str]] = []
    """The two languages, in any order: fr en."""
    corpus: str | None = None
    """List only this corpus."""
    as_json: CliToggleFlag[bool] = Field(default=False, alias="json")
    """Print one JSON object per line instead of a table. Sizes are in bytes."""
    presets: CliToggleFlag[bool] = False
    """List the presets of `build` and `plan` instead."""

    def cli_cmd(self) -> None:
        """Print one row per release of a corpus, or one row per preset."""
        if self.presets:
            settings = {name: presets.load(name) for name in presets.names()}
            objects = [{"preset": name, "settings": values} for name, values in settings.items()]
            self._show(objects, presets.table(settings))
            return
        first, second = check_two(self.languages, "catalogue")
        entries = catalogue.find_entries(open_catalogue(Site()), first, second, self.corpus)
        shown = entries[::-1] if sys.stdout.isatty() else entries  # a terminal shows the end
        table = listing.build_table(shown, "-".join(self.languages), standard_output.columns())
        self._show([entry.to_dict() for entry in entries], table)

    def _show(self, objects: list[dict[str, Any]], table: RenderableType) -> None:
        if self.as_json:
            sys.stdout.writelines(
                f"{json.dumps(record, ensure_ascii=False)}\n" for record in objects
            )
        else:
            standard_output.show(table, wide=True)


def check_two(languages: Sequence[str], command: str) -> Sequence[str]:
    """Return the languages given to a command.

    Raises SettingsError unless there are exactly two.
    """
    if len(languages) != 2:
        given = ", ".join(languages) or "none"
        raise SettingsError(
            f"Expected two languages, such as bitext-pivot {command} fr en (given: {given})."
        )
    return languages
