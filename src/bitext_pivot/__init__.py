"""Build split-and-rephrase, sentence-fusion and discourse corpora from OPUS bitext, in any language.

This is the public interface for notebooks and scripts (docs/library.md):

* `judge` filters and labels pairs. Its settings are `Filters` and `Parser`.
* `build` builds a data set from the settings of a recipe, such as `PivotBitext`; with `JoinBuilds`, it joins several.
* `load` reads the rows of a data set.
* `train` trains a model on a data set, with the settings `TrainModel`. `apply` applies it to lines of text.
* `evaluate` scores the outputs of systems. Its settings are `Scoring`.

Importing this package loads neither PyTorch nor Prefect. All errors that a user can fix are derived from `BuildError`.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext_pivot.core.errors import explain_file_errors
from bitext_pivot.flows import RECIPES

if TYPE_CHECKING:
    from bitext_pivot.core.errors import (
        AbsentError,
        BuildError,
        SettingsError,
        ShardError,
        SourceError,
    )
    from bitext_pivot.corpus.reading import StoredRow
    from bitext_pivot.filters.chain import Filters
    from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
    from bitext_pivot.flows.join_settings import JoinBuilds
    from bitext_pivot.flows.mine_settings import MineMarkers
    from bitext_pivot.flows.pivot_settings import PivotBitext
    from bitext_pivot.flows.train_settings import TrainModel
    from bitext_pivot.flows.unfuse_settings import UnfuseText
    from bitext_pivot.research.metrics.evaluation_settings import Scoring
    from bitext_pivot.syntax.parsing import Parser
    from bitext_pivot.tasks.run.forms import RecipeForm

__all__ = [
    "AbsentError", "BuildError", "ExplicitateBitext", "Filters", "JoinBuilds", "MineMarkers", "Parser",
    "PivotBitext", "Scoring", "SettingsError", "ShardError", "SourceError", "TrainModel",
    "UnfuseText", "apply", "build", "evaluate", "judge", "load", "train",
]  # fmt: skip

_CLASSES = {
    **dict.fromkeys(
        ("AbsentError", "BuildError", "SettingsError", "ShardError", "SourceError"), "core.errors"
    ),
    "Filters": "filters.chain",
    "JoinBuilds": "flows.join_settings",
    "PivotBitext": "flows.pivot_settings",
    **{recipe.form: f"flows.{recipe.form_file}" for recipe in RECIPES.values()},
    "Scoring": "research.metrics.evaluation_settings",
    "TrainModel": "flows.train_settings",
    "Parser": "syntax.parsing",
}
"""The module of each public class. It is imported when the class is first used."""
_FLOWS = {
    "PivotBitext": "pivot_bitext",
    "JoinBuilds": "join_builds",
    **{recipe.form: recipe.flow for recipe in RECIPES.values()},
}
_BATCH = 32
"""Number of lines per batch in `apply`."""


def __dir__() -> list[str]:
    """Return the names of the public interface, for completion in notebooks."""
    return sorted({*__all__, *_CLASSES})


def __getattr__(name: str) -> Any:
    """Import a class of the public interface when it is first used."""
    if name not in _CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_CLASSES[name]}")
    return getattr(module, name)


@explain_file_errors()
def judge(
    pairs: Iterable[Any],
    *,
    columns: Mapping[str, str] | None = None,
    language: str = "en",
    filters: "Filters | None" = None,
    parser: "Parser | None" = None,
) -> list[dict[str, Any]]:
    """Filter and label pairs of a long sentence and its split into two sentences.

    Args:
        pairs: Tuples `(long, [first, second])`, or rows with the columns `long` and `split` (as `load` returns them)
            or `long`, `s1` and `s2`. A data frame with such columns is accepted, too.
        columns: Names of the columns if yours are different: `{"long": "complex", "split": "simple"}`.
        language: Two-letter code of the language of the pairs (docs/languages.md).
        filters: Settings of the filters; by default the preset `strict`.
        parser: The spaCy pipeline; by default the one for the language.

    Returns:
        One dictionary per pair, in order, with the columns that `bitext-pivot judge` writes: scores, categories,
        construction, `split_at`, edit labels, and

        * `line`: the number of the pair, counted from 1;
        * `rejected_by`: the name of a filter, `unreadable` for an item that is not a pair, or None for an accepted
          pair.

    Raises:
        SettingsError: A model or the parser is missing or does not work, an argument has the wrong type, the language
            is unknown, or none of the first 100 items is a pair.
    """
    from bitext_pivot.commands.judge_file import judge_lines, warn_of_language
    from bitext_pivot.core.arguments import as_rows, as_type, find_public_class
    from bitext_pivot.core.languages import LanguageCode
    from bitext_pivot.core.reading.pair_files import read_values
    from bitext_pivot.core.site import Site
    from bitext_pivot.filters.base import Runtime
    from bitext_pivot.filters.chain import Filters
    from bitext_pivot.syntax.parsing import Parser
    from bitext_pivot.tasks.run.loaded_models import pipeline_for

    language = as_type(LanguageCode, language, name="language")
    columns = as_type(dict[str, str], columns or {}, name="columns")
    rows = as_rows(pairs, name="pairs")
    filters = Filters() if filters is None else filters
    parser = Parser() if parser is None else parser
    find_public_class(filters, ["Filters"], name="filters")
    find_public_class(parser, ["Parser"], name="parser")
    lines = warn_of_language(read_values(rows, language, columns), language, "pairs")
    site = Site()
    runtime = Runtime.of(site)
    return list(
        judge_lines(
            lines,
            filters=filters.for_language(language, site.device).with_measured_thresholds(
                language, runtime
            ),
            pipeline=pipeline_for(parser, language, site),
            runtime=runtime,
        )
    )


@explain_file_errors()
def build(settings: "RecipeForm") -> Path:
    """Build a data set and return its folder. The class of the settings selects the recipe.

    Existing shards are reused, so a build that was stopped continues. If a Prefect server is configured, for instance
    by PREFECT_API_URL, it records the run. The data folder, the workers and the device are read from environment
    variables, as on the command line.

    Raises:
        SettingsError: The settings cannot be used, for instance because a model is missing.
        SourceError: A corpus or a model cannot be downloaded.
        ShardError: Some shards failed; all others are built.
    """
    from bitext_pivot.core.arguments import find_public_class

    recipe = find_public_class(settings, _FLOWS, name="settings")
    return _run(_FLOWS[recipe], settings)


@explain_file_errors()
def train(settings: "TrainModel") -> Path:
    """Train and test a model on a data set, and return the folder of the model. Requires the extra `research`.

    A training that was stopped continues, and a finished training is reused. As in `build`, a configured Prefect
    server records the run.

    Raises:
        SettingsError: The settings cannot be used, for instance because a data set or a package is missing.
        SourceError: A model cannot be downloaded.
    """
    from bitext_pivot.core.arguments import find_public_class

    find_public_class(settings, ["TrainModel"], name="settings")
    return _run("train_model", settings)


def _run(flow: str, settings: Any) -> Path:
    """Run the stages of a flow and return the folder of the result."""
    from bitext_pivot.deployments.run_recipe import run_recipe
    from bitext_pivot.tasks.run.loaded_models import clear_model_caches

    clear_model_caches()  # model files may have changed since an earlier build in this process
    folder: Path = run_recipe(flow, settings.title, settings)
    return folder


@explain_file_errors()
def apply(folder: str | Path, lines: Iterable[str]) -> list[str]:
    """Apply a trained model to lines of text.

    Args:
        folder: Folder of the model, such as `data/trained/split/latest`.
        lines: Sentences to rewrite, or for a classifier two sentences separated by a tab. In a split, ` <SEP> `
            separates the two sentences.

    Returns:
        The output of the model for each line, in order.

    Raises:
        SettingsError: The folder contains no trained model, a line has the wrong form, or an argument the wrong type.
    """
    from pydantic import StrictStr

    from bitext_pivot.core.arguments import Address, Ordered, as_type

    address = as_type(Address, folder, name="folder")
    texts = as_type(Ordered[StrictStr], lines, name="lines")
    from bitext_pivot.research.models.applying import apply_model

    return apply_model(Path(address), texts, _BATCH)


@explain_file_errors()
def load(folder: str | Path, *, subset: str = "train", kind: str = "pairs") -> "list[StoredRow]":
    """Read the rows of a data set into memory. For large data sets, use `datasets.load_dataset(folder)`.

    Args:
        folder: Folder of the data set, such as `data/fr-en/latest`.
        subset: `train`, `validation` or `test`.
        kind: Kind of rows, such as `pairs` or `rejected`. The kinds depend on the recipe.

    Returns:
        The rows, in the order of the files. docs/data-set.md describes their columns.

    Raises:
        SettingsError: The folder contains no complete data set, it cannot be read, or it has no such subset or kind.
    """
    from bitext_pivot.core.arguments import Address, as_type
    from bitext_pivot.core.settings import choose
    from bitext_pivot.corpus.division import SUBSETS
    from bitext_pivot.corpus.reading import read_rows

    address = as_type(Address, folder, name="folder")
    return list(
        read_rows(str(address), kind=kind, subset=choose(subset, [*SUBSETS], what="subset"))
    )


@explain_file_errors()
def evaluate(
    outputs: Mapping[str, Iterable[str]],
    sources: Iterable[str],
    references: Iterable[Iterable[str]],
    *,
    scoring: "Scoring | None" = None,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Score the outputs of systems with SARI, FKGL, BLEU and other metrics (docs/metrics.md).

    Args:
        outputs: The outputs of each system, by its name. The first system is the baseline of the significance tests.
        sources: The long sentences, one per output.
        references: The reference texts, one list per output.
        scoring: Settings of the metrics and the significance tests.

    Returns:
        For each system and metric a dictionary with `score`, `ci` (half the width of the 95 % confidence interval) and
        `p_value` (None for the baseline).

    Raises:
        SettingsError: The numbers of lines differ, a source or all references of a line are empty, or an argument has
            the wrong type.
    """
    from pydantic import StrictStr

    from bitext_pivot.core.arguments import (
        Ordered,
        OrderedTexts,
        Systems,
        as_type,
        find_public_class,
    )
    from bitext_pivot.core.optional_packages import require

    require("sacrebleu", "research", "bitext_pivot.evaluate")
    from bitext_pivot.research.metrics.comparison import compare, metrics_of
    from bitext_pivot.research.metrics.evaluation_settings import Scoring
    from bitext_pivot.research.metrics.metric import EvaluationCorpus

    scoring = Scoring() if scoring is None else scoring
    find_public_class(scoring, ["Scoring"], name="scoring")
    systems = as_type(Systems, outputs, name="outputs")
    texts = as_type(OrderedTexts, sources, name="sources")
    corpus = EvaluationCorpus.of(
        texts, as_type(Ordered[Ordered[StrictStr]], references, name="references"), systems
    )
    return compare(systems, metrics_of(corpus, scoring), scoring).by_system()
