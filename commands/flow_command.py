"""Base classes of the commands that build a data set or a model: presets and options, the run, and its result."""

import logging
import os
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from bitext_pivot.core.errors import EmptyError, NoTrainingError, SettingsError, ShardError
from bitext_pivot.core.progress import has_bars, stage_bars, warn
from bitext_pivot.core.settings import Settings, refuse_unknown_fields
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.core.storage import received
from bitext_pivot.core.untrusted import safe
from bitext_pivot.corpus.facts import STATS, BuildStats, read_stats
from bitext_pivot.flows import presets
from bitext_pivot.tasks.run.finished import folder_name, point_latest
from bitext_pivot.tasks.run.forms import RecipeForm

_log = logging.getLogger(__name__)
_FIRST = ("demo", "first")
_WORKERS_LEVEL = "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"
"""Environment variable with the log level of worker processes on the terminal."""
_SUGGESTED = 4
"""Number of presets that a message suggests."""


class FromPreset(Settings):
    """The options of a command whose settings a preset may provide.

    A subclass derives first from this class, then from the class of its settings, `FORM`. A preset may come from a
    stranger. It can set only fields of `FORM`, never other options of the command, because these may name files to
    write.
    """

    FORM: ClassVar[type[Settings]]
    """The class of the settings that a preset may set."""
    PRESETS: ClassVar[Path] = presets.FOLDER
    """Folder that contains the presets of the command."""

    preset: str | None = None
    """Use the settings of a preset (an unknown name lists all presets), of a TOML or JSON file, or of a data set's
    README.md, with the same releases and models. Other options override these settings."""

    log_level: Literal["debug", "info", "warning", "error"] | None = Field(
        default=None, alias="log-level"
    )
    """Lowest level of log lines on stderr. The default is info. On a terminal it is warning, because bars show the
    progress of each stage; with info or debug, a terminal shows the log instead of the bars."""

    @model_validator(mode="before")
    @classmethod
    def _begin_with_the_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict) or values.get("preset") is None:
            return values
        preset = str(values["preset"])
        try:
            presets.use_quickstart(preset)
            settings = presets.load(preset, cls.PRESETS)
            refuse_unknown_fields(cls.FORM, settings)
        except (SettingsError, ValueError) as error:
            raise ValueError(f"preset: {error}") from error
        return presets.merge(settings, values)

    def refuse_bare(self, name: str) -> None:
        """Raise SettingsError if no option was given, because a default build would take hours."""
        if not self.model_fields_set:
            known = sorted(
                presets.names(self.PRESETS), key=lambda preset: not preset.startswith(_FIRST)
            )
            suggested = ", ".join(known[:_SUGGESTED]) or "a file of settings"
            raise SettingsError(
                f"Name a preset or a corpus, for example bitext-pivot {name} --preset NAME ({suggested} ...). "
                f"bitext-pivot {name} --help lists the options."
            )

    def begin_log(self, text: str) -> None:
        """Set the log level and log `text`, which describes what the command is about to do."""
        if self.log_level:
            level = self.log_level.upper()
            os.environ[_WORKERS_LEVEL] = level
            if level == "DEBUG":
                os.environ["PREFECT_LOGGING_LEVEL"] = level
                logging.getLogger("bitext_pivot").setLevel(level)
            for handler in logging.getLogger().handlers:
                handler.setLevel(level)
        _log.info(text)

    def form_values(self) -> dict[str, Any]:
        """Return the values of the fields of `FORM`, without the other options of the command."""
        return self.model_dump(include={*self.FORM.model_fields})


class RunFlow(FromPreset):
    """A command that runs a Prefect flow. A subclass names the settings, the presets and the flow."""

    FORM: ClassVar[type[RecipeForm]]
    FLOW: ClassVar[str]
    """Name of the flow and of the file in flows/ that defines it."""

    def beginning(self, settings: RecipeForm, site: Site) -> str:
        """Return the first log line: what is built, from which sources, and in which folder."""
        return beginning(settings, site)

    def cli_cmd(self) -> None:
        """Run the flow unless it has already run with the same settings, and print the folder."""
        self.refuse_bare(self.PRESETS.name)
        settings = self.FORM(**self.form_values())
        site = Site()
        self.begin_log(self.beginning(settings, site))
        if not is_finished(settings, site):
            run_flow(self.FLOW, settings.title, settings)


def beginning(settings: RecipeForm, site: Site) -> str:
    """Return the first log line, such as `Building fr-en from Europarl/v8, into data/fr-en`."""
    names, _, sources = settings.title.partition(": ")
    folder = site.build_folder(folder_name(settings.title))
    return f"Building {names} from {sources}, into {folder}"


def is_finished(settings: RecipeForm, site: Site) -> bool:
    """Return True if an earlier build is finished and unchanged, and print its folder.

    Returns False if a Prefect server is configured, because the server records a run for each build. Raises the same
    EmptyError as `run_flow`.
    """
    from bitext_pivot.deployments.server_address import server_address
    from bitext_pivot.tasks.ahead.inventory import finished_before

    if server_address():
        return False

    folder = finished_before(settings, site)
    if folder is None:
        return False
    try:
        point_latest(folder)
    except ShardError as error:
        warn(str(error))
    _log.info("Finished before: settings, models, sources and program are the same.")
    _show(folder)
    return True


def run_flow(flow: str, name: str, settings: RecipeForm) -> None:
    """Run a flow, with progress bars on a terminal, and print the folder of its result.

    Raises SettingsError for settings that cannot be built, SourceError if the Prefect server does not answer, and
    EmptyError if no row of the data set was kept, or no kept row is for training.
    """
    from bitext_pivot.tasks.run.signals import end_on_signals

    end_on_signals()
    if has_bars():
        os.environ.setdefault(_WORKERS_LEVEL, "WARNING")
    with stage_bars():
        from bitext_pivot.tasks.ahead.refusals import check_before_run

        check_before_run(settings, Site())
        from bitext_pivot.deployments.run_recipe import run_recipe

        folder = run_recipe(flow, name, settings)
    _show(folder)


def _refuse_empty(stats: BuildStats, latest: Path) -> None:
    """Raise EmptyError if no row was kept, and NoTrainingError if no row is for training."""
    if not stats.kept:
        unchanged = " `latest` was not changed." if latest.exists() else ""
        raise EmptyError(f"No row was kept. {stats.most_lost}{unchanged}")
    if stats.lacks_training:
        raise NoTrainingError(f"No row is for training. {stats.warning}")


def _show(folder: Path) -> None:
    """Print a summary of a data set or a model to stderr, and its folder to stdout.

    The summary of a data set is the beginning of its report; the summary of a model is the beginning of its README.md.
    Raises EmptyError if a data set has no kept row, and NoTrainingError if no kept row is for training.
    """
    from rich.console import Console
    from rich.markdown import Markdown

    from bitext_pivot.corpus.first_screen import first_screen
    from bitext_pivot.corpus.front_matter import without_front_matter

    stats = None
    if (folder / STATS).exists():
        stats = read_stats(folder)
        text = first_screen(stats, str(folder))
    else:
        card = without_front_matter(received.text(folder / "README.md"))
        text, _, _ = card.partition("\n## Data\n")
    console = Console(stderr=True)
    console.print(Markdown(safe(text)), soft_wrap=not console.is_terminal)
    show(str(folder), wrap=False)
    if stats is not None:
        _refuse_empty(stats, folder.with_name("latest"))
