"""The plan: sizes that the server announces, or those of the catalogue, and nothing is downloaded."""

import gzip
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import web
from catalogues import row, write
from rich.console import Console

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.sizes import check_exists
from bitext_pivot.core.errors import AbsentError, SettingsError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic
from bitext_pivot.flows.pivot_settings import PivotBitext

NOBODY = "http://127.0.0.1:9"
ROWS = [
    row("Europarl/v8/xml/en-fr", 100, 40_000, latest=True),
    row("Europarl/v8/raw/en", 2_000, latest=True),
    row("Europarl/v8/raw/fr", 3_000, latest=True),
    row("Europarl/v7/xml/en-fr", 300, 39_000),
    row("UN/v20090831/xml/en-fr", 10, 1_000, column="UNPC"),
    row("UN/v20090831/raw/en", 50, column="UNPC"),
    row("UN/v20090831/raw/fr", 60, column="UNPC"),
]
SIZES = {"xml/en-fr.xml.gz": 102_900, "raw/en.zip": 2_000_000, "raw/fr.zip": 3_000_000}


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mirror with two releases of Europarl en-fr, whose files have the sizes above."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for release in ("v7", "v8"):
        for name, size in SIZES.items():
            path = tmp_path / "mirror" / "OPUS-Europarl" / release / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes(size))
    with web.serve(web.files(tmp_path / "mirror")) as address:
        yield address


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with the small catalogue, and a server that does not answer."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return Site(
        home=tmp_path / "home", opus=NOBODY, catalogue=write(tmp_path / "opusdata.db", ROWS)
    )


@pytest.fixture
def planned(site: Site, tmp_path: Path) -> Callable[..., str]:
    """Plan some corpora with the small catalogue."""

    def show(
        opus: str,
        *corpora: str,
        prices: Mapping[str, tuple[float, float]] | None = None,
        **settings: Any,
    ) -> str:
        there = site.model_copy(update={"opus": opus, "endpoint_prices": prices or {}})
        printed = shown(there, corpora=list(corpora), **settings)
        assert not (tmp_path / "home" / "catalogue").exists()
        return printed

    return show


def shown(site: Site, **settings: Any) -> str:
    """Print a plan without the lines of its tables and with single spaces."""
    from bitext_pivot.tasks.ahead.plan import plan

    console = Console(width=200, record=True)
    form = PivotBitext.model_validate(settings)
    plan(form, site, console.print)
    return " ".join(console.export_text().replace("│", " ").split())


def test_sizes_are_those_the_server_announces(planned: Callable[..., str], served: str) -> None:
    printed = planned(served, "Europarl/v8")
    assert "xml/en-fr.xml.gz 102.9 kB no" in printed and "raw/fr.zip 3.0 MB no" in printed
    assert "download at most 5.1 MB the server" in printed and "does not answer" not in printed


def test_a_catalogue_of_another_file_is_not_used(planned: Callable[..., str], served: str) -> None:
    assert "links 40,000 catalogue" in planned(
        served, "Europarl/v8"
    )  # 102,900 bytes are 100 KiB and some
    printed = planned(served, "Europarl/v7")
    assert "links unknown not known before they are read" in printed
    assert "is not the file that the catalogue counted: its numbers are left out" in printed
    assert "no catalogue" not in printed


def test_sizes_are_the_catalogues_without_an_answering_server(
    planned: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[Release] = []

    def refuse(release: Release, *_: object, **__: object) -> None:
        requests.append(release)
        raise SourceError("refused")

    monkeypatch.setattr("bitext_pivot.tasks.ahead.plan.sizes", refuse)
    printed = planned(NOBODY, "Europarl/v8", "UN/v20090831")
    assert len(requests) == 1
    assert "OPUS-Europarl/v8/raw/fr.zip about 3.1 MB no" in printed  # 3,000 KiB
    assert "OPUS-UN/v20090831/raw/en.zip about 51.2 kB no" in printed
    assert "download at most 5.3 MB catalogue, because the server does not answer" in printed


def test_an_estimate_names_its_basis(planned: Callable[..., str]) -> None:
    printed = planned(NOBODY, "Europarl/v8", "UN/v20090831", shard_rows=1_000)
    assert "links 41,000 catalogue" in printed
    assert (
        "alignments to translate about 3,320 estimate: 7.5% of the links of Europarl (BiSECT's count)"
        in printed
    )
    assert "32.0% of the links of UN (BiSECT's count)" in printed
    assert "shards of a stage about 4 1,000 each" in printed  # 3 of 3,000 alignments, 1 of 320
    assert (
        "about 25.3 MB estimate: the download, which is not unpacked, and 6.0 kB per alignment"
        in printed
    )


def test_an_entailment_model_is_listed_with_its_time(planned: Callable[..., str]) -> None:
    assert "hours of one core" not in planned(NOBODY, "Europarl/v8")
    printed = planned(NOBODY, "Europarl/v8", filters={"preset": "checked"})
    assert (
        "entailment at most about 0.8 hours of one core estimate: 0.9 s per pair" in printed
    )  # 3,000 alignments
    assert "entailment cross-encoder/nli-deberta-v3-base" in printed


JUDGE = {"models": ["a/b", "c"]}


def test_tokens_and_cost_of_a_judge_are_planned_and_its_models_listed(
    planned: Callable[..., str], site: Site
) -> None:
    prices = dict.fromkeys(JUDGE["models"], (1.0, 2.0))
    printed = planned(NOBODY, "Europarl/v8", prices=prices, filters={"advanced": {"judge": JUDGE}})
    read, written = 3_000 * 2 * 650, 3_000 * 2 * 50
    assert f"judge at most about {read:,} tokens read, {written:,} written, for 4.50 by" in printed
    assert "judge a/b, c" in printed
    free = planned(NOBODY, "Europarl/v8", filters={"advanced": {"judge": {"models": ["a"]}}})
    assert "written estimate: 650 and 50 per pair" in free


def test_a_judge_without_a_server_is_refused_before_anything_runs(site: Site) -> None:
    from bitext_pivot.tasks.run.resources import Filtering

    form = PivotBitext.model_validate(
        {"pivot": "fr", "corpora": ["Europarl/v8"], "filters": {"advanced": {"judge": JUDGE}}}
    )
    _names, needed = Filtering(form.filters, "en").rounds(site)
    with pytest.raises(SettingsError, match="judge.models names models, and BITEXT_PIVOT_ENDPOINT"):
        needed[-1]()
    there = site.model_copy(update={"endpoint": "http://127.0.0.1:9/v1"})
    _names, needed = Filtering(form.filters, "en").rounds(there)
    needed[-1]()


def test_links_beyond_the_limit_are_not_counted(planned: Callable[..., str]) -> None:
    printed = planned(NOBODY, "Europarl/latest", "UN/v20090831", extraction={"max_links": 2_000})
    assert printed.startswith("fr-en: Europarl/v8, UN/v20090831 download: at most")
    assert "links 3,000 catalogue" in printed and "alignments to translate about 470 " in printed


def test_the_size_of_an_uncatalogued_release_is_unknown(planned: Callable[..., str]) -> None:
    printed = planned(NOBODY, "Europarl/v8", "Own/v1")
    assert "OPUS-Own/v1/raw/en.zip unknown no" in printed
    assert "'Own' is no corpus of OPUS with en-fr" in printed
    assert "download at most 5.2 MB and 3 files of unknown size" in printed
    assert "links 40,000, and those of Own catalogue" in printed


@pytest.mark.parametrize(("name", "words"), [
    ("Europral/v8", r"The nearest of 2: Europarl.* does not exist "),
    ("Europarl/v9", r"Europarl has en-fr in v8, v7, not in v9.* does not exist "),
])  # fmt: skip
def test_an_absent_release_is_refused_with_those_that_exist_after_the_table(
    name: str,
    words: str,
    planned: Callable[..., str],
    served: str,
    capsys: pytest.CaptureFixture[str],
    site: Site,
) -> None:
    with pytest.raises(AbsentError, match=words):
        planned(served, name)
    assert "To expect" in capsys.readouterr().out
    with pytest.raises(SettingsError, match=words):
        check_exists(Release.of(name, "fr", "en"), site.model_copy(update={"opus": served}))


@pytest.mark.parametrize(("name", "words"), [
    ("Europral/v8", "The nearest of 2: Europarl"), ("Europarl/v8", ""), ("Europarl/v8:moses", ""),
])  # fmt: skip
def test_only_the_catalogue_is_asked_about_what_it_has(name: str, words: str, site: Site) -> None:
    with pytest.raises(SettingsError, match=words) if words else nullcontext():
        check_exists(Release.of(name, "fr", "en"), site)


def test_a_corpus_that_only_the_server_has_is_planned(
    planned: Callable[..., str], served: str, tmp_path: Path
) -> None:
    (tmp_path / "mirror" / "OPUS-Europarl").rename(tmp_path / "mirror" / "OPUS-Own")
    printed = planned(served, "Own/v8")
    assert "OPUS-Own/v8/raw/fr.zip 3.0 MB no" in printed and "no corpus of OPUS" not in printed
    assert "links unknown" in printed and "5.1 MB and the shards" in printed


def test_files_on_this_machine_are_not_fetched(
    planned: Callable[..., str], served: str, tmp_path: Path
) -> None:
    release = Release.of("Europarl/v8", "fr", "en")
    path = opus.place(release, release.sentences("en"), tmp_path / "home" / "opus")
    atomic.write_text(path, "x" * 2_000_000)
    atomic.write_sealed(
        atomic.manifest_path(path),
        {"bytes": 2_000_000, "sha256": atomic.sha256(path), "url": served},
    )
    printed = planned(served, "Europarl/v8")
    assert "raw/en.zip 2.0 MB yes" in printed and "to be fetched at most 3.1 MB" in printed
    printed = planned(NOBODY, "Europarl/v8")
    assert "raw/en.zip 2.0 MB yes" in printed and "raw/fr.zip about 3.1 MB no" in printed


def test_bitext_of_ones_own_has_its_files_and_sizes(tmp_path: Path) -> None:
    for language in ("en", "fr"):
        (tmp_path / language).write_text("It rained.\n" * 100, encoding="utf-8")
    own = {
        "name": "Mine",
        "language_file": tmp_path / "en",
        "pivot_file": tmp_path / "fr",
        "kind": "lines",
    }
    printed = shown(Site(home=tmp_path / "home", opus=NOBODY), own=[own])
    assert "Mine/v1 lines 2 2.2 kB unknown" in printed and "Mine/v1 not yet - - - -" in printed


def test_a_plan_without_a_file_of_ones_own_shows_the_rest(tmp_path: Path) -> None:
    own = {"name": "Mine", "file": tmp_path / "no.tmx", "kind": "tmx"}
    assert "Mine/v1 not yet - - - -" in shown(Site(home=tmp_path, opus=NOBODY), own=[own])


@pytest.mark.parametrize(("text", "words"), [
    (b"<link />" * 3_000, "links 3,000 the files here"),
    (b"<link />" * 12, "links 12 the files here"),
    (b"damaged", "links unknown not known before they are read"),
])  # fmt: skip
def test_links_of_a_mirror_in_a_folder_are_counted(
    text: bytes, words: str, planned: Callable[..., str], tmp_path: Path
) -> None:
    folder = tmp_path / "mirror" / "OPUS-Own" / "v1"
    for name in ("xml", "raw"):
        (folder / name).mkdir(parents=True)
    (folder / "xml" / "en-fr.xml.gz").write_bytes(
        text if text == b"damaged" else gzip.compress(text)
    )
    for language in ("en", "fr"):
        with zipfile.ZipFile(folder / "raw" / f"{language}.zip", "w") as archive:
            archive.writestr("README", "")
    assert words in planned(str(tmp_path / "mirror"), "Own/v1")
