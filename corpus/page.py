"""Generate docs/data-set.md from the classes of rows.

usage: python -m corpus.page docs/data-set.md
"""

import ast
import inspect
import sys
import types
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from corpus.rows import RejectedRow, Row
from pairs.tables import markdown_table

_HEAD = """# The files of a data set

```python
from datasets import load_dataset

pairs = load_dataset("data/fr-en/latest")  # kept pairs: pairs["train"], pairs["validation"], pairs["test"]
rejected = load_dataset("data/fr-en/latest", "rejected")  # rejected pairs, in the same sets
```

| file | contents |
|---|---|
| `pairs/train-00000.parquet` ... | kept pairs, all columns |
| `pairs/train-00000.jsonl` ... | the same, one JSON object per line |
| `pairs/train-00000.src`, `.dst` ... | the same pairs as in BiSECT's release: line-aligned, `<SEP>` in `.dst` |
| `rejected/train-00000.parquet`, `.jsonl` ... | rejected pairs: the same columns and `rejected_by` |
| `pairs/validation-00000.parquet`, `pairs/test-00000.parquet` ... | the other sets, in the same formats |
| `README.md` | the card: counts, licences, signature of what ran |
| `tables.md`, `tables.tex` | the paper's tables for this build and published figures (LaTeX: booktabs, graphicx) |
| `stats.json` | the counts, for programs |
| `examples.md`, `alignments.md` | some pairs of each category; statistics of each corpus |
| `plots/funnel.png`, `plots/funnel.svg` ... | the plots of the card, for screens and for papers |
| `contamination.jsonl` | pairs that repeat a foreign test set, if `division.contamination` names one |
| `manifest.json` | size, SHA-256 and number of rows of every file |

| setting | default | what it does |
|---|---|---|
| `--export.formats` | `["parquet", "jsonl", "bisect"]` | formats; `load_dataset` needs `parquet` or `jsonl` |
| `--export.compress` | `false` | compress all files but Parquet with zstd (`.zst`); Parquet is always compressed |
| `--export.file_rows` | `200000` | pairs per file; then the next file begins |

| format | files of `pairs` | a line |
|---|---|---|
| `parquet` | `.parquet` | |
| `jsonl` | `.jsonl` | a JSON object with all columns |
| `bisect` | `.src`, `.dst` | `long`; `s1 <SEP> s2` |
| `wikisplit` | `.wikisplit.tsv` | `long<TAB>s1 <::::> s2` |
| `tsv` | `.tsv` | `long<TAB>s1 <SEP> s2`, which `bitext-pivot judge` reads |

Files of the same number hold the same pairs in all formats. The last three leave out pairs whose text contains the
separator, a tab (TSV) or a line break; the card counts them in the last line of its funnel. A set or a kind of
row without rows has no files, because `datasets` cannot load an empty set; the card says which sets of kept pairs are
missing. If no pair was kept, `load_dataset` loads the rejected pairs even without their name.

The card names Parquet to `load_dataset`, or JSON lines if `formats` has no `parquet`; compressed ones need the package
`zstandard`.

## Training, validation and test

| setting | default | what it does |
|---|---|---|
| `--division.validation`, `--division.test` | `0.05` | shares of the documents, drawn by their names |
| `--division.validation_corpora`, `--division.test_corpora` | `[]` | corpora for one set, such as `["EMEA"]` |
| `--division.validation_documents`, `--division.test_documents` | none | file of document names, one per line |
| `--division.contamination` | `[]` | files of test sets that no pair may repeat |
| `--division.near_duplicates` | `0.6` | similarity of near-duplicates; 1 searches duplicates only |

A document, as in the column `document`, belongs to one set as a whole: by its name in a file, otherwise by its corpus,
otherwise by a digest of corpus and name. So it is in the same set in every build, whatever the pivot, the release and
the order of links. For sets as in the paper, name small corpora and set both shares to 0. With two shares of 5 %, a
corpus of ten documents may have no validation or test set; for a large corpus smaller shares are enough.

If all candidates of a corpus have the same document (Moses files, translation memories, plain lines), each 1,000 links
in a row are one document. These runs are not the same text in the bitext of another pivot.

A pair of training or validation is rejected if `long`, or its two sentences together, have the letters and digits of a
text of test; a pair of training also for texts of validation. Case, spacing, punctuation and Unicode's compatibility
forms make no difference. `rejected_by` is `duplicate of test` or `duplicate of validation`. In the same way, pairs of
any set that repeat a text of `contamination` have `rejected_by` `in FILE`; such files have a sentence per line, columns
separated by tabs, or the `.src`, `.dst` and TSV files of BiSECT and WikiSplit. `contamination.jsonl` lists these pairs:
file, line (from 1), text of the line, id and texts of the pair.

Near-duplicates are rejected in the same way, as `near-duplicate of test` ... and `near-duplicate in FILE`. They share
most runs of three words: the Jaccard similarity of the two sets of runs is at least `--division.near_duplicates`. One
exchanged word in the middle of a sentence of 14 words leaves 0.6; in scripts without spaces a word is a character.
MinHash finds nearly all of them (98 % of those with exactly 0.6; decision 0027). No pair is rejected by an estimate.
The card counts all reasons in the line `divide` of its funnel.

On two cores 23,000 pairs a second are divided and written without the search of near-duplicates, 18,000 with it and a
tenth of the documents held out (23 November 2026, [quality.md](quality.md#dividing-and-writing-a-data-set)). The
peak of memory was 693 MB with 200,000 pairs, 654 MB with 800,000 and 1,654 MB with 5,000,000, which took 308 seconds:
it grows with the texts of validation and test.

## Publishing

```sh
.venv/bin/hf auth login                                                       # once
.venv/bin/bitext-pivot publish data/fr-en/latest --repo owner/name            # show files, sizes and licences
.venv/bin/bitext-pivot publish data/fr-en/latest --repo owner/name --yes      # upload
```

The files of the manifest are uploaded, after a check of their SHA-256. A new repository is private unless you add
`--public`. An upload to a repository with an earlier version replaces its files; other files of the folders `pairs` and
`rejected` are deleted there. `HF_ENDPOINT` names another hub, and `HF_TOKEN` can hold the token.

Generated by `python -m corpus.page docs/data-set.md`; do not edit.

## Columns
"""


def page() -> str:
    """Return the document in Markdown: files, and the columns with their types and meanings."""
    own = [line for line in columns(RejectedRow, Row) if line not in columns(Row)]
    head = ("column", "type", "meaning")
    parts = [_HEAD, markdown_table(head, columns(Row)), "\nIn rejected rows also:\n", markdown_table(head, own)]
    return "\n".join(parts) + "\n"


def columns(row: type, *bases: type) -> list[tuple[str, str, str]]:
    """Return name, type and meaning of each column of a class of rows, which has those of `bases` as well."""
    meanings = dict(chain.from_iterable(map(_meanings, (*bases, row))))
    return [(f"`{name}`", _type(hint), meanings[name]) for name, hint in get_type_hints(row).items()]


def _meanings(row: type) -> Iterator[tuple[str, str]]:
    """Yield each field of a class with its docstring."""
    (definition,) = ast.parse(inspect.getsource(row)).body
    for field, text in pairwise(getattr(definition, "body", ())):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            yield ast.unparse(field.target), " ".join(ast.literal_eval(text.value).split())


def _type(hint: Any) -> str:
    """Return the name of a column's type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return " or ".join("null" if arg is type(None) else _type(arg) for arg in args)
    if origin is list:
        return f"list of {_type(args[0])}"
    if origin is dict:
        return f"struct of {_type(args[1])}, one per score"
    if origin is Literal:
        return "string"
    names = {str: "string", int: "int64", float: "float64", bool: "bool"}
    return names.get(hint) or f"struct of {', '.join(f'`{name}`' for name in get_type_hints(hint))}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
