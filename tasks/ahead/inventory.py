"""Find the results of earlier builds with the same settings: the data set, and the shards of each stage."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.ahead.refusals import signed
from bitext_pivot.tasks.run import finished, stage_definitions
from bitext_pivot.tasks.run.forms import RecipeForm
from bitext_pivot.tasks.run.loaded_models import Model, Processing

THERE, NOT_THERE, UNKNOWN = "there", "-", "unknown"


def finished_before(form: RecipeForm, site: Site) -> Path | None:
    """Return the data set that an earlier build with the same settings finished, or None.

    The result is None if anything has changed since. It is also None if the settings contain errors, which the checks
    of the build report. No model is loaded.
    """
    try:
        builds = site.build_folder(finished.folder_name(form.title))
        if not finished.has_records(builds):
            return None
        sources = identities(form, site)
        if sources is None:
            return None
        _, signature = signed(form, site)
        return finished.find_build(builds, signature, sources)
    except BuildError:
        return None


def identities(form: RecipeForm, site: Site) -> dict[str, Any] | None:
    """Return what identifies each source's content, or None if no earlier build can be reused."""
    identities: dict[str, Any] = {}
    for resource in form.resources():
        identity = resource.identity(site)
        if identity is None:
            return None
        identities.update(identity)
    return identities


def extracted(source: SourceFiles, bitext: Bitext, site: Site) -> list[Path] | None:
    """Return the shards of a corpus's alignments, or None unless all exist for these settings."""
    return shards.find_all(stage_definitions.alignments(source, bitext, site).path)


def count_alignments(paths: Sequence[Path]) -> int:
    """Return the number of alignments in shards."""
    return sum(shards.read_manifest(path)["rows"] for path in paths)


def stages(paths: Sequence[Path], processing: Processing, site: Site) -> list[str]:
    """Return for each stage after `extract` how many of its shards are built.

    `paths` are the shards of alignments. A result is `there` (all shards), `2 of 3` or `-` (none). It is `unknown` if a
    model of the stage is not on this machine, because the folder name of the shards depends on the model. Models are
    loaded only if scored pairs exist.
    """
    cells: list[str] = []
    with suppress(BuildError):  # `check_offline` reports models that cannot be used
        for number in _count_built(paths, processing, site):
            part = f"{number} of {len(paths)}" if number else NOT_THERE
            cells.append(THERE if number == len(paths) else part)
    return cells + [UNKNOWN] * (len(pairs.NAMES) - 1 - len(cells))


def _count_built(paths: Sequence[Path], processing: Processing, site: Site) -> Iterator[int]:
    """Yield how many shards of each stage are built, until a stage lacks a local model."""
    missing = {model.stage for model in processing.models if not _is_local(model)}
    if "translate" in missing:
        return
    processing = processing.calibrated(processing.engine(site).signature)
    # With several last filters, the key of the scored shards contains the measured thresholds.
    if len(processing.filters.last_filters) > 1 and not missing:
        processing = processing.measured(site)
    for name, make in pairs.stages(processing, site).items():
        if name == "score" and missing:
            return  # creating the stage would require the signatures of the models
        # Measuring thresholds loads models, which is only useful if pairs were scored.
        if name == "judge" and any(map(shards.find, paths)):
            make = pairs.stages(processing.measured(site), site)[name]
        stage = make()
        paths = [stage.target(path).path for path in paths]
        yield sum(shards.find(path) is not None for path in paths)


def _is_local(model: Model) -> bool:
    """Return True if all required files of a model are on this machine."""
    with suppress(BuildError):
        return not model.preview.missing
    return False
