"""The resource of a training: packages, rows, test sets, trackers, a start."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.research.models import evaluation, network
from bitext_pivot.research.models.training_settings import (
    REWRITING,
    NetworkStart,
    TestSet,
    TrainSettings,
)
from bitext_pivot.research.tasks.training_examples import digest, found, pinned, stats
from bitext_pivot.tasks.run.resources import Checks, Resource


@dataclass(frozen=True)
class TrainingResource(Resource):
    """What a training of a model needs. Its start is loaded by the training."""

    form: TrainSettings

    def checks(self, site: Site) -> Checks:
        """Return the checks of packages, data and files."""
        form = self.form
        return [
            self._check_packages,
            *(partial(self._find, name, site) for name in form.names),
            partial(self._check_named_once, site),
            *(partial(self._check_data_set, name, site) for name in form.data),
            *(partial(_check_file, path) for path in form.test_files),
            *(partial(self._read, test) for test in form.tests),
            partial(_check_trackers, site),
            partial(_check_start, form.start),
        ]

    def identity(self, site: Site) -> None:
        """Return None: a training looks itself at what is finished."""

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the rows with the data sets that `latest` stands for."""
        form = self.form
        return {
            "data": [pinned(name, site) for name in form.data],
            "more": [pinned(name, site) for name in form.more],
        }

    def signature(self, site: Site) -> dict[str, Any]:
        """Download the data and the start, and return its commit if it is of the hub."""
        for name in self.form.names:
            digest(found(name, site))
        start = network.fetch(self.form.start)
        if start is None or start.commit is None:
            return {"models": {}}
        return {"models": {"start": {"model": start.name, "revision": start.commit}}}

    def _check_packages(self) -> None:
        """Raise SettingsError for a package that is not installed."""
        optional_packages.require("accelerate", "research", "bitext-pivot train")
        if self.form.task in REWRITING:
            optional_packages.require("sacrebleu", "research", "Scoring outputs")
        else:
            optional_packages.require("sentence_transformers", "research", "A classifier")

    def _find(self, name: str, site: Site) -> None:
        """Raise SettingsError for data that is not there."""
        found(name, site)

    def _read(self, test: TestSet) -> None:
        """Raise SettingsError for a test set that cannot be read: a training would say so after hours."""
        evaluation.read(test, self.form.task, Counter())

    def _check_named_once(self, site: Site) -> None:
        """Raise SettingsError for data that is named twice."""
        paths = [found(name, site).resolve() for name in self.form.names]
        twice = [str(path) for path in paths if paths.count(path) > 1]
        if twice:
            raise SettingsError(
                f"data and more name {twice[0]} twice. Name each once: its rows would count twice."
            )

    def _check_data_set(self, name: str, site: Site) -> None:
        """Raise SettingsError for a data set without rows, or of something else than `titles` names."""
        path = found(name, site)
        known, expected = stats(path), self.form.titles
        if known and not known.kept and not self.form.variant:
            raise SettingsError(f"data names {name!r} ({path}), a data set without a kept row.")
        if known and expected and known.title not in expected:
            wanted = " or ".join(map(repr, expected))
            raise SettingsError(
                f"data names {name!r} ({path}), which is {known.title!r}; titles expects {wanted}. "
                "Name the folder of such a data set, as `make demo` builds it in demo, or train on this one "
                "with --titles '[]'."
            )


def _check_file(path: Path) -> None:
    """Raise SettingsError for what is no regular file: a training reads its files several times."""
    if not path.is_file():
        raise SettingsError(
            f"tests names {path}, which is no file that can be read. Name a text file."
        )


def _check_start(start: NetworkStart) -> None:
    """Raise SettingsError for a pretrained model that is not there."""
    with suppress(
        SourceError
    ):  # a hub that does not answer now may answer when the training starts
        network.preview(start)


def _check_trackers(site: Site) -> None:
    """Raise SettingsError for an experiment tracker that transformers does not know, or that is not here."""
    if not site.trackers:
        return  # transformers takes seconds to import
    from transformers import integrations

    library: Any = integrations  # typed in part only
    for name in site.trackers:
        try:
            library.get_reporting_integration_callbacks([name])
        except ValueError as error:
            raise SettingsError(f"BITEXT_PIVOT_TRACKERS names {name!r}: {error}") from error
    available = library.get_available_reporting_integrations()
    missing = [name for name in site.trackers if name not in available]
    if missing:
        raise SettingsError(
            f"BITEXT_PIVOT_TRACKERS names {missing[0]!r}, which is not installed here. Install it, or leave it out."
        )
