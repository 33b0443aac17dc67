"""The input of a join: finished builds in one language that have the same settings and versions."""

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
from bitext_pivot.tasks.run.resources import Checks, Resource


@dataclass(frozen=True)
class JoinedBuilds(Resource):
    """The builds to join: finished builds, and presets that are built before the join."""

    names: Sequence[str]
    """Names or paths of finished builds."""
    language: str
    first: Sequence[PairForm]
    """Settings of the presets that are built before the join."""
    division: Division
    mixed: bool
    """Whether the builds may have different settings and versions."""

    def checks(self, site: Site) -> Checks:
        """Return a check of the finished builds, and the checks of everything that the presets need."""
        others = chain.from_iterable(resource.checks(site) for resource in self._of_first())
        return [partial(self._check, site), *others]

    def model_checks(self, site: Site) -> Checks:
        """Return the checks of the models that the presets need."""
        resources = self._of_first()
        return [*chain.from_iterable(resource.model_checks(site) for resource in resources)]

    def _of_first(self) -> Iterator[Resource]:
        return chain.from_iterable(first.resources() for first in self.first)

    def _check(self, site: Site) -> None:
        """Raise SettingsError if a build does not exist, or if the builds cannot be joined."""
        found = builds.read_all(self.names, site)
        for build in found:
            build.check(self.language)
        for form in self.first:
            builds.refuse_best(form.title, form.export.best_share())
        self._check_several(found)
        self._check_alike(found)
        self._check_division(found)

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the sorted names of the builds, with the folder that `latest` points to."""
        return {"builds": [build.name for build in builds.read_all(self.names, site)]}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the signature of the join, which combines the signatures of the builds."""
        return builds.signature(builds.read_all(self.names, site))

    def identity(self, site: Site) -> dict[str, str] | None:
        """Return the digest of each build's stats.json, or None if presets have to be built first."""
        if self.first:
            return None
        return builds.identities(builds.read_all(self.names, site))

    def _check_several(self, found: list[builds.FinishedBuild]) -> None:
        """Raise SettingsError if the join has only one build, which may be named twice."""
        if len(found) + len(self.first) == 1:
            raise SettingsError(
                "A join needs at least two builds, but only one is named. Add another to builds or presets, such as "
                "fr-en, fr-en/latest or a path."
            )

    def _check_alike(self, found: list[builds.FinishedBuild]) -> None:
        """Raise SettingsError if filters, engines or versions differ, unless `mixed` is set."""
        names = builds.differences(found)
        if names and not self.mixed:
            raise SettingsError(
                f"The builds differ in {', '.join(names)}. Build them with the same settings and versions, or set "
                "mixed: the card then lists the differences."
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
