"""Tables for a terminal and for a run page."""

import io

from rich.console import Console

from pairs.tables import Page, Table

TABLE = Table(title="Fruit", head=("kind", "", "note"), rows=[("plum | sloe", "3", "ripe\nblue")], note="Counted.")
PAGE = Page(title="Harvest", summary="plums: 3", tables=[TABLE, Table(title="None", head=("kind",), rows=[])])


def test_a_page_in_markdown_begins_with_its_summary_and_keeps_every_cell_in_one_line() -> None:
    assert PAGE.markdown().splitlines() == [
        "# Harvest", "", "plums: 3", "", "## Fruit", "",
        "| kind |   | note |", "| --- | --- | --- |", "| plum \\| sloe | 3 | ripe; blue |", "", "Counted.", "",
        "## None", "", "| kind |", "| --- |",
    ]  # fmt: skip


def test_a_terminal_shows_the_same() -> None:
    console = Console(file=io.StringIO(), width=80, record=True)
    console.print(PAGE)
    printed = console.export_text()
    for text in ("Harvest", "plums: 3", "Fruit", "plum | sloe", "blue", "Counted.", "None"):
        assert text in printed
