"""Checks that find problems of a build in advance, without Prefect and mostly without a download."""

from functools import partial
from itertools import chain
from typing import Any, TypeVar

import httpx
from rich.filesize import decimal

from bitext_pivot.alignments.texts.document_files import digest_files
from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.progress import inform
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.settings import local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.corpus import rebuild
from bitext_pivot.tasks.run.forms import RecipeForm
from bitext_pivot.tasks.run.loaded_models import commits
from bitext_pivot.tasks.run.resources import ResourceCheck

_AnyForm = TypeVar("_AnyForm", bound=RecipeForm)


def signed(form: _AnyForm, site: Site) -> tuple[_AnyForm, dict[str, Any]]:
    """Return the complete settings of a build and its signature (all that can change rows).

    In the settings, `latest` is replaced by releases, and branches of hub models by commits. Models are downloaded, but
    not loaded. Raises SettingsError and SourceError.
    """
    resources = form.resources()
    models = list(chain.from_iterable(resource.models(site) for resource in resources))
    for model in models:
        if size := model.preview.download:
            inform(f"Downloading {model.name}: {decimal(size)}")
    pins: dict[str, Any] = {}
    signature: dict[str, Any] = {"models": commits(models)}
    versions = rebuild.package_versions()
    for resource in resources:
        pins |= resource.pins(site)
        signature |= resource.signature(site)
        versions |= resource.versions(site)
    settings = form.model_copy(update=pins)
    signature |= {
        "stages": {stage.name: stage.facts() for stage in settings.stages(site)},
        "versions": versions,
        "files": {str(path): digest_files(path) for path in local_files(form)},
        "settings": settings.model_dump(mode="json"),
    }
    return settings, signature


def check_offline(form: RecipeForm, site: Site) -> list[str]:
    """Check that sources and models exist, without a download; return warnings about texts.

    Raises one error with all problems, as `raise_together` does.
    """
    return raise_together(
        partial(check_named, form, site), partial(check_models, form, site), names_all=True
    )


def check_named(form: RecipeForm, site: Site) -> list[str]:
    """Check that the sources exist, but not models on the hub (slow); return warnings.

    Raises the same errors as `raise_together`, with all problems in one message.
    """
    return raise_together(*chain.from_iterable(each.checks(site) for each in form.resources()))


def check_models(form: RecipeForm, site: Site) -> None:
    """Check that the models and the parser exist.

    Raises the same errors as `raise_together`, with all missing models in one message.
    """
    checks = chain.from_iterable(resource.model_checks(site) for resource in form.resources())
    raise_together(*checks, names_all=True)


def check_before_run(form: RecipeForm, site: Site) -> None:
    """Check the proxy, certificates, write access to folders, and everything in `check_offline`.

    Raises SettingsError, or SourceError if only a server is missing something.
    """
    with checked_proxy():
        httpx.Client().close()
    for folder in (site.home, site.build_folder(form.folder), site.cache):
        if folder is not None:
            folders.try_out(folder)
    check_offline(form, site)


def raise_together(*checks: ResourceCheck, names_all: bool = False) -> list[str]:
    """Call all checks and return their warnings in one list.

    If checks fail, raises their only error, or a new error with one message per line. That is a SourceError, which may
    go away, if all errors are SourceErrors, otherwise a SettingsError. SourceErrors, such as files that a server lacks,
    are omitted if there are other errors, unless `names_all` is set.
    """
    errors: dict[str, BuildError] = {}
    warnings: list[str] = []
    for check in checks:
        try:
            warnings += check() or []
        except BuildError as error:
            errors |= dict.fromkeys(str(error).splitlines(), error)
    of_user = {text: error for text, error in errors.items() if type(error) is not SourceError}
    if of_user and not names_all:
        errors = of_user
    if len(set(errors.values())) == 1:
        raise next(iter(errors.values()))
    if not of_user and errors:
        raise SourceError("\n".join(errors))
    if errors:
        raise SettingsError("\n".join(errors))
    return warnings
