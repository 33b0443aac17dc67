"""Settings of an evaluation. The command line imports this file, so it imports nothing slow."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_settings import CliPositionalArg

from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.reading.column_names import ColumnNames, check_columns
from bitext_pivot.core.settings import Settings

Tokenizer = Literal["treebank", "13a", "intl", "char", "zh", "none"]
LineVariant = Literal["bisect", "xu2016", "discofuse"]
"""Variants of SARI that are computed for each line and averaged over lines."""
Variant = Literal[LineVariant, "easse"]


class Scoring(Settings):
    """How the outputs of systems are scored and compared."""

    language: LanguageCode = "en"
    """Language of the texts. FKGL is computed for English only."""
    tokenizer: Tokenizer = "treebank"
    """Tokenizer of all metrics except BLEU: `treebank` as in BiSECT, or a tokenizer of sacrebleu. BLEU uses the same
    tokenizer, or 13a instead of `treebank`."""
    sari: Variant = "bisect"
    """Variant of SARI. `bisect` gives no credit for additions that result from deleting words; `xu2016` is the
    original; `discofuse` is the F1 of sets, as in tensor2tensor; `easse` sums counts over the whole corpus and uses
    tokenizer 13a unless you name another."""
    test: Literal["bootstrap", "randomization"] = "bootstrap"
    """Significance test of each system against the first file of outputs: paired bootstrap resampling, or approximate
    randomization (sacrebleu)."""
    samples: int = Field(default=1000, ge=1, le=1_000_000)
    """Number of resamples (bootstrap) or trials (randomization) of the test."""


class Evaluation(Scoring):
    """The files to compare, and how to score them."""

    outputs: CliPositionalArg[list[Path]] = Field(min_length=1)
    """Text files with the outputs of each system, one line per source line; the first file is the baseline. In CSV,
    JSON lines and Parquet files, the column `split` is read."""
    source: Path
    """Text file of the long sentences, one per line. In CSV, JSON lines and Parquet files, the column `long` is
    read."""
    references: list[Path] = Field(min_length=1)
    """Text files of references, one line per source line; tabs separate several references on a line. In CSV, JSON
    lines and Parquet files, the column `split` is read."""
    columns: Annotated[
        ColumnNames, AfterValidator(partial(check_columns, known=["long", "split"]))
    ] = {}
    """Names that the tables use for the columns `long` and `split`, such as long=complex,split=simple."""
    ppdb: Path | None = None
    """File of paraphrases, `phrase<TAB>phrase` per line. As in BiSECT, words of a reference are replaced by paraphrases
    that the output uses, before SARI and GLEU are computed."""
    bertscore: str | None = Field(default=None, min_length=1)
    """Encoder for BERTScore: a model name on the Hugging Face hub (BiSECT: bert-base-uncased) or a folder. If empty,
    BERTScore is not computed."""
    entailment: str | None = Field(default=None, min_length=1)
    """Model of natural language inference: a name on the Hugging Face hub or a folder. It adds a metric: the share of
    sentences that follow from their source."""
    layer: int | None = Field(default=None, ge=1, le=100)
    """Layer of the encoder that BERTScore uses. If empty, the default layer for the encoder."""
    json_file: Path | None = Field(default=None, alias="json")
    """Also write all scores to this JSON file (`-`: standard output)."""

    @model_validator(mode="after")
    def _refuse_unused_layer(self) -> Self:
        if self.layer and not self.bertscore:
            raise ValueError(
                "layer is set, but bertscore names no encoder: add --bertscore ENCODER"
            )
        return self
