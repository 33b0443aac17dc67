"""What a build would refuse, as far as it is found without a download, and without Prefect."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import httpx
from rich.filesize import decimal

from bitext_pivot.alignments.texts.document_files import digest_files
from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.progress import inform
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.settings import Settings, local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.rebuild import Card, merged
from bitext_pivot.tasks.run import table
from bitext_pivot.tasks.run.forms import PairForm, RecipeForm
from bitext_pivot.tasks.run.models import commits
from bitext_pivot.tasks.run.resources import Corpora, ResourceCheck

_AnyForm = TypeVar("_AnyForm", bound=RecipeForm)


def signed(form: _AnyForm, site: Site) -> tuple[_AnyForm, dict[str, Any]]:
    """Return the settings of a build, with releases and commits for names that move, and its signature.

    Downloads models; loads none. Raises SettingsError and SourceError.
    """
    resources = form.resources()
    models = list(chain.from_iterable(resource.models(site) for resource in resources))
    for model in models:
        if size := model.preview.download:
            inform(f"Downloading {model.name}: {decimal(size)}")
    pins: dict[str, Any] = {}
    signature: dict[str, Any] = {"models": commits(models)}
    for resource in resources:
        pins |= resource.pins(site)
        signature |= resource.signature(site)
    settings = form.model_copy(update=pins)
    signature |= {
        "stages": {stage.name: stage.facts() for stage in settings.stages(site)},
        "versions": versions(form, site),
        "files": files(form),
        "settings": settings.model_dump(mode="json"),
    }
    return settings, signature


def versions(form: RecipeForm, site: Site) -> Mapping[str, str]:
    """Return the versions of Python and of what writes files, and what else of this machine decides the rows."""
    found = rebuild.versions()
    for resource in form.resources():
        found |= resource.versions(site)
    return found


def files(settings: Settings) -> dict[str, str]:
    """Return the SHA-256 of each file or folder that settings name, by path.

    They are in the card, and compared by `--from-card`.
    """
    return {str(path): digest_files(path) for path in local_files(settings)}


def check_offline(form: RecipeForm, site: Site) -> list[str]:
    """Locate all that a form names, without a download; return warnings about the user's texts.

    Raises as `check_named` and `check_models`.
    """
    warnings = check_named(form, site)
    check_models(form, site)
    return warnings


def check_named(form: RecipeForm, site: Site) -> list[str]:
    """Locate all that a form names but models of the hub, which may keep a user waiting; return warnings.

    Raises as `raise_together`, with all problems.
    """
    return raise_together(*chain.from_iterable(each.checks(site) for each in form.resources()))


def check_models(form: RecipeForm, site: Site) -> None:
    """Locate the models. Raises as `raise_together`, with all problems."""
    models = chain.from_iterable(resource.located(site) for resource in form.resources())
    raise_together(*(model.check for model in models))


def check_card(card: Card, form: RecipeForm, site: Site) -> None:
    """Refuse what has changed since a card was written, as far as that is known without a download.

    Compared are versions, the files of the form, what extracts and screens, and the corpora that are here. Raises
    SettingsError, one line per difference.
    """
    if not card.address or not isinstance(form, PairForm):
        return
    here = {
        "sources": Corpora(form).identity(site),
        "stages": {"extract": table.extract(form).facts()},
    }
    recorded = {name: card.signature.get(name, {}) for name in here}
    card.compare({"versions": versions(form, site), "files": files(form), **merged(recorded, here)})


def check_before_run(form: RecipeForm, site: Site) -> None:
    """Refuse proxy and certificates, folders that cannot be written, and what `check_offline` refuses.

    Raises SettingsError.
    """
    with checked_proxy():
        httpx.Client().close()
    for folder in (site.home, site.build_folder(form.folder), site.cache):
        if folder is not None:
            folders.try_out(folder)
    check_offline(form, site)


def problems(*checks: ResourceCheck) -> dict[str, BuildError]:
    """Call all checks and return the lines of the BuildErrors they raise, each with its error."""
    return _called(checks)[0]


def raise_together(*checks: ResourceCheck) -> list[str]:
    """Call all checks and return what they return together.

    Raises the BuildError of one, or one with the messages of several, one per line. It is a SettingsError unless all
    of them are SourceErrors, with which a second try may help: what a server lacks is said if nothing else is wrong.
    """
    errors, found = _called(checks)
    of_user = {text: error for text, error in errors.items() if type(error) is not SourceError}
    if of_user:
        errors = of_user
    if len(set(errors.values())) == 1:
        raise next(iter(errors.values()))
    if not of_user and errors:
        raise SourceError("\n".join(errors))
    if errors:
        raise SettingsError("\n".join(errors))
    return found


def _called(checks: Sequence[ResourceCheck]) -> tuple[dict[str, BuildError], list[str]]:
    """Return the lines of what checks raise, each with its error, and what they return."""
    errors: dict[str, BuildError] = {}
    found: list[str] = []
    for check in checks:
        try:
            found += check() or []
        except BuildError as error:
            errors |= dict.fromkeys(str(error).splitlines(), error)
    return errors, found
