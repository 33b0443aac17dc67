"""Render Markdown from Jinja templates. A template is in the same folder as the code that fills it."""

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
    """Fill a template, such as `corpus/card.jinja`, with values and return the Markdown.

    Values are escaped, because they may be texts from strangers. The filters `safe` and `code` and the function `row`
    produce Markdown. Several empty lines become one. Raises UndefinedError if a value is missing.
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
        autoescape=False,  # noqa: S701 - Jinja would escape HTML; _escaped escapes Markdown
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
