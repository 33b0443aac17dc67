import asyncio
from pathlib import Path
from typing import Any

import pytest
from prefect.logging import disable_run_logger
from prefect.states import Failed

from alignments import opus
from alignments.download.answers import PassingError, UnknownHostError
from pairs.errors import AbsentError, SettingsError, ShardError, SourceError
from tasks import fetch as module
from tasks.fetch import fetch


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (PassingError("busy", 3.0), True),
        (UnknownHostError("a misspelt host"), False),
        (SourceError("not gzip"), False),
        (AbsentError("nowhere"), False),
        (ShardError("no room"), False),
        (SettingsError("no proxy"), False),
        (OSError("what is this"), False),
    ],
)
def test_only_what_may_pass_is_retried_by_the_task(error: Exception, again: bool) -> None:
    state: Any = Failed(data=error)
    assert asyncio.run(module._passing(None, None, state)) is again  # type: ignore[arg-type]
    assert (fetch.retries, fetch.retry_delay_seconds) == (1, 60)


def test_the_site_says_how_files_are_brought(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(opus, "fetch", lambda *args, **options: asked.append((args, options["transfer"])))
    for name, value in {
        "HOME": str(tmp_path),
        "OPUS": "http://mirror",
        "TIMEOUT": "7",
        "PROXY": "http://me:secret@proxy:1",
        "ATTEMPTS": "9",
        "DOWNLOADS": "3",
        "SHARE": "0.25",
    }.items():
        monkeypatch.setenv(f"BITEXT_PIVOT_{name}", value)
    release = opus.Release("Tiny", "v1", "en", "fr")
    with disable_run_logger():
        fetch.fn(release, module.Site())
    ((args, transfer),) = asked
    assert args == (release, "http://mirror", tmp_path / "opus")
    assert transfer == opus.Transfer(timeout=7, proxy="http://me:secret@proxy:1", attempts=9, files=3, share=0.25)
    assert "secret" not in repr(module.Site())
    assert "secret" not in repr(transfer)
