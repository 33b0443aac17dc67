"""`bitext-pivot sample`: pairs of a data set for human assessment, and the report on the answers."""

from pathlib import Path

from pydantic_settings import CliPositionalArg

from bitext_pivot.core.command_line import show
from bitext_pivot.core.output import check_output
from bitext_pivot.corpus.judgement.sampling import Design


class Sample(Design):
    """Draw pairs of a data set into an offline annotation page; with --read, report on the saved answers."""

    dataset: CliPositionalArg[str]
    """Folder or URL (s3://...) of a data set, such as data/fr-en/latest."""
    output: Path = Path("sample.html")
    """The annotation page to write."""
    read: list[Path] = []
    """Files of answers that the page saved, one per annotator: print their report instead."""

    def cli_cmd(self) -> None:
        """Write the page, or draw the sample of the answers again and print the report in Markdown."""
        from bitext_pivot.corpus import reading
        from bitext_pivot.corpus.judgement import page, report, sampling

        title = reading.title(self.dataset)
        if self.read:
            files = report.read(self.read)
            items = sampling.sample(reading.rows(self.dataset, columns=sampling.COLUMNS), files[0].design)
            show(report.report(title, items, files).markdown(), wrap=False)
            return
        check_output(self.output, option="--output")
        items = sampling.sample(reading.rows(self.dataset, columns=sampling.COLUMNS), self)
        controls = sum(item.is_control for item in items)
        design = Design(pairs=len(items) - controls, controls=controls, seed=self.seed)
        page.write(self.output, title, items, design)
        show(f"{len(items)} pairs to assess, {controls} of them control items: open {self.output} in a browser. "
             f"Then: bitext-pivot sample {self.dataset} --read ANSWERS.json", wrap=False)  # fmt: skip
