"""The resource of a join: finished builds of one language that were made alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.division import Division
from bitext_pivot.tasks.run import builds
from bitext_pivot.tasks.run.forms import PairForm
from bitext_pivot.tasks.run.models import Model
from bitext_pivot.tasks.run.resources import Checks, Resource


@dataclass(frozen=True)
class JoinedBuilds(Resource):
    """The builds that a join names, and the presets that are built first."""

    names: Sequence[str]
    language: str
    first: Sequence[PairForm]
    """The builds that are made first."""
    division: Division
    mixed: bool

    def checks(self, site: Site) -> Checks:
        """Return the check of the finished builds, and those of what is needed by builds that are made first."""
        others = chain.from_iterable(resource.checks(site) for resource in self._of_first())
        return [partial(self._check, site), *others]

    def located(self, site: Site) -> list[Model]:
        """Return the models of the builds that are made first."""
        return [model for resource in self._of_first() for model in resource.located(site)]

    def _of_first(self) -> Iterator[Resource]:
        return chain.from_iterable(first.resources() for first in self.first)

    def _check(self, site: Site) -> None:
        """Raise SettingsError for builds that are not there, or cannot be joined."""
        found = builds.read_all(self.names, site)
        for build in found:
            build.check(self.language)
        for form in self.first:
            builds.refuse_best(form.title, form.export.best_share())
        self._check_several(found)
        self._check_alike(found)
        self._check_division(found)

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the builds with the data sets that `latest` stands for, in an order of their own."""
        return {"builds": [build.name for build in builds.read_all(self.names, site)]}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what ran in all builds."""
        return builds.signature(builds.read_all(self.names, site))

    def identity(self, site: Site) -> dict[str, str] | None:
        """Return the identities of the builds; None if some are to be made first."""
        if self.first:
            return None
        return builds.identities(builds.read_all(self.names, site))

    def _check_several(self, found: list[builds.FinishedBuild]) -> None:
        """Raise SettingsError for one build, perhaps under two names."""
        if len(found) + len(self.first) == 1:
            raise SettingsError(
                "A join needs two builds, and one is named. Name another one under builds or presets: "
                "fr-en, fr-en/latest or a path."
            )

    def _check_alike(self, found: list[builds.FinishedBuild]) -> None:
        """Raise SettingsError for builds with different filters, engines or versions, unless `mixed`."""
        names = builds.differences(found)
        if names and not self.mixed:
            raise SettingsError(
                f"The builds were not made alike: they differ in {', '.join(names)}. Build them with the same "
                "settings and versions, or set mixed: the card then lists what differs."
            )

    def _check_division(self, found: list[builds.FinishedBuild]) -> None:
        """Raise SettingsError if a corpus for validation or test is in none of the builds."""
        names: set[str] = set()
        for build in found:
            names |= {name.partition("/")[0] for name in build.stats.corpora}
        for form in self.first:
            names |= {name.partition("/")[0] for name in form.corpora} | {
                own.name for own in form.own
            }
        try:
            self.division.check(sorted(names))
        except ValueError as error:
            raise SettingsError(str(error)) from error
