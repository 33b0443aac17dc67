"""A shard's progress on the run page: one Prefect progress artifact for work that takes long enough to be watched."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast
from uuid import UUID

from httpx import HTTPError
from prefect import get_run_logger
from prefect.artifacts import create_progress_artifact, update_progress_artifact
from prefect.exceptions import PrefectException

from pairs.progress import Report, listening


@contextmanager
def on_the_run_page(*, is_logged: bool = False) -> Iterator[None]:
    """Show what is tracked inside on the page of this task run: how much is done, how fast, how long it still takes.

    Work that ends within a few seconds leaves nothing there. A server that does not answer is no reason to stop. With
    `is_logged` each report is a line of the log, too.
    """
    shown: dict[str, UUID] = {}
    logger = get_run_logger()

    def listener(report: Report) -> None:
        if is_logged:
            logger.info(report.text)
        try:
            _show(report, shown)
        except (HTTPError, PrefectException, OSError) as error:
            logger.debug("Progress could not be shown (%s): %s", error, report.text)

    with listening(listener):
        yield


def _show(report: Report, shown: dict[str, UUID]) -> None:
    percent = 100.0 if report.over else 100 * report.done / report.total if report.total else 0.0
    if report.what in shown:
        update_progress_artifact(shown[report.what], min(percent, 100.0), report.text)
    elif not report.over:
        key = re.sub(r"[^a-z0-9]+", "-", report.what.lower()).strip("-")
        shown[report.what] = cast(UUID, create_progress_artifact(min(percent, 100.0), key, report.text))
