"""The settings model of `join_builds`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import Field, ValidationError, model_validator

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.division import Division
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.flows import presets
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks.run.forms import RecipeForm
from bitext_pivot.tasks.run.targets import Stage

if TYPE_CHECKING:
    from bitext_pivot.tasks.run.resources import Resource


class JoinBuilds(RecipeForm):
    """What to join: finished builds with several pivots, and presets of builds that are made first."""

    language: LanguageCode = "en"
    """Language of the pairs of all builds."""
    builds: list[str] = Field(default=[], title="Finished builds")
    """Data sets of `bitext-pivot build` on the build machine: fr-en, fr-en/latest, or the path of one."""
    mixed: bool = Field(default=False, title="Builds that were not made alike")
    """Join builds with different filters, parsers, engines or versions; the card lists the differences."""
    division: Division = Division()
    """Which pairs are for validation, test and training, over all builds."""
    presets: list[str] = Field(default=[], title="Presets of builds")
    """Presets such as paper-fr-en, or files of settings: each is built first; what exists of it is reused."""
    export: PairExportSettings = PairExportSettings()
    """Formats and sizes of the data set's files."""

    @model_validator(mode="after")
    def _names_builds(self) -> Self:
        """Refuse a form without builds, and presets that are none or of another language."""
        if not self.builds and not self.presets:
            raise ValueError(
                "no builds are named: name builds such as fr-en, or presets such as paper-fr-en"
            )
        try:
            forms = self.forms()
        except ValidationError as error:
            raise ValueError("; ".join(refused_values.problems(error))) from error
        except SettingsError as error:
            raise ValueError(str(error)) from error
        for name, form in zip(self.presets, forms, strict=True):
            if form.language != self.language:
                found = form.language
                raise ValueError(
                    f"preset {name!r} builds pairs in {found!r}: set language, or name others"
                )
        return self

    @property
    def folder(self) -> str:
        """Folder of the data sets below the data folder."""
        return f"join-{self.language}"

    @property
    def title(self) -> str:
        """Name of what is built: `join-en: es-en, fr-en`, or `join-en: es-en, 2 of fr-en`."""
        pairs = Counter(map(_pair, {*self.builds}))
        pairs.update(form.folder for form in self.forms())
        names = [
            f"{number} of {pair}".removeprefix("1 of ") for pair, number in sorted(pairs.items())
        ]
        return f"{self.folder}: {', '.join(names)}"

    def forms(self) -> Sequence[PivotBitext]:
        """Return the forms of the presets."""
        return [PivotBitext.model_validate(presets.load(name)) for name in self.presets]

    def resources(self) -> Sequence["Resource"]:
        """Return the builds."""
        from bitext_pivot.tasks.run.joining import JoinedBuilds

        forms = self.forms()
        return [JoinedBuilds(self.builds, self.language, forms, self.division, self.mixed)]

    def stages(self, site: Site) -> list[Stage]:
        """Return the stages that divide and join the pairs of all builds."""
        from bitext_pivot.corpus.recipes.joined import JUDGED
        from bitext_pivot.tasks.run import table

        return [table.hold_out(self.division, JUDGED.records.positions), table.join()]


def _pair(name: str) -> str:
    """Return the name of the folder of a language pair, in which the data sets of its builds are."""
    path = Path(name)
    if path.name == "latest" or path.name.startswith("export-"):
        return path.parent.name
    return path.name
