"""`bitext-pivot judge`: filter and label the pairs of a file."""

import logging
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import field_validator
from pydantic_settings import CliImplicitFlag, CliPositionalArg

from bitext_pivot.commands.output import check_output
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.reading import pair_files
from bitext_pivot.core.reading.pair_files import Columns
from bitext_pivot.core.reading.row_files import OUTPUT_EXTENSIONS
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.presentation import describe_meaning_checks
from bitext_pivot.syntax.parsing import Parser

_log = logging.getLogger(__name__)
_NONE_KEPT = "No pair of %s was kept (--language %s). --explain shows the scores of each filter."
_EXPLAINED = 20
"""Number of pairs that `judge --explain` prints; more do not fit on a screen."""


class JudgePairs(Settings):
    """Filter and label pairs you already have, and write one result per row of FILE, in order."""

    file: CliPositionalArg[Path]
    """File of pairs, plain or compressed: lines `long<TAB>s1 <SEP> s2` or `long<TAB>s1<TAB>s2`, or CSV, JSON lines or
    Parquet with the columns long and split, or long, s1 and s2. Also a folder saved by `datasets`, owner/name of a data
    set on the hub, or `-` for standard input."""
    columns: Columns = {}
    """The names that the file uses for these columns: long=complex,split=simple."""
    output: Path | None = None
    """File to write. Its extension decides the format: .csv, .parquet, or otherwise JSON lines; .gz, .bz2, .xz or .zst
    compresses it. `-`: JSON lines on standard output. By default FILE.judged.jsonl, or judged.jsonl if FILE is not a
    regular file."""
    explain: CliImplicitFlag[bool] = False
    """Also print the scores of each filter for the first 20 pairs."""
    language: LanguageCode = "en"
    """Language of the pairs."""
    parser: Parser = Parser()
    """The spaCy pipeline that parses the sentences."""
    filters: Filters = Filters()
    """The filters. They run in order until a filter rejects the pair."""

    @field_validator("file", mode="before")
    @classmethod
    def _name_standard_input(cls, file: Any) -> Any:
        if file == "":
            raise ValueError("the name is empty, expected a file")
        return Path("/dev/stdin") if str(file) == "-" else file

    def cli_cmd(self) -> None:
        """Judge the pairs, write the results, and print how many pairs each filter rejected."""
        output = self.output or self._beside()
        check_output(
            output, option="--output", endings=("", *OUTPUT_EXTENSIONS), inputs=[self.file]
        )
        lines = pair_files.read_pairs(self.file, self.language, self.columns)
        from bitext_pivot.commands.judge_file import judge_file, judge_lines, warn_of_language
        from bitext_pivot.commands.verdict_tables import verdict_table
        from bitext_pivot.tasks.run.loaded_models import pipeline_for

        lines = warn_of_language(lines, self.language, str(self.file))
        first = list(islice(lines, _EXPLAINED * self.explain))
        site = Site()
        runtime = Runtime.of(site)
        filters = self.filters.for_language(self.language, site.device)
        filters = filters.with_measured_thresholds(self.language, runtime)
        pipeline = pipeline_for(self.parser, self.language, site)
        judging: dict[str, Any] = {"filters": filters, "pipeline": pipeline, "runtime": runtime}
        verdicts = judge_file(chain(first, lines), output, **judging)
        for row in judge_lines(first, **judging):
            show(verdict_table(row, filters))
        if not verdicts["kept"]:
            _log.warning(_NONE_KEPT, self.file, self.language)
        show(f"{verdicts['kept']:8}  kept")
        for name in sorted(set(verdicts) - {"kept"}, key=lambda name: (-verdicts[name], name)):
            show(f"{verdicts[name]:8}  {_counted(name)}")
        show(describe_meaning_checks(filters.active()))
        show(f"Parser: {self.parser.describe_pipeline(self.language)}", wrap=False)
        show(f"Verdicts and scores of each line: {output}", wrap=False)

    def _beside(self) -> Path:
        """Return the path of the output if the user names none, such as FILE.judged.jsonl."""
        if not self.file.is_file() or self.file.is_relative_to("/dev"):
            return Path("judged.jsonl")
        return self.file.with_name(f"{self.file.name}.judged.jsonl")


def _counted(verdict: str) -> str:
    """Describe a verdict for the list of counts, such as `rejected by overlap`."""
    if verdict == pair_files.UNREADABLE:
        return "unreadable; the output says why"
    return f"rejected by {verdict}"
