"""Check: what the form names must be loadable before anything is fetched or built."""

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
from bitext_pivot.tasks.run.models import Processing

_AnyForm = TypeVar("_AnyForm", bound=RecipeForm)
AnyPairs = TypeVar("AnyPairs", bound=PairForm)


class Checked(NamedTuple, Generic[AnyPairs]):
    """What a build of pairs runs with: its trial and its stages take it as it is."""

    settings: AnyPairs
    signature: dict[str, Any]
    processing: Processing


@as_task("check sources and models")
def check(form: _AnyForm, site: Site) -> tuple[_AnyForm, dict[str, Any]]:
    """Locate sources, download models; return the settings of a build and the signature of what will run.

    The settings are those of the form, with releases in place of `latest` and the commits of hub models in place of
    branches. The `warnings` of the signature are about the user's texts.

    Nothing is loaded. Raises SettingsError for a model that is missing, of the wrong kind or for another language, for
    a language that cannot be split into sentences if that is needed, and if shards cannot be written.
    """
    name_files(form)
    warnings = check_offline(form, site)
    settings, signature = signed(form, site)
    _name_devices()
    _name_parser(signature)
    for warning in warnings:
        warn(warning)
    _try_out(site, form.folder)  # last: it makes the folder
    return settings, signature | {"warnings": warnings}


def check_pairs(form: AnyPairs, site: Site) -> Checked[AnyPairs]:
    """Check a build of pairs as `check` does; call it in a flow.

    Thresholds are those that are known or measured for the models.
    """
    settings, signature = check(form, site)
    processing = settings.processing(site.device).calibrated(signature["engine"]).measured(site)
    return Checked(settings, signature, processing)


def _name_devices() -> None:
    """Log which device each library has selected."""
    for line in device.selected.values():
        inform(line)


def _name_parser(signature: Mapping[str, Any]) -> None:
    """Log which pipeline parses, if one does: the default may be installed under another name."""
    if "parser" in signature:
        inform(f"Parser: {signature['parser']}")


def _try_out(site: Site, name: str) -> None:
    """Refuse a folder of builds that cannot be written, and warn once of a data folder without locks."""
    folders.try_out(site.build_folder(name))
    if not has_locks(site.home):
        current_log().warning(
            "%s has no file locks (NFS or Lustre mounted without them): two runs may build the same shard twice, and "
            "finished translations are kept on this machine, in %s. Mount it with locks to share them.",
            site.home, site.store_folder,
        )  # fmt: skip


def name_files(settings: BaseModel) -> None:
    """Log which files of this machine a build will read: a preset or a card of somebody else may name private ones."""
    if paths := local_files(settings):
        inform(f"Files of this machine that the settings name: {', '.join(map(str, paths))}")
