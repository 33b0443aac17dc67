"""Settings of an evaluation. Nothing heavy is imported here: the command line reads this file."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_settings import CliPositionalArg

from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.reading.row_files import ColumnNames, check_columns
from bitext_pivot.core.settings import Settings

Tokenizer = Literal["treebank", "13a", "intl", "char", "zh", "none"]
LineVariant = Literal["bisect", "xu2016", "discofuse"]
"""Variants of SARI that score each line."""
Variant = Literal[LineVariant, "easse"]


class Scoring(Settings):
    """How outputs are scored and compared."""

    language: LanguageCode = "en"
    """Language of the texts. FKGL is computed for English only."""
    tokenizer: Tokenizer = "treebank"
    """Tokens of all metrics but BLEU: `treebank` as in BiSECT, or a tokenizer of sacrebleu. BLEU uses 13a with
    `treebank`, otherwise the same."""
    sari: Variant = "bisect"
    """`bisect`: no credit for additions that come from deleting; `xu2016`: the original; `discofuse`: F1 of sets, as
    tensor2tensor computes it; `easse`: counts of the whole corpus, with tokenizer 13a unless another is named."""
    test: Literal["bootstrap", "randomization"] = "bootstrap"
    """Paired test against the first output: bootstrap resampling or approximate randomization, both of sacrebleu."""
    samples: int = Field(default=1000, ge=1, le=1_000_000)
    """Number of resamples or trials."""


class Evaluation(Scoring):
    """What is compared, and how."""

    outputs: CliPositionalArg[list[Path]] = Field(min_length=1)
    """Text files of outputs, one line per source line; the first is the baseline. Of CSV, JSON lines and
    Parquet the column split is read."""
    source: Path
    """Text file of the long sentences, one per line; of CSV, JSON lines and Parquet the column long."""
    references: list[Path] = Field(min_length=1)
    """Text files of references, one line per source line; several on one line are separated by tabs. Of CSV,
    JSON lines and Parquet the column split is read."""
    columns: Annotated[
        ColumnNames, AfterValidator(partial(check_columns, known=["long", "split"]))
    ] = {}
    """Names of the columns of tables where they have others: long=complex,split=simple."""
    ppdb: Path | None = None
    """Paraphrases, `phrase<TAB>phrase` per line: BiSECT replaces words of references by an output's paraphrases
    before SARI and GLEU."""
    bertscore: str | None = Field(default=None, min_length=1)
    """Encoder of BERTScore: a model name on the Hugging Face hub (BiSECT: bert-base-uncased) or a folder. Empty: no
    BERTScore."""
    entailment: str | None = Field(default=None, min_length=1)
    """Model of natural language inference: a name on the Hugging Face hub or a folder. Adds the share of sentences that
    follow from the source."""
    layer: int | None = Field(default=None, ge=1, le=100)
    """Layer that BERTScore compares. Empty: the default of the encoder."""
    json_file: Path | None = Field(default=None, alias="json")
    """Write all scores to this file, too."""
