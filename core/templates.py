"""Pages in Markdown out of Jinja templates, which are beside the code that gives their values."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bitext_pivot.core.counts import sort_by_count
from bitext_pivot.core.tables import Markdown, code, escape, table_row

_ROOT = Path(__file__).parents[1]
_EMPTY_LINES = re.compile(r"\n{3,}")


def render(template: str, **values: Any) -> Markdown:
    """Return a template, such as `corpus/card.jinja`, with its values.

    Values are escaped, so that Markdown finds nothing in a text of anyone; the filters `safe` and `code`
    and the function `row` of a table give Markdown. Several empty lines become one. Raises UndefinedError
    for a value that the template needs and does not get.
    """
    text = _environment().get_template(template).render(values)
    return Markdown(_EMPTY_LINES.sub("\n\n", text).strip())


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_ROOT),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escaped,
        autoescape=False,  # noqa: S701 - that of Jinja is for HTML; _escaped is for Markdown
    )
    environment.filters |= {
        "safe": Markdown,
        "code": code,
        "format": format,
        "sort_by_count": sort_by_count,
    }
    environment.globals["row"] = table_row
    return environment


def _escaped(value: object) -> str:
    if isinstance(value, Markdown):
        return value
    return escape(str(value))
