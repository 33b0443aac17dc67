"""Tables for a terminal and for a run page."""

import io

from rich.console import Console

from bitext_pivot.core.tables import Page, Table

TABLE = Table(title="Fruit", head=("kind", "", "note"), rows=[("plum | sloe", "3", "ripe\nblue")], note="Counted.")
PAGE = Page(title="Harvest", summary="plums: 3", tables=[TABLE, Table(title="None", head=("kind",), rows=[])])


def test_markdown_begins_with_its_summary_and_keeps_cells_whole() -> None:
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


def test_latex_escapes_special_characters_and_aligns_numbers() -> None:
    fruit = Table(
        title="50% & 10^9", head=("a_b", "n", "%"), rows=[("x_1 é", "1,000", ""), ("#2", "", "3%")], note="`s_1`"
    )
    lines = fruit.latex().splitlines()
    assert lines[:2] == [r"\begin{table}", r"\centering"]
    assert lines[2:4] == [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", r"\begin{tabular}{lrr}"]
    cells = [[cell.strip() for cell in line.removesuffix(r"\\").split("&")] for line in lines if line.endswith(r"\\")]
    assert cells == [[r"a\_b", "n", r"\%"], [r"x\_1 é", "1,000", ""], [r"\#2", "", r"3\%"]]
    assert lines[-3:] == [r"\end{tabular}}", r"\caption{50\% \& 10\^{}9. \texttt{s\_1}}", r"\end{table}"]


def test_a_table_without_rows_is_one_in_latex() -> None:
    assert r"\begin{tabular}" in Table(head=("kind", "number"), rows=[]).latex()
    assert PAGE.latex().count(r"\begin{table}") == 2
