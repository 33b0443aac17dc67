"""`bitext-pivot sample`: draw pairs or system outputs for human assessment, or report on the answers."""

from pathlib import Path

from pydantic_settings import CliPositionalArg

from bitext_pivot.commands.output import check_output
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.standard_output import show
from bitext_pivot.research.assessment.sample_design import AssessmentItem, SampleDesign


class Sample(SampleDesign):
    """Write an offline page on which people assess pairs or system outputs. With --read, report on answers."""

    dataset: CliPositionalArg[str]
    """Folder of a data set, such as data/fr-en/latest. With --outputs: text file with one source sentence per line."""
    outputs: list[Path] = []
    """Text files with the outputs of systems, one per line of the source file. The page mixes all systems and hides
    their names."""
    groups: Path | None = None
    """Text file with the name of a group, such as a construction, for each line of the source file. The report has a
    table by group."""
    language: LanguageCode = "en"
    """Language of the outputs."""
    output: Path = Path("sample.html")
    """The HTML file in which the page is saved."""
    read: list[Path] = []
    """Files of answers that the page saved, one per annotator. The command prints a report instead of writing a
    page."""

    def cli_cmd(self) -> None:
        """Write the page, or with --read print the report on the answers in Markdown."""
        self._check()
        if self.read:
            self._report()
        else:
            self._write()

    def _report(self) -> None:
        """Draw the same sample again, and print the report on the answers to it."""
        from bitext_pivot.research.assessment import report

        files = report.read(self.read)
        items = self._items(files[0].design)
        tables = report.report(self._title(), items, files)
        show(tables.markdown(), wrap=False)

    def _write(self) -> None:
        """Write the page, and print the command that later reads the answers."""
        from bitext_pivot.research.assessment import assessment_page

        inputs = [Path(self.dataset), *self.outputs] if self.outputs else []
        check_output(self.output, option="--output", endings=[".html", ".htm"], inputs=inputs)
        design = SampleDesign(**{name: getattr(self, name) for name in SampleDesign.model_fields})
        items = self._items(design)
        controls = sum(item.is_control for item in items)
        fewer = ""
        if len(items) - controls < design.pairs:
            fewer = f" (too few for --pairs {design.pairs})"
        if not self.outputs:
            drawn = {"pairs": len(items) - controls, "controls": controls}
            design = design.model_copy(update=drawn)
        assessment_page.write(self.output, self._title(), items, design)
        show(
            f"{len(items)} pairs to assess, {controls} of them control items{fewer}: open {self.output} in a browser. "
            f"Then: bitext-pivot sample {self._again()} --read ANSWERS.json",
            wrap=False,
        )

    def _check(self) -> None:
        """Raise SettingsError if --groups is given without --outputs."""
        if self.outputs:
            return
        if self.groups:
            raise SettingsError(
                "--groups names the lines of outputs, but --outputs is missing. Add --outputs FILE."
            )

    def _title(self) -> str:
        from bitext_pivot.corpus import reading

        return Path(self.dataset).name if self.outputs else reading.language_pair(self.dataset)

    def _items(self, design: SampleDesign) -> list[AssessmentItem]:
        """Draw the pairs or outputs to assess, as `design` describes."""
        from bitext_pivot.corpus import reading
        from bitext_pivot.research.assessment import outputs, sample_design
        from bitext_pivot.research.metrics.evaluation_files import by_name, read_segments

        if not self.outputs:
            return sample_design.sample(
                reading.read_rows(self.dataset, columns=sample_design.COLUMNS), design
            )
        source = Path(self.dataset)
        sources = read_segments(source, column="long")
        systems = {
            name: read_segments(path, source, len(sources))
            for name, path in by_name(self.outputs).items()
        }
        groups = [""] * len(sources)
        if self.groups:
            groups = read_segments(self.groups, source, len(sources))
        return outputs.sample(sources, systems, groups, design, language=self.language)

    def _again(self) -> str:
        """Return the command-line arguments that draw the same items again."""
        from bitext_pivot.corpus import reading

        dataset = self.dataset
        if not self.outputs:
            # Not `latest`: it may point to another data set by the time the answers are read.
            dataset = str(reading.find_data_set(dataset))
        words = [dataset, *(f"--outputs {path}" for path in self.outputs)]
        if self.groups:
            words.append(f"--groups {self.groups}")
        if self.outputs and self.language != "en":
            words.append(f"--language {self.language}")
        return " ".join(words)
