"""`bitext-pivot models`: download all models of a language pair."""

from pydantic_settings import CliPositionalArg

from bitext_pivot.commands.catalogue import check_two
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.filters.chain import Filters, Preset
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.translation.models import Translation


class Models(Settings):
    """Download all models that a language pair needs, so that builds can run offline."""

    languages: CliPositionalArg[list[LanguageCode]]
    """The pivot language, which is translated, and the language of the pairs: fr en."""
    preset: Preset = "strict"
    """Preset of the filters whose models are downloaded."""
    translation: Translation = Translation()
    """Translation engine and model; by default, OPUS-MT's model for the language pair."""
    parser: Parser = Parser()
    """The spaCy pipeline. A language without a default pipeline needs --parser.pipeline."""

    def cli_cmd(self) -> None:
        """Download the models, and print one line per model with stage, name and folder."""
        from bitext_pivot.tasks.run.loaded_models import fetch_all

        pivot, language = check_two(self.languages, "models")
        form = PivotBitext(
            pivot=pivot,
            language=language,
            translation=self.translation,
            parser=self.parser,
            filters=Filters(preset=self.preset),
        )
        for line in fetch_all(form.processing(Site().device)):
            show(line, wrap=False)
