import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alignments.opus import Transfer, fetch
from alignments.release import Archives, Release
from pairs.errors import AbsentError, SourceError
from pairs.progress import Report, listening

EN, FR = "OPUS-Tiny/v1/raw/en.zip", "OPUS-Tiny/v1/raw/fr.zip"
LINKS = "OPUS-Tiny/v1/xml/en-fr.xml.gz"
BODY = '<linkGrp fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz"><link xtargets="1;1"/></linkGrp>'
DOCUMENTS = {"a.xml": "<text/>"}
WHOLE = Transfer(share=0)


@pytest.fixture
def release(corpus: Callable[..., tuple[Release, Archives]]) -> Release:
    return corpus(BODY, DOCUMENTS, DOCUMENTS)[0]


def test_the_link_file_comes_first_and_the_archives_at_the_same_time(
    release: Release, mirror: Any, tmp_path: Path
) -> None:
    mirror.faults |= {EN: "gated", FR: "gated"}
    fetching = threading.Thread(
        target=fetch, args=(release, mirror.base, tmp_path / "home"), kwargs={"transfer": WHOLE}
    )
    fetching.start()
    end = time.monotonic() + 20
    while not {f"GET {EN}", f"GET {FR}"} <= set(mirror.requests):
        assert time.monotonic() < end
        time.sleep(0.005)
    mirror.gate.set()
    fetching.join()
    assert mirror.requests[:2] == [f"HEAD {LINKS}", f"GET {LINKS}"]
    assert (tmp_path / "home" / "Tiny" / "v1" / "raw" / "fr.zip.json").exists()


def test_as_many_files_come_at_once_as_the_setting_says(release: Release, mirror: Any, tmp_path: Path) -> None:
    fetch(release, mirror.base, tmp_path / "home", transfer=Transfer(share=0, files=1))
    assert mirror.requests == [f"{command} {name}" for name in (LINKS, EN, FR) for command in ("HEAD", "GET")]


def test_a_file_that_is_not_there_stops_the_others_where_they_are(
    release: Release, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alignments.download.file._PAUSE", 60.0)
    mirror.faults |= {EN: "404", FR: "503"}
    begun = time.monotonic()
    with pytest.raises(AbsentError, match=r"en\.zip does not exist"):
        fetch(release, mirror.base, tmp_path / "home", transfer=WHOLE)
    assert time.monotonic() - begun < 30


def test_nothing_is_asked_of_the_archives_when_the_link_file_fails(
    release: Release, mirror: Any, tmp_path: Path
) -> None:
    mirror.faults[LINKS] = "401"
    with pytest.raises(SourceError, match=r"en-fr\.xml\.gz answered 401"):
        fetch(release, mirror.base, tmp_path / "home", transfer=WHOLE)
    assert mirror.requests == [f"HEAD {LINKS}"]


def test_each_file_has_a_line_in_the_log_that_was_given(
    release: Release, mirror: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    fetch(release, mirror.base, tmp_path / "home", transfer=WHOLE, log=logging.getLogger("run"))
    assert sorted(record.message.partition(":")[0] for record in caplog.records if record.name == "run") == [
        "en-fr.xml.gz",
        "en.zip",
        "fr.zip",
    ]


def test_whoever_listens_hears_of_the_bytes_of_each_file(release: Release, mirror: Any, tmp_path: Path) -> None:
    heard: list[Report] = []
    with listening(heard.append):
        archives = fetch(release, mirror.base, tmp_path / "home", transfer=WHOLE)
    sizes = {name.rpartition("/")[2]: size for name, size in archives.sizes.items()}
    assert {report.what: (report.done, report.total, report.unit) for report in heard if report.over} == {
        name: (size, size, "bytes") for name, size in sizes.items()
    }
