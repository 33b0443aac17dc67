"""The settings model of the flow `join_builds`."""

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
    """What to join: finished builds with several pivot languages, and presets to build first."""

    language: LanguageCode = "en"
    """Language of the pairs of all builds."""
    builds: list[str] = Field(default=[], title="Finished builds")
    """Data sets of `bitext-pivot build` on the machine that runs the join: fr-en, fr-en/latest, or a path."""
    mixed: bool = Field(default=False, title="Allow builds that differ")
    """Allow builds with different filters, parsers, engines or versions. The card (README.md) of the data set lists the
    differences."""
    division: Division = Division()
    """Division of the pairs of all builds into training, validation and test."""
    presets: list[str] = Field(default=[], title="Presets of builds")
    """Presets such as paper-fr-en, or files of settings. They are built first, and finished shards are reused."""
    export: PairExportSettings = PairExportSettings()
    """Formats and sizes of the data set's files."""

    @model_validator(mode="after")
    def _check_builds(self) -> Self:
        """Raise ValueError for no builds, an unknown preset, or a preset of another language."""
        if not self.builds and not self.presets:
            raise ValueError(
                "the form names no builds: name builds such as fr-en, or presets such as paper-fr-en"
            )
        try:
            forms = self.forms()
        except ValidationError as error:
            raise ValueError("; ".join(refused_values.problems(error))) from error
        except SettingsError as error:
            raise ValueError(str(error)) from error
        for name, form in zip(self.presets, forms, strict=True):
            if form.language != self.language:
                raise ValueError(
                    f"preset {name!r} builds pairs in {form.language!r}, not in {self.language!r}: set language, or "
                    "name other presets"
                )
        return self

    @property
    def folder(self) -> str:
        """Name of the folder for joined data sets, inside the data folder."""
        return f"join-{self.language}"

    @property
    def title(self) -> str:
        """Title of the data set, such as `join-en: es-en, fr-en`.

        With two builds of fr-en, the title is `join-en: es-en, 2 of fr-en`.
        """
        pairs = Counter(map(_pair, {*self.builds}))
        pairs.update(form.folder for form in self.forms())
        names = [
            f"{number} of {pair}".removeprefix("1 of ") for pair, number in sorted(pairs.items())
        ]
        return f"{self.folder}: {', '.join(names)}"

    def forms(self) -> Sequence[PivotBitext]:
        """Return the settings of each preset."""
        return [PivotBitext.model_validate(presets.load(name)) for name in self.presets]

    def resources(self) -> Sequence["Resource"]:
        """Return what the join needs: the builds to join."""
        from bitext_pivot.tasks.run.joined_builds import JoinedBuilds

        forms = self.forms()
        return [JoinedBuilds(self.builds, self.language, forms, self.division, self.mixed)]

    def stages(self, site: Site) -> list[Stage]:
        """Return the stages that assign the pairs of all builds to subsets, and join them."""
        from bitext_pivot.corpus.recipes.joined import JUDGED
        from bitext_pivot.tasks.run import stage_definitions

        return [
            stage_definitions.hold_out(self.division, JUDGED.records.positions),
            stage_definitions.join(),
        ]


def _pair(name: str) -> str:
    """Return the folder name of a build's language pair, such as `fr-en` for `fr-en/latest`."""
    path = Path(name)
    if path.name == "latest" or path.name.startswith("export-"):
        return path.parent.name
    return path.name
