"""Check: find the sources and models that the settings name, and fix their versions, before a build."""

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from bitext_pivot.core.hub import device
from bitext_pivot.core.progress import current_log, inform, warn
from bitext_pivot.core.settings import local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.core.storage.locks import has_locks
from bitext_pivot.tasks.ahead.refusals import check_offline, signed
from bitext_pivot.tasks.run.current_run import as_task
from bitext_pivot.tasks.run.forms import PairForm, RecipeForm
from bitext_pivot.tasks.run.loaded_models import Processing

_AnyForm = TypeVar("_AnyForm", bound=RecipeForm)
AnyPairs = TypeVar("AnyPairs", bound=PairForm)


class CheckedBuild(NamedTuple, Generic[AnyPairs]):
    """The results of the checks before a build of pairs.

    They are the complete settings, the signature (all that can change rows), and the settings that turn alignments into
    pairs.
    """

    settings: AnyPairs
    signature: dict[str, Any]
    processing: Processing


@as_task("check sources and models")
def check(form: _AnyForm, site: Site) -> tuple[_AnyForm, dict[str, Any]]:
    """Check a build, download its models, and return its complete settings and its signature.

    In the returned settings, `latest` is replaced by releases, and branches of hub models by commits. The signature
    contains everything that can change rows, and `warnings` about the user's own texts. No model is loaded.

    Raises SettingsError if a model is missing, of the wrong kind or for another language, if a language that must be
    split into sentences has no splitter, or if shards cannot be written.
    """
    name_files(form)
    warnings = check_offline(form, site)
    settings, signature = signed(form, site)
    _log_devices()
    _log_parser(signature)
    for warning in warnings:
        warn(warning)
    _check_folders(site, form.folder)  # last, because it creates the folder
    return settings, signature | {"warnings": warnings}


def check_pairs(form: AnyPairs, site: Site) -> CheckedBuild[AnyPairs]:
    """Check a build of pairs as `check` does, and fill in thresholds that depend on models.

    Such a threshold is known for the model, or it is measured on this machine.
    """
    settings, signature = check(form, site)
    processing = settings.processing(site.device).calibrated(signature["engine"]).measured(site)
    return CheckedBuild(settings, signature, processing)


def _log_devices() -> None:
    """Log the device that each library has selected."""
    for line in device.log_lines.values():
        inform(line)


def _log_parser(signature: Mapping[str, Any]) -> None:
    """Log the spaCy pipeline, if the build uses one.

    The default may be installed under another name.
    """
    if "parser" in signature:
        inform(f"Parser: {signature['parser']}")


def _check_folders(site: Site, name: str) -> None:
    """Raise SettingsError if builds cannot be written, and warn if there are no file locks.

    `name` is the folder of the builds, such as `fr-en`.
    """
    folders.try_out(site.build_folder(name))
    if not has_locks(site.home):
        current_log().warning(
            "%s has no file locks (NFS or Lustre mounted without them): two runs may build the same shard twice, and "
            "finished translations are kept on this machine, in %s. Mount it with locks to share them.",
            site.home, site.store_folder,
        )  # fmt: skip


def name_files(settings: BaseModel) -> None:
    """Log the local files a build will read. A stranger's preset or card may name private files."""
    if paths := local_files(settings):
        inform(f"Local files that the settings name: {', '.join(map(str, paths))}")
