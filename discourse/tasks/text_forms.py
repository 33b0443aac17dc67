"""Base class for the settings of all recipes that read documents. The settings of each recipe are in flows/."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from pydantic import model_validator

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.division import Division
from bitext_pivot.discourse.reading.running_text import RunningText
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.syntax.pipelines import default_pipeline
from bitext_pivot.tasks.run.forms import RecipeForm
from bitext_pivot.tasks.run.targets import Stage

if TYPE_CHECKING:
    from bitext_pivot.tasks.run.resources import Resource


class TextForm(RunningText, RecipeForm):
    """Settings of every recipe that reads documents: documents, parser, division into subsets."""

    parser: Parser = Parser()
    """The spaCy pipeline that parses the sentences."""
    division: Division = Division(validation=0.01, test=0.01)
    """Which documents go to validation (by default 1 %), test (1 %) and training (98 %)."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Raise ValueError for an unsupported language, or a corpus in `division` that is not read."""
        self.division.check([name.partition("/")[0] for name in self.names])
        try:
            self.check_recipe()
            if self.parser.pipeline is None:
                default_pipeline(self.language)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return self

    @property
    def folder(self) -> str:
        """Name of the folder of parsed sentences, shared by all recipes that read the language."""
        return self.language

    def resources(self) -> Sequence["Resource"]:
        """Return what the build needs: the documents and the parser."""
        from bitext_pivot.discourse.tasks.document_resources import DocumentsResource
        from bitext_pivot.tasks.run.resources import ParserResource

        return [DocumentsResource(self), ParserResource(self.parser, self.language)]

    def stages(self, site: Site) -> Iterator[Stage]:
        """Yield all stages, from reading documents to assigning rows to subsets."""
        from bitext_pivot.corpus.recipe import LINKS
        from bitext_pivot.discourse.tasks import document_stages as own
        from bitext_pivot.tasks.run import stage_definitions

        yield own.sentences_stage(self.shard_rows)
        for make in self.shard_stages(site).values():
            yield make()
        yield from self.last_stages()
        yield stage_definitions.hold_out(self.division, LINKS)

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return, by name and in order, functions that create the stages applied to single shards.

        Each of these stages turns one shard into another, beginning with a shard of sentences.
        """
        from bitext_pivot.tasks.parse import parse_sentences

        return {"parse": partial(parse_sentences, self.parser, self.language, site)}

    def last_stages(self) -> Sequence[Stage]:
        """Return the stages that come after `shard_stages` and read all shards at once."""
        return ()

    def check_recipe(self) -> None:
        """Raise SettingsError if the recipe does not work with these settings.

        The language may lack rules, or a package may not be installed.
        """
