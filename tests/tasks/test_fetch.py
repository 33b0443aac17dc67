from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.site import Site


def test_the_site_sets_how_files_are_downloaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from prefect.logging import disable_run_logger

    from bitext_pivot.tasks.fetch import fetch

    calls: list[Any] = []
    monkeypatch.setattr(opus, "fetch", lambda *args, **_: calls.append(args))
    for name, value in {
        "HOME": str(tmp_path),
        "OPUS": "http://mirror",
        "TIMEOUT": "7",
        "DOWNLOADS": "3",
    }.items():
        monkeypatch.setenv(f"BITEXT_PIVOT_{name}", value)
    release = Release("Tiny", "v1", "en", "fr")
    with disable_run_logger():
        fetch.fn(release, Site())
    ((asked, site),) = calls
    assert (asked, site.opus, site.opus_folder) == (release, "http://mirror", tmp_path / "opus")
    assert (site.timeout, site.downloads) == (7, 3)
