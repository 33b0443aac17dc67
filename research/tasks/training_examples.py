"""Find data sets and files of rows, and turn their rows into training and test examples."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.reading import table_folders
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.facts import STATS, BuildStats, read_stats
from bitext_pivot.research.models import data, evaluation, published_files
from bitext_pivot.research.models.data import ExampleSubsets, TrainingExample
from bitext_pivot.research.models.evaluation import HeldOutExamples
from bitext_pivot.research.models.training_settings import TrainSettings

OWN = "test"
"""Name of the test set that consists of the test rows in the data sets to train on."""
_SAVED = "state.json"
"""File that marks a folder written by `Dataset.save_to_disk`."""


def find_rows(name: str, site: Site) -> Path:
    """Return the path of a data set or file of rows, given its name in the settings.

    `name` is a path, a path relative to the data folder, or `owner/name` of a data set on the hub, which is returned as
    it is. `latest` becomes the folder of the newest data set. Raises SettingsError if nothing is found.
    """
    path_as_given, path_at_home = Path(name), site.home / name
    for path in map(reading.find_data_set, (name, str(path_at_home))):
        if path.is_file() or any((path / mark).is_file() for mark in (manifest.NAME, _SAVED)):
            return path
    if (
        table_folders.is_hub_name(path_as_given)
        and not (site.home / path_as_given.parts[0]).exists()
    ):
        return path_as_given
    raise SettingsError(
        f"data names {name!r}, which is neither a file nor the folder of a finished data set, in the working folder or "
        f"in {site.home}. Name a data set, such as fr-en/latest, a file of rows, or owner/name on the hub."
    )


def pin_latest(name: str, site: Site) -> str:
    """Replace `latest` at the end of a name by the folder it points to.

    Raises SettingsError if there is no such folder.
    """
    path = Path(name)
    if path.name != "latest":
        return name
    return str(path.with_name(find_rows(name, site).name))


def read_build_stats(path: Path) -> BuildStats | None:
    """Return the statistics of a data set, or None if `path` is not a data set of this program.

    Raises SettingsError if the statistics are damaged.
    """
    if not (path / STATS).is_file():
        return None
    try:
        return read_stats(path)
    except ShardError as error:
        raise SettingsError(f"{error} Build or download the data set again.") from error


def titles(form: TrainSettings, site: Site) -> list[str]:
    """Return the titles of the data sets that a training uses.

    Raises SettingsError if a data set is missing or damaged.
    """
    all_stats = [read_build_stats(find_rows(name, site)) for name in (*form.data, *form.more)]
    return [stats.title for stats in all_stats if stats and stats.title]


def describe(name: str, site: Site) -> str:
    """Describe a data set by its folder, its title and its number of rows.

    For example, `data/fr-en/export-1a2b3c4d (fr-en: UN/v1, 90 rows)`.

    Other files and folders of rows are described by their path; if nothing is found, `name` is returned. Raises
    SettingsError if a data set is damaged.
    """
    try:
        path = find_rows(name, site)
    except SettingsError:
        # The checks of the training refuse a missing file later, together with all other problems.
        return name
    stats = read_build_stats(path)
    if stats is None:
        return str(path)
    return f"{path} ({stats.title}, {stats.kept:,} rows)"


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, a folder, or a data set of this program or of the hub.

    For a data set of this program, the manifest is hashed, because it contains the digests of all files. The files of a
    data set on the hub are downloaded first. Raises SettingsError if a folder has no complete table, and SourceError if
    the hub does not answer.
    """
    for file in (path, path / manifest.NAME):
        if file.is_file():
            return atomic.sha256(file)
    if path.is_dir():
        return atomic.tree_digest(path)
    digests = [atomic.sha256(file) for file in table_folders.find_files(path)]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def read(
    form: TrainSettings, site: Site, skips: Counter[str]
) -> tuple[list[HeldOutExamples], ExampleSubsets]:
    """Return the test sets and the examples for training and validation.

    Rows that cannot be used, and rows that also occur in a test set, are counted in `skips` by reason. Raises
    SettingsError if no row is left to train on.
    """
    parts = ExampleSubsets([], [], [])
    for name in form.data:
        _add_rows(parts, find_rows(name, site), form, skips)
    extra = ExampleSubsets([], [], [])
    for name in form.more:
        _add_rows(extra, find_rows(name, site), form, skips)
    parts.train.extend(extra.train)
    if parts.test and any(test.name.casefold() == OWN for test in form.tests):
        raise SettingsError(
            f"tests has a test set named {OWN!r}, the name of the data's own test set. Give it another name."
        )
    tests = [evaluation.of_data_set(OWN, parts.test)] if parts.test else []
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
            f"No row of {', '.join(form.data)} can be used for the task {form.task!r} ({reasons or 'no rows'}). Name "
            "other data, or another variant of the data set."
        )
    return tests, ExampleSubsets(train, validation, parts.test)


def _has_two_classes(examples: Iterable[TrainingExample]) -> bool:
    """Return True if the class of some examples is `not_entailment`.

    Such examples do not tell `neutral` from `contradiction`.
    """
    return any(example.label == data.NOT_ENTAILED for example in examples)


def _add_rows(parts: ExampleSubsets, path: Path, form: TrainSettings, skips: Counter[str]) -> None:
    """Add the rows of a data set or of a file to the examples of their subset.

    The rows of a file are for training, except for one row in fifty, which is for validation.
    """

    def examples(rows: Iterator[dict[str, Any]], subset: str = "") -> Iterator[TrainingExample]:
        # Outputs for the test subset are scored against the references.
        loss = "plain" if subset == "test" else form.loss
        return data.examples(rows, form.task, skips, loss=loss, licence=form.licence)

    if not (path / manifest.NAME).is_file():
        for example in examples(published_files.rows(path, form.task, skips, form.columns)):
            (parts.validation if data.is_for_validation(example) else parts.train).append(example)
        return
    kind = form.variant or reading.default_kind(path)
    targets: Sequence[list[TrainingExample]] = parts
    for subset, part in zip(("train", "validation", "test"), targets, strict=True):
        part.extend(examples(reading.read_rows(str(path), kind=kind, subset=subset), subset))
