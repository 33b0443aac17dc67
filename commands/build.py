"""`bitext-pivot build` and `plan`. Their options are the settings that Prefect's UI shows as a form."""

from pathlib import Path
from typing import ClassVar

from pydantic import Field
from pydantic_settings import CliImplicitFlag

from bitext_pivot.commands.flow_command import FromPreset, beginning, is_finished, run_flow
from bitext_pivot.commands.output import check_output
from bitext_pivot.core.progress import stage_bars
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.flows import presets
from bitext_pivot.flows.pivot_settings import PivotBitext


class BuildForm(FromPreset, PivotBitext):
    """The settings of `build` and `plan`. A preset may provide them, and options override the preset."""

    FORM: ClassVar[type[Settings]] = PivotBitext

    def settings(self, site: Site) -> PivotBitext:
        """Return the settings of the build, with a release for every corpus."""
        return PivotBitext(**self.form_values()).pinned(site)


class Build(BuildForm):
    """Build the pairs of one language pair from bitext, and print the folder of the data set."""

    def cli_cmd(self) -> None:
        """Build the data set unless it was built with the same settings, and print its folder."""
        self.refuse_bare("build")
        site = Site()
        settings = self.settings(site)
        text = beginning(settings, site)
        if most := settings.extraction.max_links:
            text += f"; at most {most:,} links of each corpus"
        self.begin_log(text)
        if not is_finished(settings, site):
            run_flow("pivot_bitext", settings.title, settings)


class Plan(BuildForm):
    """Show what a build would do, without downloading anything: corpora, sizes, models, finished parts."""

    job_script: CliImplicitFlag[bool] = Field(default=False, alias="job-script")
    """Only print the script of the Slurm job that a build with BITEXT_PIVOT_RUNNER=slurm would submit."""
    trial: int = Field(default=0, ge=0)
    """Number of alignments to try; 0 means none. A trial downloads models and bitext, translates and judges these
    alignments, and shows the yield of each filter, the quality of the translations and the speed. A build reuses the
    translations."""
    save: Path | None = None
    """Write the settings to this new JSON file, for `build --preset`."""
    force: CliImplicitFlag[bool] = False
    """Replace the file of --save if it exists."""

    def cli_cmd(self) -> None:
        """Print the plan of a build, after a trial if requested, or the script of a Slurm job."""
        site = Site()
        if self.save:
            check_output(self.save, option="--save", endings=[".json"], may_exist=self.force)
        if self.job_script:
            from bitext_pivot.tasks.run.runners import job_script

            show(job_script(site), wrap=False)
            return
        settings = self.settings(site)
        if self.save:
            presets.save(settings, self.save)
        if self.trial:
            self._trial(settings)
            return
        from bitext_pivot.tasks.ahead import refusals
        from bitext_pivot.tasks.ahead.plan import plan

        refusals.check_named(settings, site)
        show(plan(settings, site))
        refusals.check_models(settings, site)

    def _trial(self, settings: PivotBitext) -> None:
        """Run a trial and print the plan with the results of the trial."""
        from bitext_pivot.tasks.ahead.refusals import check_offline

        self.begin_log(f"Trying {self.trial:,} alignments of {settings.title}")
        check_offline(settings, Site())
        from bitext_pivot.deployments.run_recipe import run_recipe
        from bitext_pivot.tasks.run.signals import end_on_signals

        end_on_signals()
        with stage_bars():
            text = run_recipe("plan_bitext", settings.title, settings, self.trial)
        show(text)
