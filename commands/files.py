"""`bitext-pivot judge` and `evaluate`: filter pairs of a file, score the outputs of systems."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import CliPositionalArg
from rich.console import Console

from filters.base import Runtime
from filters.chain import FilterChain
from metrics.settings import Evaluation
from pairs.command_line import columns, show
from pairs.languages import Language
from pairs.settings import Settings
from pairs.site import Site
from pairs.syntax.parsing import Parser, load


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
            show(f"{verdicts[name]:8}  {name if name == 'kept' else f'rejected by {name}'}")


class Evaluate(Evaluation):
    """Score the outputs of split-and-rephrase systems: SARI, FKGL, BLEU, GLEU, lengths, new words, splits."""

    def cli_cmd(self) -> None:
        """Print the scores of every file, and the signature of each metric."""
        from tasks.evaluate_file import evaluate_file

        Console(width=columns()).print(evaluate_file(self, Site()), soft_wrap=True)
