"""`bitext-pivot evaluate`: score the outputs of split-and-rephrase systems."""

from bitext_pivot.commands.output import check_output
from bitext_pivot.core import optional_packages
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.research.metrics.evaluation_settings import Evaluation


class Evaluate(Evaluation):
    """Score the outputs of split-and-rephrase systems: SARI, FKGL, BLEU, GLEU, lengths, new words, splits."""

    def cli_cmd(self) -> None:
        """Print the scores of each file and the signature of each metric."""
        optional_packages.require("sacrebleu", "research", "bitext-pivot evaluate")
        if self.json_file:
            inputs = [*self.outputs, self.source, *self.references]
            check_output(self.json_file, option="--json", inputs=inputs)
        from bitext_pivot.commands.research.evaluate_file import evaluate_file

        show(evaluate_file(self, Site()), wrap=False, wide=True)
