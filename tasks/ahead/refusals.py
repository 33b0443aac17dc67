"""What a build would refuse, as far as it is found without a download: the cheapest check first, without Prefect."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from bitext_pivot.alignments.texts.documents import digest
from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.settings import Settings, local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.models.training_settings import TrainModel
from bitext_pivot.tasks.ahead.joining import JoinNeeds
from bitext_pivot.tasks.ahead.needs import Needs
from bitext_pivot.tasks.ahead.recipes import PairNeeds, SharedNeeds, TextNeeds
from bitext_pivot.tasks.ahead.training import TrainingNeeds
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.forms import JoinForm, PairForm, SharedForm, TextForm

AnyForm = TypeVar("AnyForm", bound=Settings)
AnyRecipe = PairForm | TextForm | SharedForm | JoinForm | TrainModel


def needs_of(form: Settings) -> Needs:
    """Return what the build of a form needs. A new kind of form is one more case."""
    match form:
        case PairForm():
            return PairNeeds(form)
        case TextForm():
            return TextNeeds(form)
        case SharedForm():
            return SharedNeeds(form)
        case JoinForm():
            return JoinNeeds(form)
        case TrainModel():
            return TrainingNeeds(form)
    raise TypeError(f"{type(form).__name__} is no form of a recipe")


def finished_before(form: AnyRecipe, site: Site) -> Path | None:
    """Return the data set of a build that was finished before, if nothing has changed.

    No model is loaded. What is wrong with the form is left to the checks of a build.
    """
    needs = needs_of(form)
    try:
        builds = site.build_folder(finished.folder_name(form.title))
        if not finished.has_any(builds):
            return None
        sources = needs.sources(site)
        if sources is None:
            return None
        _, signature = signed(form, needs, site)
        return finished.find(builds, signature, sources)
    except BuildError:
        return None


def signed(form: AnyForm, needs: Needs, site: Site) -> tuple[AnyForm, dict[str, Any]]:
    """Return the settings of a build, with releases and commits for names that move, and its signature.

    Raises SettingsError and SourceError.
    """
    settings = form.model_copy(update=needs.pins(site))
    signature = {
        **needs.signatures(site),
        "stages": {stage.name: stage.facts() for stage in needs.stages(site)},
        "versions": needs.versions(site),
        "files": files(form),
        "settings": settings.model_dump(mode="json"),
    }
    return settings, signature


def files(settings: Settings) -> dict[str, str]:
    """Return the SHA-256 of each file or folder that settings name, by path.

    They are in the card, and compared by `--from-card`. Raises SettingsError if one is unreadable.
    """
    try:
        return {str(path): digest(path) for path in local_files(settings)}
    except OSError as error:
        reason = f"{error.filename} cannot be read ({error.strerror})"
        raise SettingsError(f"{reason}. Name a file that can be.") from error


def check_offline(form: Settings, site: Site) -> None:
    """Refuse what `check` refuses, as far as that is possible without a download.

    Raises SettingsError with all problems of a round of checks, one per line.
    """
    for checks in needs_of(form).rounds(site):
        raise_together(*checks)


def check_before_run(form: Settings, site: Site) -> None:
    """Refuse what `check_offline` refuses, and folders that cannot be written: of data and of builds.

    Raises SettingsError.
    """
    check_offline(form, site)
    for folder in (site.home, site.build_folder(needs_of(form).folder)):
        folders.try_out(folder)


def problems(*checks: Callable[[], object]) -> dict[str, BuildError]:
    """Call all checks and return the lines of the BuildErrors they raise, each with its error."""
    errors: dict[str, BuildError] = {}
    for check_one in checks:
        try:
            check_one()
        except BuildError as error:
            errors |= dict.fromkeys(str(error).splitlines(), error)
    return errors


def raise_together(*checks: Callable[[], object]) -> None:
    """Call all checks; raise the BuildError of one, or a SettingsError with the messages of several, one per line."""
    errors = problems(*checks)
    if len(set(errors.values())) == 1:
        raise next(iter(errors.values()))
    if errors:
        raise SettingsError("\n".join(errors))
