"""What a build needs before it begins: each kind of form answers the same questions, in its own class."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bitext_pivot.core.hub import device
from bitext_pivot.core.site import Site
from bitext_pivot.corpus import rebuild
from bitext_pivot.tasks.run.targets import Stage

Checks = Sequence[Callable[[], object]]
"""Functions that raise BuildErrors."""


class Needs(ABC):
    """What the build of a form needs. Nothing here imports Prefect: commands ask it before they do."""

    @property
    @abstractmethod
    def folder(self) -> str:
        """Name of the folder of builds in which it writes."""

    @abstractmethod
    def rounds(self, site: Site) -> Iterator[Checks]:
        """Yield checks that need no download, the cheapest first.

        The problems of a round are named together; the next round is for those without any.
        """

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the fields that change: releases in place of `latest`, commits in place of branches."""
        return {}

    @abstractmethod
    def signatures(self, site: Site) -> dict[str, Any]:
        """Download all models; return what of them enters the signature. None is loaded.

        Raises SettingsError and SourceError.
        """

    @abstractmethod
    def try_models(self, site: Site) -> None:
        """Load and check the models that have not passed here before, and warn of weak ones.

        Raises SettingsError and SourceError.
        """

    def stages(self, site: Site) -> Iterable[Stage]:
        """Return the stages, whose keys decide the rows; none for a recipe whose builds always begin."""
        return ()

    def sources(self, site: Site) -> Mapping[str, Any] | None:
        """Return the identities of those sources that are on this machine, without a download.

        None if a model is not here, and of a recipe whose builds always begin.
        """
        return None

    def versions(self, site: Site) -> dict[str, str]:
        """Return the versions of Python and of packages that write files."""
        return rebuild.versions()


def versions(site: Site) -> dict[str, str]:
    """Return the versions of what translates: those that write files, and the processor."""
    return rebuild.versions() | {"processor": device.processor(site.device)}
