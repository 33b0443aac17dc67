"""What is built already with given settings: the data set, and the shards of each corpus, by stage."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, indexed, shards
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.ahead.refusals import signed
from bitext_pivot.tasks.run import finished, table
from bitext_pivot.tasks.run.forms import RecipeForm
from bitext_pivot.tasks.run.models import Model, Processing

THERE, NOT_THERE, UNKNOWN = "there", "-", "unknown"


def finished_before(form: RecipeForm, site: Site) -> Path | None:
    """Return the data set of a build that was finished before, if nothing has changed.

    No model is loaded. What is wrong with the form is left to the checks of a build.
    """
    try:
        builds = site.build_folder(finished.folder_name(form.title))
        if not finished.has_any(builds):
            return None
        sources = identities(form, site)
        if sources is None:
            return None
        _, signature = signed(form, site)
        return finished.find(builds, signature, sources)
    except BuildError:
        return None


def identities(form: RecipeForm, site: Site) -> dict[str, Any] | None:
    """Return the identities of those sources that are on this machine; None if a build has to begin."""
    found: dict[str, Any] = {}
    for resource in form.resources():
        identity = resource.identity(site)
        if identity is None:
            return None
        found.update(identity)
    return found


def extracted(source: SourceFiles, bitext: Bitext, site: Site) -> list[Path] | None:
    """Return the shards of the alignments of a corpus, None unless all are there with these settings."""
    index = table.index(source, bitext, site).path
    return indexed.paths(index) if indexed.is_complete(index) else None


def alignments(paths: Sequence[Path]) -> int:
    """Return the number of alignments in shards."""
    return sum(atomic.read_manifest(path)["rows"] for path in paths)


def stages(paths: Sequence[Path], processing: Processing, site: Site) -> list[str]:
    """Return for each stage behind `extract` whether its shards are there: `there`, `2 of 3` or `-`.

    Shards are named after models: of a model that is not on this machine `unknown`. No model is loaded for what was
    not scored before.
    """
    cells: list[str] = []
    with suppress(BuildError):  # a model that cannot work (`check_offline`)
        for number in _found(paths, processing, site):
            part = f"{number} of {len(paths)}" if number else NOT_THERE
            cells.append(THERE if number == len(paths) else part)
    return cells + [UNKNOWN] * (len(pairs.NAMES) - 1 - len(cells))


def _found(paths: Sequence[Path], processing: Processing, site: Site) -> Iterator[int]:
    """Yield how many shards of each stage are there, of those whose models are on this machine."""
    missing = {model.stage for model in processing.models if not _is_local(model)}
    if "translate" in missing:
        return
    processing = processing.calibrated(processing.engine(site).signature)
    if (
        len(processing.filters.last_filters) > 1 and not missing
    ):  # what one reads depends on another's cut
        processing = processing.measured(site)
    for name, make in pairs.stages(processing, site).items():
        if name == "score" and missing:
            return  # before the signatures of models are asked for
        if name == "judge" and any(map(shards.find, paths)):  # else a cut may not be measured yet
            make = pairs.stages(processing.measured(site), site)[name]
        stage = make()
        paths = [stage.target(path).path for path in paths]
        yield sum(shards.find(path) is not None for path in paths)


def _is_local(model: Model) -> bool:
    """Return True if a model would not have to be downloaded."""
    with suppress(BuildError):
        return not model.preview.missing
    return False
