"""The command `bitext-pivot`: catalogue, plan, build, judge; its options are the settings of the Prefect form."""

import argparse
import difflib
import json
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Never

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator
from pydantic_settings import CliApp, CliPositionalArg, CliSettingsSource, CliSubCommand, CliToggleFlag
from rich.console import Console
from rich.table import Table

os.environ.setdefault(
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "180"
)  # a busy machine takes over the usual 20
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DO_NOT_TRACK", "1")

from alignments.catalogue import entries as catalogue
from alignments.catalogue import listing
from alignments.catalogue.opusapi import Api
from alignments.catalogue.opusdata import database
from filters.sieve import Sieve
from filters.verdicts import Judge as Judging
from filters.verdicts import count, judge_lines
from flows.pivot_bitext import PivotBitext, pivot_bitext
from pairs import atomic, presets
from pairs.categories import Categories
from pairs.errors import BuildError, SettingsError
from pairs.export import json_line
from pairs.languages import Language
from pairs.parsing import Parser, load
from pairs.progress import tracked
from pairs.ready_made import read_lines
from pairs.settings import Settings
from pairs.site import Site
from tasks.check import Recipe
from tasks.models import fetch_all
from tasks.plan import plan

QUICKSTART_PARSER = Path(__file__).parent / "quickstart" / "models" / "spacy-en-ud"
ENVIRONMENT = "Where it runs is read from the environment:\n" + "\n".join(
    f"  BITEXT_PIVOT_{name.upper():8} {field.description} (default: {field.default})"
    for name, field in Site.model_fields.items()
)
WIDE = 200
"""Columns of a table that goes to a file or a pipe."""
screen = Console()


class Preset(Settings):
    """Settings that begin with those of a preset."""

    preset: str | None = Field(
        default=None,
        description="Begin with the settings of a preset (`bitext-pivot catalogue --presets` lists them) or of a JSON "
        "file; the other options have the last word.",
    )

    @model_validator(mode="before")
    @classmethod
    def _begin_with_the_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict) or values.get("preset") is None:
            return values
        try:
            return presets.merged(presets.load(str(values["preset"])), values)
        except SettingsError:
            return values  # _be_a_preset says so, at the right place

    @field_validator("preset")
    @classmethod
    def _be_a_preset(cls, name: str | None) -> str | None:
        try:
            presets.load(name or presets.names()[0])
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return name


class Build(Preset, PivotBitext):
    """Build the pairs of one language pair from OPUS bitext; prints the folder of the data set."""

    def cli_cmd(self) -> None:
        """Run the flow here, with a Prefect server of its own unless PREFECT_API_URL names one."""
        folder = pivot_bitext(PivotBitext(**self.model_dump(exclude={"preset"})))
        screen.print((folder / "README.md").read_text(encoding="utf-8"), markup=False, highlight=False)
        screen.print(f"The data set lies in {folder}", markup=False)


class Plan(Preset, PivotBitext):
    """Tell what a build would do, before a byte moves: corpora, sizes, models, and what is there already."""

    def cli_cmd(self) -> None:
        """Print the plan as a table."""
        recipe = Recipe(translation=self.translation, parser=self.parser, sieve=self.sieve, categories=self.categories)
        screen.print(plan(self, recipe, Site()), markup=False, highlight=False)


class Catalogue(Settings):
    """List what OPUS has for two languages: every release by its name, with sizes and licence. Needs no network."""

    languages: CliPositionalArg[list[str]] = Field(default=[], description="Two languages, in any order: fr en.")
    corpus: str | None = Field(default=None, description="List one corpus only.")
    live: CliToggleFlag[bool] = Field(
        default=False, description="Ask the OPUS-API instead of the catalogue that came with opustools."
    )
    as_json: CliToggleFlag[bool] = Field(
        default=False, alias="json", description="Print a JSON object a line instead of a table, sizes in bytes."
    )
    presets: CliToggleFlag[bool] = Field(default=False, description="List the presets of `build` and `plan` instead.")

    def cli_cmd(self) -> None:
        """Print a row for each release, or for each preset."""
        if self.presets:
            listed = {name: presets.load(name) for name in presets.names()}
            self._show([{"preset": name, "settings": settings} for name, settings in listed.items()], _presets(listed))
            return
        if len(self.languages) != 2:
            raise SettingsError(
                f"{len(self.languages)} languages are given, expected two: bitext-pivot catalogue fr en"
            )
        site = Site()
        one, other = self.languages
        entries = catalogue.find(_live(site) if self.live else database(site), one, other, self.corpus)
        self._show([entry.plain() for entry in entries], listing.table(entries, "-".join(self.languages)))

    def _show(self, objects: list[dict[str, Any]], table: Table) -> None:
        if self.as_json:
            sys.stdout.writelines(f"{json.dumps(one, ensure_ascii=False)}\n" for one in objects)
        else:
            Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def _live(site: Site) -> Api:
    return Api(site.opus_api, site.timeout, site.proxy.get_secret_value() if site.proxy else None)


def _presets(listed: dict[str, dict[str, Any]]) -> Table:
    table = Table("preset", "pivot", "language", "corpora", "other settings")
    for name, settings in listed.items():
        others = {key: value for key, value in settings.items() if key not in {"pivot", "language", "corpora"}}
        told = (settings.get("pivot", ""), settings.get("language", ""), ", ".join(settings.get("corpora", [])))
        table.add_row(name, *told, json.dumps(others) if others else "")
    return table


class Models(Settings):
    """Download all models that a language pair needs, for a machine that will be offline later."""

    languages: CliPositionalArg[list[Language]] = Field(
        description="The language that is translated and that of the pairs: fr en."
    )

    def cli_cmd(self) -> None:
        """Print a line per model, with the folder it is in."""
        if len(self.languages) != 2:
            raise SettingsError(f"{len(self.languages)} languages are given, expected two: bitext-pivot models fr en")
        for line in fetch_all(*self.languages):
            screen.print(line, markup=False, highlight=False, soft_wrap=True)


class Judge(Settings):
    """Filter and label pairs you already have; writes one JSON line for each line of FILE, in order."""

    file: CliPositionalArg[Path] = Field(description="TSV `long<TAB>s1 <SEP> s2`, or JSON lines with long and split.")
    output: Path = Field(description="File of JSON lines to write.")
    preset: Literal["paper", "strict"] = Field(
        default="strict", description="The filters of the BiSECT paper, or these and the stricter ones."
    )
    language: Language = Field(default="en", description="Language of the pairs.")
    parser: Parser = Field(default=Parser(pipeline=str(QUICKSTART_PARSER)), description="The spaCy pipeline.")
    sieve: Sieve = Field(default=Sieve(), description="The filters; --preset has the last word on which run.")
    categories: Categories = Field(default=Categories(), description="Rules that label a pair.")

    def cli_cmd(self) -> None:
        """Judge the file and print how many pairs each filter rejected."""
        sieve = self.sieve.model_copy(update={"preset": self.preset})
        pipeline = load(self.parser, self.language)
        judging = Judging(sieve=sieve, categories=self.categories, pipeline=pipeline)
        results = judge_lines(read_lines(self.file, self.language), judging)
        with (
            atomic.replacing(self.output) as partial,
            partial.open("w", encoding="utf-8") as out,
            tracked(f"judge {self.file.name}", None) as advance,
        ):
            verdicts = count(results, lambda result: (out.write(json_line(result)), advance(1)))
        for name in ["kept", *sorted(set(verdicts) - {"kept"}, key=lambda name: -verdicts[name])]:
            screen.print(f"{verdicts[name]:8}  {name if name == 'kept' else f'rejected by {name}'}", highlight=False)


class Command(BaseModel):
    """Build split-and-rephrase corpora from OPUS bitext."""

    catalogue: CliSubCommand[Catalogue]
    plan: CliSubCommand[Plan]
    build: CliSubCommand[Build]
    judge: CliSubCommand[Judge]
    models: CliSubCommand[Models]

    def cli_cmd(self) -> None:
        """Run the subcommand that was named."""
        CliApp.run_subcommand(self)


class _Parser(argparse.ArgumentParser):
    """An argument parser that names the option that was probably meant."""

    def error(self, message: str) -> Never:
        wrong = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        near = difflib.get_close_matches(wrong, list(_options(self)), n=1) if wrong.startswith("-") else []
        super().error(f"{message}. Did you mean {near[0]}?" if near else message)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from _options(sub)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 0, 1 for a build that failed and 2 for settings that are refused."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    parser = _Parser(epilog=ENVIRONMENT, formatter_class=argparse.RawDescriptionHelpFormatter)
    command: Any = Command  # a plain model: settings read from the environment would meet variables of others
    source: CliSettingsSource[_Parser] = CliSettingsSource(command, root_parser=parser)
    try:
        CliApp.run(Command, cli_args=arguments if arguments is not None else sys.argv[1:], cli_settings_source=source)
    except ValidationError as error:
        for problem in error.errors():
            where = ".".join(str(part) for part in problem["loc"][1:])
            sys.stderr.write(f"bitext-pivot: {where}: {problem['msg']} (given: {problem['input']!r})\n")
        return 2
    except BuildError as error:
        sys.stderr.write(f"bitext-pivot: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
