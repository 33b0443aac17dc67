"""The demo: build English pairs from the quickstart's own bitext and documents, offline, with real models.

usage: python quickstart/demo.py [FOLDER]      (default: demo)

Reads quickstart/opus in place of OPUS, runs the same flow as `bitext-pivot build`, and prints the counts of each stage
and some pairs of each category; then the flows of the other recipes, and a row of each. Running it again builds only
what is missing.
"""

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIVOTS = ("fr", "es")
SHOWN = 10
RECIPES = {
    "unfuse": (
        "bitext_pivot.flows.unfuse_text:unfuse_text",
        "pairs",
        ("text", "first", "second", "discourse_type"),
    ),
    "mine": ("bitext_pivot.flows.mine_markers:mine_markers", "base", ("first", "second", "marker")),
    "explicitate": (
        "bitext_pivot.flows.explicitate_bitext:explicitate_bitext",
        "2-votes",
        ("first", "second", "sense", "votes"),
    ),
    "join": (
        "bitext_pivot.flows.join_builds:join_builds",
        "references",
        ("long", "split", "pivots"),
    ),
}
"""Other recipes by the folder of their presets: the flow, the kind of rows, and the columns that are shown of a row."""
PLAN = """\
The demo builds two small English data sets, about 200 pairs, with the default strict filters, then
one data set of each other recipe, and last one of both: equal pairs once, references together.
  bitext   446 sentence links, French-English and Spanish-English, written for this project (quickstart/opus)
  texts    40 English documents, and 6 with translations, written for this project (quickstart)
  models   a small MarianMT model and a parser (quickstart/models), all-MiniLM-L6-v2 for BERTScore (in .venv)
  time     under three minutes on two cores; nothing is downloaded
  results  {home}
"""
NEXT = (
    "Next: `.venv/bin/bitext-pivot plan --preset first-fr-en` shows what a first real build "
    "downloads; see README.md."
)


def main(home: Path) -> None:
    """Build both data sets in the folder `home` and print them; raises BuildError when a build fails."""
    os.environ["BITEXT_PIVOT_OPUS"] = str(ROOT / "quickstart" / "opus")
    prefect = home.resolve() / "prefect"
    prefect.mkdir(
        parents=True, exist_ok=True
    )  # the server opens its database there and makes no folder
    os.environ["BITEXT_PIVOT_HOME"] = str(home.resolve())
    os.environ.setdefault("PREFECT_HOME", str(prefect))
    os.chdir(ROOT)  # model folders are named from the root of the checkout
    import bitext_pivot.commands.main  # noqa: F401 - sets the environment of Prefect
    from bitext_pivot.core.command_line import screen, show
    from bitext_pivot.flows import presets

    show(PLAN.format(home=home.resolve()), wrap=False)
    from bitext_pivot.tasks.run.temporary_server import ensure_server

    ensure_server()
    from bitext_pivot.flows.pivot_bitext import pivot_bitext
    from bitext_pivot.flows.pivot_settings import PivotBitext

    settings = presets.load("demo-fr-en")
    folders = {pivot: pivot_bitext(PivotBitext(**settings | {"pivot": pivot})) for pivot in PIVOTS}
    for pivot, folder in folders.items():
        screen.rule(f"{pivot}-en")
        show_funnel(folder)
    screen.rule("pairs")
    for folder in folders.values():
        show_pairs(folder, SHOWN // len(folders))
    screen.rule("other recipes")
    others = [show_recipe(*recipe) for recipe in RECIPES.items()]
    for folder in (*folders.values(), *others):
        show(f"All pairs, rejected pairs, counts: {folder}", wrap=False)
    show(NEXT, wrap=False)


def show_recipe(preset: str, recipe: tuple[str, str, tuple[str, ...]]) -> Path:
    """Build the demo of another recipe, print the number of its rows and one of them, and return its folder."""
    from bitext_pivot.core.command_line import screen, show
    from bitext_pivot.flows import presets

    entrypoint, kind, columns = recipe
    module, _, name = entrypoint.partition(":")
    flow = getattr(importlib.import_module(module), name)
    values = presets.load("demo", presets.FOLDER / preset)
    folder: Path = flow(flow.validate_parameters({"settings": values})["settings"])
    rows = sum(
        json.loads((folder / "stats.json").read_text(encoding="utf-8"))["counts"]["subset"].values()
    )
    file = min((folder / kind).glob("train-*.jsonl"))
    row = json.loads(file.read_text(encoding="utf-8").partition("\n")[0])
    screen.print(f"[bold]{preset}[/bold]: {rows} rows, such as")
    for column in columns:
        shown = " ".join(row[column]) if isinstance(row[column], list) else row[column]
        show(f"  {column}: {shown}")
    return folder


def show_funnel(folder: Path) -> None:
    """Print what came in, what went on, and what was lost at every stage, and the pairs of each set."""
    from bitext_pivot.core.command_line import screen
    from bitext_pivot.core.tables import Table

    rows = []
    statistics = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    for stage in statistics["funnel"]:
        lost = ", ".join(f"{reason} {number}" for reason, number in stage["lost"].items())
        rows.append((stage["name"], stage["rows"], lost))
    screen.print(Table(head=("stage", "pairs", "lost"), rows=rows))
    screen.print(Table(head=("set", "pairs"), rows=list(statistics["counts"]["subset"].items())))


def show_pairs(folder: Path, number: int) -> None:
    """Print the first pairs of each category in turn, until `number` are shown."""
    from bitext_pivot.core.command_line import screen, show

    files = sorted((folder / "pairs").glob("*.jsonl"))
    rows = [
        json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()
    ]
    by_category: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_category.setdefault(row["category"], []).append(row)
    turns = [
        group[turn] for turn in range(number) for group in by_category.values() if turn < len(group)
    ]
    for row in sorted(turns[:number], key=lambda row: row["category"]):
        screen.print(
            f"[bold]{row['category']}[/bold] ({row['construction']}; {row['translated']} from {row['pivot']})"
        )
        show(f"  {row['long']}")
        for sentence in row["split"]:
            show(f"    -> {sentence}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "demo"))
