"""Check everything a training needs before it starts: packages, rows, test sets, trackers, the pretrained model."""

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
from bitext_pivot.research.tasks.training_examples import (
    digest,
    find_rows,
    pin_latest,
    read_build_stats,
)
from bitext_pivot.tasks.run.resources import Checks, Resource


@dataclass(frozen=True)
class TrainingResource(Resource):
    """What a training needs: packages, data, test sets and a pretrained model."""

    form: TrainSettings

    def checks(self, site: Site) -> Checks:
        """Return the checks to run before the training, cheapest first."""
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
        """Return None, because the training itself checks whether it is already finished."""

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the settings `data` and `more` with the folder to which each `latest` points."""
        form = self.form
        return {
            "data": [pin_latest(name, site) for name in form.data],
            "more": [pin_latest(name, site) for name in form.more],
        }

    def signature(self, site: Site) -> dict[str, Any]:
        """Download the data and the pretrained model, and return the commit of a hub model."""
        for name in self.form.names:
            digest(find_rows(name, site))
        start = network.fetch(self.form.start)
        if start is None or start.commit is None:
            return {"models": {}}
        return {"models": {"start": {"model": start.name, "revision": start.commit}}}

    def _check_packages(self) -> None:
        """Raise SettingsError if a package that the task needs is not installed."""
        optional_packages.require("accelerate", "research", "bitext-pivot train")
        if self.form.task in REWRITING:
            optional_packages.require("sacrebleu", "research", "Scoring outputs")
        else:
            optional_packages.require("sentence_transformers", "research", "A classifier")

    def _find(self, name: str, site: Site) -> None:
        """Raise SettingsError if a data set or file to train on is missing."""
        find_rows(name, site)

    def _read(self, test: TestSet) -> None:
        """Raise SettingsError if a test set cannot be read.

        The training would notice this only after hours.
        """
        evaluation.read(test, self.form.task, Counter())

    def _check_named_once(self, site: Site) -> None:
        """Raise SettingsError if a file or data set is named twice."""
        paths = [find_rows(name, site).resolve() for name in self.form.names]
        twice = [str(path) for path in paths if paths.count(path) > 1]
        if twice:
            raise SettingsError(
                f"data and more name {twice[0]} twice, so its rows would count twice. Name it once."
            )

    def _check_data_set(self, name: str, site: Site) -> None:
        """Raise SettingsError for an empty data set, and for a title that `titles` does not list."""
        path = find_rows(name, site)
        known, expected = read_build_stats(path), self.form.titles
        if known and not known.kept and not self.form.variant:
            raise SettingsError(
                f"data names {name!r} ({path}), a data set without kept rows. Name another one, or build it again."
            )
        if known and expected and known.title not in expected:
            wanted = " or ".join(map(repr, expected))
            raise SettingsError(
                f"data names {name!r} ({path}) with the title {known.title!r}; titles expects {wanted}. "
                "Name the folder of such a data set (`make demo` builds one in demo), or accept any title with "
                "--titles '[]'."
            )


def _check_file(path: Path) -> None:
    """Raise SettingsError unless the path is a regular file.

    A training reads its files several times.
    """
    if not path.is_file():
        raise SettingsError(f"tests names {path}, which is not a regular file. Name a text file.")


def _check_start(start: NetworkStart) -> None:
    """Raise SettingsError if the pretrained model does not exist."""
    with suppress(SourceError):  # the hub may answer again when the training starts
        network.preview(start)


def _check_trackers(site: Site) -> None:
    """Raise SettingsError if an experiment tracker is unknown to transformers or not installed."""
    if not site.trackers:
        return  # importing transformers takes seconds
    from transformers import integrations

    library: Any = integrations  # its type hints are incomplete
    for name in site.trackers:
        try:
            library.get_reporting_integration_callbacks([name])
        except ValueError as error:
            raise SettingsError(f"BITEXT_PIVOT_TRACKERS names {name!r}: {error}") from error
    available = library.get_available_reporting_integrations()
    missing = [name for name in site.trackers if name not in available]
    if missing:
        raise SettingsError(
            f"BITEXT_PIVOT_TRACKERS names {missing[0]!r}, which is not installed. Install it, or remove it from the "
            "variable."
        )
