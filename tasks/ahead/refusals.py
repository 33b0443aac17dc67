"""What a build would refuse, as far as it is found without a download: the cheapest check first, without Prefect."""

from collections.abc import Callable

from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.models.training_settings import TrainModel
from bitext_pivot.tasks.ahead.needs import Needs
from bitext_pivot.tasks.ahead.recipes import PairNeeds, SharedNeeds, TextNeeds
from bitext_pivot.tasks.ahead.training import TrainingNeeds
from bitext_pivot.tasks.run.forms import PairForm, SharedForm, TextForm


def needs_of(form: Settings) -> Needs:
    """Return what the build of a form needs. A new kind of form is one more case."""
    match form:
        case PairForm():
            return PairNeeds(form)
        case TextForm():
            return TextNeeds(form)
        case SharedForm():
            return SharedNeeds(form)
        case TrainModel():
            return TrainingNeeds(form)
    raise TypeError(f"{type(form).__name__} is no form of a recipe")


def check_offline(form: Settings, site: Site) -> None:
    """Refuse what `check` refuses, as far as that is possible without a download.

    Raises SettingsError with all problems of a round of checks, one per line.
    """
    for checks in needs_of(form).rounds(site):
        raise_together(*checks)


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
