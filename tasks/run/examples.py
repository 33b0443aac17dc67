"""Rows of data sets and files as the examples of a training."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bitext_pivot.core import extras
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus import reading
from bitext_pivot.models import data, evaluation, files, network, vector_file
from bitext_pivot.models.data import Example, Parts
from bitext_pivot.models.evaluation import HeldOut
from bitext_pivot.models.kinds import network_class
from bitext_pivot.models.settings import LSTM, REWRITING, TrainModel
from bitext_pivot.tasks.run.here import check_train_here, found

OWN = "test"
"""Name of the test set that comes with the data."""


def check_train(form: TrainModel, site: Site) -> None:
    """Refuse what cannot be trained, the cheapest check first; the start is downloaded.

    Raises SettingsError for a package, a data set, a test set or a start that is not there or does not fit.
    """
    extras.require("accelerate", "train", "bitext-pivot train")
    network_class(form.kind)
    if form.task in REWRITING:
        extras.require("sacrebleu", "evaluate", "Scoring outputs")
    check_train_here(form, site)
    _check_trackers(site)
    if form.start.start == LSTM and Path(form.start.vectors).is_file():
        vector_file.check(Path(form.start.vectors))
    for test in form.tests:
        evaluation.read(test, form.task, Counter())
    network.fetch(form.start)


def _check_trackers(site: Site) -> None:
    """Raise SettingsError for an experiment tracker that transformers does not know, or that is not installed."""
    from transformers import integrations

    library: Any = integrations  # typed in part only
    for name in site.trackers:
        try:
            library.get_reporting_integration_callbacks([name])
        except ValueError as error:
            raise SettingsError(f"BITEXT_PIVOT_TRACKERS names {name!r}: {error}") from error
    available = library.get_available_reporting_integrations()
    if missing := [name for name in site.trackers if name not in available]:
        raise SettingsError(
            f"BITEXT_PIVOT_TRACKERS names {missing[0]!r}, which is not installed here. Install it, or leave it out."
        )


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of the manifest of a data set, which has those of its files."""
    return atomic.sha256(path if path.is_file() else path / manifest.NAME)


def read(form: TrainModel, site: Site, skips: Counter[str]) -> tuple[list[HeldOut], Parts]:
    """Return the test sets, and the rows to train on and to choose the best checkpoint by, none of them in a test set.

    What cannot be used is counted in `skips`. Raises SettingsError if nothing is left to train on.
    """
    parts = Parts([], [], [])
    for name in form.data:
        _add(parts, found(name, site), form, skips)
    extra = Parts([], [], [])
    for name in form.more:
        _add(extra, found(name, site), form, skips)
    if parts.test and any(test.name.casefold() == OWN for test in form.tests):
        raise SettingsError(f"tests names {OWN!r}, which is the test set of the data. Give it another name.")
    tests = [evaluation.own(OWN, parts.test)] if parts.test else []
    tests += [evaluation.read(test, form.task, skips) for test in form.tests]
    tested = data.held_out(text for test in tests for text in test.texts)
    train = data.without_leaks([*parts.train, *extra.train], tested, skips)
    validation = data.without_leaks(parts.validation, tested, skips)
    if not train:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in skips.most_common())
        raise SettingsError(
            f"No row of {', '.join(form.data)} can be used for {form.task!r} ({reasons or 'there are none'}). Name "
            "other data, or another variant of it."
        )
    return tests, Parts(train, validation, parts.test)


def _add(parts: Parts, path: Path, form: TrainModel, skips: Counter[str]) -> None:
    """Add the rows of a data set by its sets, or those of a file, some of which are for validation."""

    def examples(rows: Iterator[dict[str, Any]], subset: str = "") -> Iterator[Example]:
        loss = "plain" if subset == "test" else form.loss  # outputs are scored against the references
        return data.examples(rows, form.task, skips, loss=loss, licence=form.licence)

    if path.is_file():
        for example in examples(files.rows(path, form.task, skips)):
            (parts.validation if data.for_validation(example) else parts.train).append(example)
        return
    kind = form.variant or reading.default_kind(path)
    targets: Sequence[list[Example]] = parts
    for subset, part in zip(("train", "validation", "test"), targets, strict=True):
        part.extend(examples(reading.rows(str(path), kind=kind, subset=subset), subset))
