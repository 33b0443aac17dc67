"""`bitext-pivot judge`: filter and label the pairs of a file."""

import json
from itertools import islice
from pathlib import Path

from pydantic import field_validator
from pydantic_settings import CliImplicitFlag, CliPositionalArg

from bitext_pivot.core import input_files, pair_files
from bitext_pivot.core.command_line import show
from bitext_pivot.core.languages import Language
from bitext_pivot.core.output import check_output
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.parsing import Parser, load

_EXPLAINED = 20
"""Pairs that `judge --explain` prints: more do not fit on a screen."""


class Judge(Settings):
    """Filter and label pairs you already have; writes one JSON line for each line of FILE, in order."""

    file: CliPositionalArg[Path]
    """TSV `long<TAB>s1 <SEP> s2`, or JSON lines with long and split; also compressed. `-`: standard input."""
    output: Path | None = None
    """File of JSON lines to write, compressed if it ends in .gz, .bz2, .xz or .zst. Empty: FILE with
    `.judged.jsonl` added; `judged.jsonl` for a pipe or standard input."""
    explain: CliImplicitFlag[bool] = False
    """Also print what each filter measured, for the first 20 pairs."""
    language: Language = "en"
    """Language of the pairs."""
    parser: Parser = Parser()
    """The spaCy pipeline."""
    filters: Filters = Filters()
    """The filters of a pair."""

    @field_validator("file")
    @classmethod
    def _name_standard_input(cls, file: Path) -> Path:
        return Path("/dev/stdin") if str(file) == "-" else file

    def cli_cmd(self) -> None:
        """Judge the file and print how many pairs each filter rejected, and what checked their meaning."""
        output = self.output or self._beside()
        check_output(output, option="--output", inputs=[self.file])
        lines = pair_files.checked_lines(self.file, self.language)
        from bitext_pivot.commands.judge_file import judge_file
        from bitext_pivot.commands.verdict_tables import verdict_table

        site = Site()
        runtime = Runtime.of(site)
        filters = self.filters.for_language(self.language).with_cuts(self.language, runtime)
        verdicts = judge_file(
            lines,
            output,
            filters=filters,
            pipeline=load(self.parser, self.language, site.device),
            runtime=runtime,
        )
        if self.explain:
            for line in islice(input_files.lines(output, "Judge again."), _EXPLAINED):
                show(verdict_table(json.loads(line), filters))
        show(f"{verdicts['kept']:8}  kept")
        for name in sorted(set(verdicts) - {"kept"}, key=lambda name: (-verdicts[name], name)):
            show(f"{verdicts[name]:8}  {_counted(name)}")
        show(filters.meaning_checks())
        show(f"Parser: {self.parser.installed(self.language)}", wrap=False)
        show(f"Verdicts and scores of each line: {output}", wrap=False)

    def _beside(self) -> Path:
        """Return where the verdicts go if no output is named."""
        if self.file.is_fifo() or self.file.is_relative_to("/dev"):
            return Path("judged.jsonl")
        return self.file.with_name(f"{self.file.name}.judged.jsonl")


def _counted(verdict: str) -> str:
    """Return what happened to the lines with a verdict."""
    if verdict == pair_files.UNREADABLE:
        return "unreadable; the output says why"
    return f"rejected by {verdict}"
