"""What a build would refuse, as far as it is found without a download: the cheapest check first, without Prefect."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bitext_pivot.alignments import own, sources
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.multiway import SharedBitext
from bitext_pivot.alignments.own import RequestedBitext
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.running_text import RunningText
from bitext_pivot.alignments.sizes import check_exists
from bitext_pivot.core import extras
from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.models import evaluation, network, vector_file
from bitext_pivot.models.kinds import network_class
from bitext_pivot.models.settings import LSTM, REWRITING, TrainModel
from bitext_pivot.syntax import pipelines
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.run.examples import found
from bitext_pivot.tasks.run.models import Model, Processing, pipeline_for, translation_model
from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.directions import check_direction
from bitext_pivot.translation.models import Translation


def check_here(bitext: Bitext, site: Site) -> None:
    """Refuse what `check` refuses, as far as that is possible without a download.

    The parser is loaded last, if it is installed and all else is right. Raises SettingsError with all problems, one per
    line.
    """
    processing = Processing.of(bitext)
    raise_together(
        *(partial(sources.check, release) for release in bitext.releases()),
        *(partial(check_exists, release, site) for release in bitext.releases()),
        *(partial(own.find, RequestedBitext(entry, bitext.language, bitext.pivot)) for entry in bitext.own),
        *(partial(_check_model, model, processing.pivot, processing.language) for model in processing.models),
        partial(_check_parser, processing.parser, bitext.language),
    )
    pipeline_for(processing.parser, bitext.language, site)


def check_texts_here(texts: RunningText, parser: Parser, site: Site) -> None:
    """Refuse what `check_texts` refuses, before a flow begins. Raises SettingsError with all problems, one per line."""
    raise_together(
        *(partial(check_exists, entry, site) for entry in texts.documents if isinstance(entry, Release)),
        texts.check,
        partial(_check_parser, parser, texts.language),
    )
    pipeline_for(parser, texts.language, site)


def check_back_here(bitext: SharedBitext, translations: Mapping[str, Translation], site: Site) -> None:
    """Refuse what `check_back` refuses, as far as that is possible without a download; all problems in one message."""
    raise_together(
        *(partial(check_exists, release, site) for release in bitext.releases()),
        *(partial(_check_engine, translation, pivot, bitext.language) for pivot, translation in translations.items()),
    )


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


def check_train_here(form: TrainModel, site: Site) -> None:
    """Refuse data and files that are not there, and data named twice. Raises SettingsError, one line per problem."""
    files = [path for test in form.tests for path in (test.source, *test.references)]
    raise_together(
        *(partial(found, name, site) for name in (*form.data, *form.more)),
        *(partial(_check_file, path) for path in files),
    )
    paths = [found(name, site).resolve() for name in (*form.data, *form.more)]
    twice = [str(path) for path in paths if paths.count(path) > 1]
    if twice:
        raise SettingsError(f"data and more name {twice[0]} twice. Name each once: its rows would count twice.")


def check_train(form: TrainModel, site: Site) -> None:
    """Refuse what cannot be trained, the cheapest check first; the start is downloaded.

    Raises SettingsError for a package, a data set, a test set or a start that is not there or does not fit.
    """
    extras.require("accelerate", "train", "bitext-pivot train")
    network_class(form.kind)
    if form.task in REWRITING:
        extras.require("sacrebleu", "evaluate", "Scoring outputs")
    check_train_here(form, site)
    _check_trackers(site)
    if form.start.start == LSTM and Path(form.start.vectors).is_file():
        vector_file.check(Path(form.start.vectors))
    for test in form.tests:
        evaluation.read(test, form.task, Counter())
    network.fetch(form.start)


def _check_trackers(site: Site) -> None:
    """Raise SettingsError for an experiment tracker that transformers does not know, or that is not installed."""
    from transformers import integrations

    library: Any = integrations  # typed in part only
    for name in site.trackers:
        try:
            library.get_reporting_integration_callbacks([name])
        except ValueError as error:
            raise SettingsError(f"BITEXT_PIVOT_TRACKERS names {name!r}: {error}") from error
    available = library.get_available_reporting_integrations()
    if missing := [name for name in site.trackers if name not in available]:
        raise SettingsError(
            f"BITEXT_PIVOT_TRACKERS names {missing[0]!r}, which is not installed here. Install it, or leave it out."
        )


def _check_file(path: Path) -> None:
    """Raise SettingsError for what is no regular file: a training reads its files several times."""
    if not path.is_file():
        raise SettingsError(f"tests names {path}, which is no file that can be read. Name a text file.")


def _check_parser(parser: Parser, language: str) -> None:
    pipelines.find(parser.pipeline or pipelines.default_pipeline(language))


def _check_engine(translation: Translation, pivot: str, language: str) -> None:
    if model := translation_model(translation, pivot, language):
        _check_model(model, pivot, language)


def _check_model(model: Model, pivot: str, language: str) -> None:
    """Raise SettingsError for a model that cannot be used, in a folder also for one of another direction."""
    with suppress(SourceError):  # a hub that does not answer now may answer when the build starts
        model.preview.bytes  # noqa: B018 -- is looked up
    if model.stage == "translate" and Path(model.name).is_dir():
        check_direction(open_checkpoint(model.name), pivot, language)
