"""The command `bitext-pivot`. The options of `build` and `plan` are the settings of the Prefect form.

Modules that import Prefect, spaCy, torch or matplotlib are imported by the commands that need them, so that help, usage
errors and the catalogue are fast.
"""

import json
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, model_validator
from pydantic_settings import CliApp, CliPositionalArg, CliSettingsSource, CliSubCommand, CliToggleFlag
from pydantic_settings import SettingsError as UnreadableError
from rich.console import Console, RenderableType

from alignments.catalogue import entries as catalogue
from alignments.catalogue import listing
from alignments.catalogue.opusdata import database
from filters.base import Runtime
from filters.chain import FilterChain
from flows.settings import PivotBitext
from metrics.settings import Evaluation
from pairs import command_line, presets, tracebacks
from pairs.errors import BuildError, SettingsError
from pairs.languages import Language
from pairs.settings import Settings
from pairs.site import Site
from pairs.syntax.parsing import Parser, load

LOG_LINE = "%(asctime)s | %(levelname)-7s | %(message)s"
screen = Console()

# Read by Prefect when it is imported. A busy machine needs more than its 20 seconds.
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "180")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DO_NOT_TRACK", "1")


class Form(PivotBitext):
    """The settings of a build, on top of those of a preset."""

    preset: str | None = Field(
        default=None,
        description="Start from the settings of a preset (`bitext-pivot catalogue --presets` lists them) or of a JSON "
        "file; the other options override them.",
    )

    @model_validator(mode="before")
    @classmethod
    def _begin_with_the_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict) or values.get("preset") is None:
            return values
        try:
            return presets.merged(presets.load(str(values["preset"])), values)
        except SettingsError as error:
            raise ValueError(f"preset: {error}") from error

    def settings(self, site: Site) -> PivotBitext:
        """Return the settings without the preset's name, every corpus by its release."""
        return PivotBitext(**self.model_dump(exclude={"preset"})).pinned(site)


class Build(Form):
    """Build the pairs of one language pair from bitext; print the folder of the data set."""

    def cli_cmd(self) -> None:
        """Run the flow with a Prefect server of its own unless PREFECT_API_URL names one."""
        site = Site()
        settings = self.settings(site)
        from corpus.front_matter import without_front_matter
        from flows.pivot_bitext import pivot_bitext
        from tasks.check import check_here
        from tasks.models import Recipe

        check_here(settings, Recipe.of(settings), site)
        with tracebacks.left_out():
            folder = pivot_bitext(settings)
        card = without_front_matter((folder / "README.md").read_text(encoding="utf-8"))
        screen.print(card, markup=False, highlight=False)
        screen.print(f"Data set: {folder}", markup=False, highlight=False, soft_wrap=True)


class Plan(Form):
    """Show what a build would do, without downloading anything: corpora, sizes, models, finished parts."""

    def cli_cmd(self) -> None:
        """Print the plan as tables, then what the build would refuse."""
        site = Site()
        settings = self.settings(site)
        from tasks.check import check_here, raise_together
        from tasks.models import Recipe
        from tasks.plan import plan

        recipe = Recipe.of(settings)
        raise_together(
            lambda: screen.print(plan(settings, recipe, site), markup=False, highlight=False),
            lambda: check_here(settings, recipe, site),
        )


class Catalogue(Settings):
    """List what OPUS has for two languages: releases, sizes, licences. Needs no network."""

    languages: CliPositionalArg[list[str]] = Field(default=[], description="Two languages, in any order: fr en.")
    corpus: str | None = Field(default=None, description="List one corpus only.")
    live: CliToggleFlag[bool] = Field(
        default=False, description="Ask the OPUS-API instead of the catalogue that opustools ships."
    )
    as_json: CliToggleFlag[bool] = Field(
        default=False, alias="json", description="Print one JSON object per line instead of a table, sizes in bytes."
    )
    presets: CliToggleFlag[bool] = Field(default=False, description="List the presets of `build` and `plan` instead.")

    def cli_cmd(self) -> None:
        """Print a row for each release, or for each preset."""
        if self.presets:
            settings = {name: presets.load(name) for name in presets.names()}
            objects = [{"preset": name, "settings": values} for name, values in settings.items()]
            self._show(objects, presets.table(settings))
            return
        one, other = _two(self.languages, "catalogue")
        entries = catalogue.find(_releases(is_live=self.live), one, other, self.corpus)
        table = listing.table(entries, "-".join(self.languages), command_line.columns())
        self._show([entry.plain() for entry in entries], table)

    def _show(self, objects: list[dict[str, Any]], table: RenderableType) -> None:
        if self.as_json:
            sys.stdout.writelines(f"{json.dumps(one, ensure_ascii=False)}\n" for one in objects)
        else:
            Console(width=command_line.columns()).print(table)


def _releases(*, is_live: bool) -> catalogue.Catalogue:
    site = Site()
    if not is_live:
        return database(site)
    from alignments.catalogue.opusapi import Api  # httpx is slow to import

    return Api(site.opus_api, site.timeout, site.proxy_address)


def _two(languages: Sequence[str], command: str) -> Sequence[str]:
    if len(languages) != 2:
        raise SettingsError(f"{len(languages)} languages are given, expected two: bitext-pivot {command} fr en")
    return languages


class Models(Settings):
    """Download all models that a language pair needs, for a machine that will be offline later."""

    languages: CliPositionalArg[list[Language]] = Field(
        description="The language that is translated and that of the pairs: fr en."
    )

    def cli_cmd(self) -> None:
        """Print a line per model, with the folder it is in."""
        from tasks.models import Recipe, fetch_all

        pivot, language = _two(self.languages, "models")
        for line in fetch_all(Recipe.of(PivotBitext(pivot=pivot, language=language))):
            screen.print(line, markup=False, highlight=False, soft_wrap=True)


class Judge(Settings):
    """Filter and label pairs you already have; writes one JSON line for each line of FILE, in order."""

    file: CliPositionalArg[Path] = Field(description="TSV `long<TAB>s1 <SEP> s2`, or JSON lines with long and split.")
    output: Path = Field(description="File of JSON lines to write.")
    language: Language = Field(default="en", description="Language of the pairs.")
    parser: Parser = Field(
        default=Parser(),
        description="The spaCy pipeline. Without one: English pairs are parsed by the pipeline that comes with the "
        "project, others by the small pipeline that spaCy publishes for the language.",
    )
    filters: FilterChain = Field(default=FilterChain(), description="The filters of a pair.")

    def cli_cmd(self) -> None:
        """Judge the file and print how many pairs each filter rejected."""
        from corpus.pair_files import read_lines
        from tasks.judge_file import judge_file, parser_for

        site = Site()
        verdicts = judge_file(
            read_lines(self.file, self.language),
            self.output,
            filters=self.filters,
            pipeline=load(parser_for(self.parser, self.language), self.language, site.device),
            runtime=Runtime.of(site),
        )
        for name in ["kept", *sorted(set(verdicts) - {"kept"}, key=lambda name: -verdicts[name])]:
            screen.print(f"{verdicts[name]:8}  {name if name == 'kept' else f'rejected by {name}'}", highlight=False)


class Evaluate(Evaluation):
    """Score the outputs of split-and-rephrase systems: SARI, FKGL, BLEU, GLEU, lengths, new words, splits."""

    def cli_cmd(self) -> None:
        """Print the scores of every file, and the signature of each metric."""
        from tasks.evaluate_file import evaluate_file

        Console(width=command_line.columns()).print(evaluate_file(self, Site()), soft_wrap=True)


class Command(BaseModel):
    """Build split-and-rephrase corpora from OPUS bitext."""

    catalogue: CliSubCommand[Catalogue] = Field(description="List what OPUS has for two languages.")
    plan: CliSubCommand[Plan] = Field(description="Show what a build would do, without downloading anything.")
    build: CliSubCommand[Build] = Field(description="Build the pairs of one language pair.")
    judge: CliSubCommand[Judge] = Field(description="Filter and label pairs you already have.")
    evaluate: CliSubCommand[Evaluate] = Field(description="Score the outputs of systems trained on such pairs.")
    models: CliSubCommand[Models] = Field(description="Download all models of a language pair.")

    def cli_cmd(self) -> None:
        """Run the subcommand that was named."""
        CliApp.run_subcommand(self)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 0, 1 for a build that failed and 2 for settings that are refused."""
    logging.basicConfig(level=logging.INFO, format=LOG_LINE, datefmt="%H:%M:%S", stream=sys.stderr)
    for name in ("httpx", "httpx2", "sacrebleu"):  # a line per request or test: not for users
        logging.getLogger(name).setLevel(logging.WARNING)
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = command_line.Parser.of("bitext-pivot", command_line.environment(Site, "BITEXT_PIVOT_"))
    command: Any = Command  # a plain model: settings read from the environment would meet variables of others
    source: CliSettingsSource[command_line.Parser] = CliSettingsSource(command, root_parser=parser)
    try:
        CliApp.run(Command, cli_args=arguments, cli_settings_source=source)
    except ValidationError as error:
        return _refuse(2, *command_line.problems(error))
    except UnreadableError:
        return _refuse(2, command_line.unreadable(arguments, parser))
    except BuildError as error:
        return _refuse(2 if isinstance(error, SettingsError) else 1, *str(error).splitlines())
    return 0


def _refuse(status: int, *messages: str) -> int:
    for message in messages:
        sys.stderr.write(f"bitext-pivot: {message}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
