"""Rows of data sets and files as the examples of a training."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.facts import STATS, BuildStats, read_stats
from bitext_pivot.research.models import data, evaluation, published_files
from bitext_pivot.research.models.data import ExampleSubsets, TrainingExample
from bitext_pivot.research.models.evaluation import HeldOutExamples
from bitext_pivot.research.models.training_settings import TrainSettings

OWN = "test"
"""Name of the test set that comes with the data."""
_SAVED = "state.json"
"""File of a folder that `datasets` saved."""


def found(name: str, site: Site) -> Path:
    """Return the file or folder of rows at a path or below the data folder, or a data set's name on the hub.

    For `latest` that is the folder of the newest data set. Raises SettingsError for what is none of these.
    """
    here, at_home = Path(name), site.home / name
    for path in map(reading.found, (name, str(at_home))):
        if path.is_file() or any((path / mark).is_file() for mark in (manifest.NAME, _SAVED)):
            return path
    if row_files.is_hub_name(here) and not (site.home / here.parts[0]).exists():
        return here
    raise SettingsError(
        f"data names {name!r}, which is no file and no folder of a finished data set, here or in {site.home}. Name "
        "one, such as fr-en/latest, or a data set on the hub, owner/name."
    )


def pinned(name: str, site: Site) -> str:
    """Return a name of rows with the folder of the data set that `latest` stands for. Raises as `found`."""
    path = Path(name)
    if path.name != "latest":
        return name
    return str(path.with_name(found(name, site).name))


def stats(path: Path) -> BuildStats | None:
    """Return what is known of the data set in a folder; None for rows of any other kind.

    Raises SettingsError if it is damaged.
    """
    if not (path / STATS).is_file():
        return None
    try:
        return read_stats(path)
    except ShardError as error:
        raise SettingsError(f"{error} Build or download the data set again.") from error


def titles(form: TrainSettings, site: Site) -> list[str]:
    """Return the titles of the data sets among the rows. Raises as `found` and `stats`."""
    known = [stats(found(name, site)) for name in (*form.data, *form.more)]
    return [one.title for one in known if one and one.title]


def described(name: str, site: Site) -> str:
    """Return the folder of a data set with title and rows: `data/fr-en/export-1a2b3c4d (fr-en: UN/v1, 90 rows)`.

    Of rows of any other kind the path, and of what is not there the name. Raises as `stats`.
    """
    try:
        path = found(name, site)
    except SettingsError:  # the checks refuse it, together with what else is wrong
        return name
    known = stats(path)
    if known is None:
        return str(path)
    return f"{path} ({known.title}, {known.kept:,} rows)"


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, a folder, a data set on the hub, or the manifest of a data set.

    The manifest has the digests of the files. Files of the hub are downloaded; raises as `row_files.files`.
    """
    for file in (path, path / manifest.NAME):
        if file.is_file():
            return atomic.sha256(file)
    if path.is_dir():
        return atomic.tree_digest(path)
    digests = [atomic.sha256(file) for file in row_files.files(path)]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def read(
    form: TrainSettings, site: Site, skips: Counter[str]
) -> tuple[list[HeldOutExamples], ExampleSubsets]:
    """Return the test sets, and the rows to train on and to choose the best checkpoint by, none of them in a test set.

    What cannot be used is counted in `skips`. Raises SettingsError if nothing is left to train on.
    """
    parts = ExampleSubsets([], [], [])
    for name in form.data:
        _add(parts, found(name, site), form, skips)
    extra = ExampleSubsets([], [], [])
    for name in form.more:
        _add(extra, found(name, site), form, skips)
    parts.train.extend(extra.train)
    if parts.test and any(test.name.casefold() == OWN for test in form.tests):
        raise SettingsError(
            f"tests names {OWN!r}, which is the test set of the data. Give it another name."
        )
    tests = [evaluation.own(OWN, parts.test)] if parts.test else []
    tests += [evaluation.read(test, form.task, skips) for test in form.tests]
    if form.task == "entailment" and _has_two_classes(parts.train):
        parts = ExampleSubsets(*(data.in_two_classes(part) for part in parts))
        tests = [replace(test, examples=data.in_two_classes(test.examples)) for test in tests]
    tested = data.held_out(text for test in tests for text in test.texts)
    train = data.without_leaks(parts.train, tested, skips)
    validation = data.without_leaks(parts.validation, tested, skips)
    if not train:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in skips.most_common())
        raise SettingsError(
            f"No row of {', '.join(form.data)} can be used for {form.task!r} ({reasons or 'there are none'}). Name "
            "other data, or another variant of it."
        )
    return tests, ExampleSubsets(train, validation, parts.test)


def _has_two_classes(examples: Iterable[TrainingExample]) -> bool:
    """Return True if some examples say only that a hypothesis does not follow, not how."""
    return any(example.label == data.NOT_ENTAILED for example in examples)


def _add(parts: ExampleSubsets, path: Path, form: TrainSettings, skips: Counter[str]) -> None:
    """Add the rows of a data set by its sets, or those of a file, some of which are for validation."""

    def examples(rows: Iterator[dict[str, Any]], subset: str = "") -> Iterator[TrainingExample]:
        loss = (
            "plain" if subset == "test" else form.loss
        )  # outputs are scored against the references
        return data.examples(rows, form.task, skips, loss=loss, licence=form.licence)

    if not (path / manifest.NAME).is_file():
        for example in examples(published_files.rows(path, form.task, skips, form.columns)):
            (parts.validation if data.for_validation(example) else parts.train).append(example)
        return
    kind = form.variant or reading.default_kind(path)
    targets: Sequence[list[TrainingExample]] = parts
    for subset, part in zip(("train", "validation", "test"), targets, strict=True):
        part.extend(examples(reading.rows(str(path), kind=kind, subset=subset), subset))
