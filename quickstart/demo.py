"""The demo: build six English data sets from the quickstart's own bitext and documents, offline, with real models.

usage: python quickstart/demo.py [FOLDER]      (default: demo)

Reads quickstart/opus in place of OPUS and runs the flows of `bitext-pivot build` and of the other recipes. It prints
the data sets with some rows of each, and the page to open first; what Prefect and the models log goes to demo.log in
the folder. Running it again builds only what is missing.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOG = "demo.log"
SHOWN = 3
"""Rows that are printed of each data set."""
PLAN = """\
The demo builds two small English data sets, about 200 pairs, with the default strict filters, then
one data set of each other recipe, and last the pairs of both bitexts joined: equal ones once, references together.
  bitext   446 sentence links, French-English and Spanish-English, written for this project (quickstart/opus)
  texts    40 English documents, and 6 with translations, written for this project (quickstart)
  models   a small MarianMT model and a parser (quickstart/models), all-MiniLM-L6-v2 for BERTScore (in .venv)
  time     under three minutes on two cores; nothing more is downloaded
  results  {home}
  log      {log}
"""
END = """\
Open this page first, in a browser; it has every pair, kept or rejected, with scores, differences and sources:
  {page}
Each data set is a folder with files to load and a README.md, its card. The log is {log}

The texts of the demo are short, and its translation model is small. docs/real-pairs.md has pairs of real text,
read one by one: of 100 Europarl pairs by this model, 44 were bad (docs/quality.md).
Next: `.venv/bin/bitext-pivot plan --preset first-fr-en` shows what a first real build downloads; see README.md.
"""


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """A data set of the demo: what builds it, and what is shown of its rows."""

    what: str
    form: str
    """Module below `flows` and the function in it, which have one name."""
    preset: str = "demo"
    recipe: str = ""
    """Folder of the preset, empty for the pairs of a bitext."""
    rows: str = "pairs"
    """Folder of the rows."""
    label: str
    """Column of the label: rows with different ones are shown first."""


DATA_SETS = (
    DataSet(
        what="split pairs out of French-English bitext",
        form="PivotBitext",
        preset="demo-fr-en",
        label="category",
    ),
    DataSet(
        what="split pairs out of Spanish-English bitext",
        form="PivotBitext",
        preset="demo-es-en",
        label="category",
    ),
    DataSet(
        what="sentence-fusion pairs (DiscoFuse)",
        form="UnfuseText",
        recipe="unfuse",
        label="discourse_type",
    ),
    DataSet(
        what="pairs with a discourse marker (Discovery)",
        form="MineMarkers",
        recipe="mine",
        rows="base",
        label="marker",
    ),
    DataSet(
        what="implicit relations, named by translations",
        form="ExplicitateBitext",
        recipe="explicitate",
        rows="2-votes",
        label="sense",
    ),
    DataSet(
        what="the split pairs of both bitexts, equal ones once",
        form="JoinBuilds",
        recipe="join",
        rows="references",
        label="pivots",
    ),
)


def main(home: Path) -> None:
    """Build all data sets in the folder `home` and print them; raises BuildError when a build fails."""
    os.environ["BITEXT_PIVOT_OPUS"] = str(ROOT / "quickstart" / "opus")
    prefect = home / "prefect"
    # the server opens its database there and makes no folder
    prefect.mkdir(parents=True, exist_ok=True)
    os.environ["BITEXT_PIVOT_HOME"] = str(home)
    os.environ.setdefault("PREFECT_HOME", str(prefect))
    os.chdir(ROOT)  # model folders are named from the root of the checkout
    import bitext_pivot.commands.main  # noqa: F401 - sets the environment of Prefect
    from bitext_pivot.core.standard_output import show

    log = home / LOG
    show(PLAN.format(home=home, log=log), wrap=False)
    with logged_to(log):
        folders = build_all()
    show_table(folders)
    for data_set, folder in zip(DATA_SETS, folders, strict=True):
        show_examples(data_set, folder)
    page = (latest(folders[0]) / "inspector.html").as_uri()
    show(END.format(page=page, log=log), wrap=False)


@contextmanager
def logged_to(log: Path) -> Iterator[None]:
    """Write what this process, its libraries and its children write to stderr into a file."""
    sys.stderr.flush()
    screen = os.dup(2)
    with log.open("wb") as file:
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(screen, 2)
        os.close(screen)


def build_all() -> list[Path]:
    """Build the data sets one after the other, with a line for each, and return their folders."""
    from bitext_pivot.core.standard_output import show
    from bitext_pivot.tasks.run.signals import end_on_signals

    end_on_signals()
    folders = []
    for number, data_set in enumerate(DATA_SETS, 1):
        show(f"{number} of {len(DATA_SETS)}  {data_set.what} ...", wrap=False)
        folders.append(build(data_set))
    return folders


def build(data_set: DataSet) -> Path:
    """Build one data set and return its folder."""
    import bitext_pivot
    from bitext_pivot.flows import presets

    values = presets.load(data_set.preset, presets.FOLDER / data_set.recipe)
    folder: Path = bitext_pivot.build(getattr(bitext_pivot, data_set.form)(**values))
    return folder


def show_table(folders: Sequence[Path]) -> None:
    """Print what was built: the number of rows, the kind, the folder."""
    from bitext_pivot.core.standard_output import screen, show
    from bitext_pivot.core.tables import Table

    rows = []
    for data_set, folder in zip(DATA_SETS, folders, strict=True):
        statistics = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
        number = sum(statistics["counts"]["subset"].values())
        rows.append((latest(folder).parent.name, number, data_set.what))
    screen.print(Table(head=("data set", "rows", "what"), rows=rows))
    show(f"Each is a folder: {folders[0].parents[1]}/NAME/latest\n", wrap=False)


def latest(folder: Path) -> Path:
    """Return the link to a data set, whose name stays the same when it is built again."""
    return folder.parent / "latest"


def show_examples(data_set: DataSet, folder: Path) -> None:
    """Print some rows of a data set."""
    from bitext_pivot.core.standard_output import screen, show

    screen.rule(f"{latest(folder).parent.name}: {data_set.what}")
    for row in examples(rows_of(folder / data_set.rows), data_set.label, SHOWN):
        label = row[data_set.label]
        show(f"{data_set.label}: {label}")
        whole = whole_text(row)
        if whole:
            show(f"  {whole}")
        for sentence in parts(row):
            show(f"    -> {sentence}")
    show("")


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of all sets in a folder."""
    rows = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            rows.append(json.loads(line))
    return rows


def examples(rows: Sequence[dict[str, Any]], label: str, number: int) -> list[dict[str, Any]]:
    """Return the first row of each label, then the second of each and so on, until there are `number`."""
    seen: dict[Any, int] = {}
    turns = []
    for row in rows:
        turns.append(seen.get(row[label], 0))
        seen[row[label]] = turns[-1] + 1
    in_turns = sorted(range(len(rows)), key=lambda position: turns[position])
    return [rows[position] for position in in_turns[:number]]


def whole_text(row: dict[str, Any]) -> str:
    """Return the long sentence of a pair, or the text of two sentences; "" for what has none."""
    if "long" in row:
        return str(row["long"])
    return " ".join(row.get("text", ()))


def parts(row: dict[str, Any]) -> Sequence[str]:
    """Return the two sentences of a row."""
    if "split" in row:
        return list(row["split"])
    return [row["first"], row["second"]]


def run(home: Path) -> int:
    """Run the demo and return its status; what fails is named with the log."""
    from bitext_pivot.core.errors import BuildError

    try:
        main(home)
    except BuildError as error:
        sys.stderr.write(f"The demo failed: {error}\nIts log: {home / LOG}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "demo").resolve()))
