"""Build split-and-rephrase, sentence-fusion and discourse corpora from OPUS bitext, in any language.

What a notebook or a script needs, as `bitext-pivot` offers it on the command line (docs/library.md):

* `judge` filters and labels pairs, `Filters` are the settings of the filters;
* `build` builds a data set of `PivotBitext` or the settings of another recipe (`flows.RECIPES`), or joins
  several with `JoinBuilds`;
* `load` reads the rows of a data set;
* `train` trains a model on a data set, given `TrainModel`, and `apply` gives its outputs for lines;
* `evaluate` scores the outputs of systems.

Importing this package loads neither torch nor Prefect. Errors that a user can fix are derived from `BuildError`.
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
"""The modules of the classes, which are imported when they are first used."""
_FLOWS = {
    "PivotBitext": "pivot_bitext",
    "JoinBuilds": "join_builds",
    **{recipe.form: recipe.flow for recipe in RECIPES.values()},
}
_BATCH = 32
"""Lines of which a model computes the outputs at once."""


def __dir__() -> list[str]:
    """Return the names of the public interface, for completion in a notebook."""
    return sorted({*__all__, *_CLASSES})


def __getattr__(name: str) -> Any:
    """Import a class of the public interface."""
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
    """Filter and label pairs: a long sentence and two sentences with its meaning each.

    `pairs` are `(long, [first, second])`, rows with `long` and `split`, as of `load`, or with `long`, `s1`
    and `s2`, or a data frame of such rows. `columns` names the columns where they have other names:
    `{"long": "complex", "split": "simple"}`.

    Returns one dictionary per pair, in order: `line` (counted from 1), `rejected_by` (the name of a filter,
    `unreadable` for what is no pair, None for a pair that is kept), scores, categories, construction, `split_at` and
    edit labels, as `bitext-pivot judge` writes them. Without `filters` the preset `strict` applies.

    Raises:
        SettingsError: a model or the parser is missing or cannot work, an argument has another type,
            `language` is no code of a language (docs/languages.md), or none of the first 100 pairs is one.
    """
    from bitext_pivot.commands.judge_file import judge_lines, warn_of_language
    from bitext_pivot.core.arguments import as_rows, as_type, find_public_class
    from bitext_pivot.core.languages import LanguageCode
    from bitext_pivot.core.reading.pair_files import read_values
    from bitext_pivot.core.site import Site
    from bitext_pivot.filters.base import Runtime
    from bitext_pivot.filters.chain import Filters
    from bitext_pivot.syntax.parsing import Parser
    from bitext_pivot.tasks.run.models import pipeline_for

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
    """Build a data set and return its folder; the class of the settings chooses the recipe.

    Stages and shards that exist are reused. If a Prefect server is named, for instance by PREFECT_API_URL, it records
    the run. The data folder, the workers and the device are read from the environment, as on the command line.

    Raises:
        SettingsError: the settings cannot be built, for instance because a model is missing.
        SourceError: a corpus or a model cannot be downloaded.
        ShardError: some shards failed; all others are built.
    """
    from bitext_pivot.core.arguments import find_public_class

    recipe = find_public_class(settings, _FLOWS, name="settings")
    return _run(_FLOWS[recipe], settings)


@explain_file_errors()
def train(settings: "TrainModel") -> Path:
    """Train and test a model on a data set, and return its folder. It needs the extra `research`.

    The flow runs as `build` runs one. A training that was stopped continues, and a finished one is reused.

    Raises:
        SettingsError: the settings cannot be used, for instance because a data set or a package is missing.
        SourceError: a model cannot be downloaded.
    """
    from bitext_pivot.core.arguments import find_public_class

    find_public_class(settings, ["TrainModel"], name="settings")
    return _run("train_model", settings)


def _run(flow: str, settings: Any) -> Path:
    """Run the stages of a flow and return the folder of their result."""
    from bitext_pivot.deployments.run_recipe import run_recipe
    from bitext_pivot.tasks.run.models import forget

    forget()  # model files may have changed since an earlier build of this process
    folder: Path = run_recipe(flow, settings.title, settings)
    return folder


@explain_file_errors()
def apply(folder: str | Path, lines: Iterable[str]) -> list[str]:
    """Return the output of a trained model for each line, in order.

    `folder` is that of a model, such as data/trained/split/latest. A line is a sentence to rewrite, or two
    sentences with a tab between them to classify. A split has ` <SEP> ` between its two sentences.

    Raises:
        SettingsError: there is no trained model, a line has another form, or an argument has another type.
    """
    from pydantic import StrictStr

    from bitext_pivot.core.arguments import Address, Ordered, as_type

    address = as_type(Address, folder, name="folder")
    texts = as_type(Ordered[StrictStr], lines, name="lines")
    from bitext_pivot.research.models.applying import apply_model

    return apply_model(Path(address), texts, _BATCH)


@explain_file_errors()
def load(folder: str | Path, *, subset: str = "train", kind: str = "pairs") -> "list[StoredRow]":
    """Return the rows of a data set, in the order of its files; docs/data-set.md describes their columns.

    `folder` is that of a data set, such as data/fr-en/latest. `subset` is `train`,
    `validation` or `test`, `kind` one of the recipe's, such as `pairs` or `rejected`. All rows are held in memory;
    `datasets.load_dataset(folder)` reads data sets that are larger.

    Raises:
        SettingsError: there is no complete data set, it cannot be read, or it has no such subset or kind of rows.
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
    """Score the outputs of systems, by their names; the first system is the baseline of the paired tests.

    `sources` has one long sentence per line, each system one output, `references` one list of references.

    Returns the results by system and metric (SARI, FKGL, BLEU and more, docs/metrics.md): `score`, `ci` (half the 95 %
    confidence interval) and `p_value` (None for the baseline).

    Raises:
        SettingsError: the numbers of lines differ, a line has no source or no reference, or an argument has another
            type.
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
