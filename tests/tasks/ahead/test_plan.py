"""The plan: sizes that the server announces, or those of the catalogue, and nothing is downloaded."""

import gzip
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import web
from catalogues import row, write
from messages import Golden
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

    def show(opus: str, *corpora: str, **settings: Any) -> str:
        there = site.model_copy(update={"opus": opus})
        printed = shown(there, corpora=list(corpora), **settings)
        assert not (tmp_path / "home" / "catalogue").exists()
        return printed

    return show


def shown(site: Site, **settings: Any) -> str:
    """Print a plan without the lines of its tables, and with single spaces."""
    from bitext_pivot.tasks.ahead.plan import plan

    console = Console(width=200, record=True)
    form = PivotBitext.model_validate(settings)
    plan(form, site, console.print)
    rows = re.sub(r"[\u2500-\u257f]", " ", console.export_text()).splitlines()
    return "\n".join(" ".join(row.split()) for row in rows if row.strip())


def corpora(printed: str) -> str:
    """Return a plan without its models, which depend on what this machine has."""
    return printed.partition("\nModels\n")[0]


def test_sizes_are_those_the_server_announces(
    planned: Callable[..., str], served: str, golden: Golden
) -> None:
    golden.same(corpora(planned(served, "Europarl/v8")))  # 102,900 bytes are 100 KiB and some


def test_a_catalogue_of_another_file_is_not_used(
    planned: Callable[..., str], served: str, golden: Golden
) -> None:
    golden.same(corpora(planned(served, "Europarl/v7")))


def test_sizes_are_the_catalogues_without_an_answering_server(
    planned: Callable[..., str], monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    requests: list[Release] = []

    def refuse(release: Release, *_: object, **__: object) -> None:
        requests.append(release)
        raise SourceError("refused")

    monkeypatch.setattr("bitext_pivot.tasks.ahead.plan.sizes", refuse)
    golden.same(corpora(planned(NOBODY, "Europarl/v8", "UN/v20090831")))  # 3,000 KiB are 3.1 MB
    assert len(requests) == 1


def test_corpora_are_added_up(planned: Callable[..., str], golden: Golden) -> None:
    """Of 3,000 alignments there are three shards, of 320 one."""
    golden.same(corpora(planned(NOBODY, "Europarl/v8", "UN/v20090831", shard_rows=1_000)))


def test_models_of_filters_are_listed(planned: Callable[..., str]) -> None:
    printed = planned(NOBODY, "Europarl/v8", filters={"preset": "checked"})
    assert "entailment cross-encoder/nli-deberta-v3-xsmall" in printed
    printed = planned(NOBODY, "Europarl/v8", filters={"advanced": {"judge": JUDGE}})
    assert "judge a/b" in printed


def test_filters_without_data_of_the_language_are_named(planned: Callable[..., str]) -> None:
    words = "measure nothing: fragments, untranslated, invented (docs/languages.md)"
    model = {"translation": {"model": "a/b"}}
    swedish = planned(NOBODY, "Europarl/v8", pivot="en", language="sv", **model)
    assert f"Without data of Swedish these {words}" in " ".join(swedish.split())
    assert "measure nothing" not in planned(NOBODY, "Europarl/v8")


JUDGE = {"model": "a/b"}


def test_a_judge_without_a_server_is_refused_before_anything_runs(
    site: Site, golden: Golden
) -> None:
    from bitext_pivot.tasks.run.resources import Filtering

    form = PivotBitext.model_validate(
        {"pivot": "fr", "corpora": ["Europarl/v8"], "filters": {"advanced": {"judge": JUDGE}}}
    )
    needed = Filtering(form.filters, "en").checks(site)
    with golden.refused(SettingsError):
        needed[-1]()
    there = site.model_copy(update={"endpoint": "http://127.0.0.1:9/v1"})
    needed = Filtering(form.filters, "en").checks(there)
    needed[-1]()


def test_links_beyond_the_limit_are_not_counted(
    planned: Callable[..., str], golden: Golden
) -> None:
    most = {"max_links": 2_000}
    golden.same(corpora(planned(NOBODY, "Europarl/latest", "UN/v20090831", extraction=most)))


def test_the_size_of_an_uncatalogued_release_is_unknown(
    planned: Callable[..., str], golden: Golden
) -> None:
    golden.same(corpora(planned(NOBODY, "Europarl/v8", "Own/v1")))


@pytest.mark.parametrize("name", ["Europral/v8", "Europarl/v9"])
def test_an_absent_release_is_refused_with_those_that_exist_after_the_table(
    name: str,
    planned: Callable[..., str],
    served: str,
    capsys: pytest.CaptureFixture[str],
    site: Site,
    golden: Golden,
) -> None:
    with golden.refused(AbsentError):
        planned(served, name)
    assert "To expect" in capsys.readouterr().out
    with golden.refused(SettingsError):
        check_exists(Release.of(name, "fr", "en"), site.model_copy(update={"opus": served}))


@pytest.mark.parametrize("name", ["Europarl/v8", "Europarl/v8:moses"])
def test_only_the_catalogue_is_asked_about_what_it_has(name: str, site: Site) -> None:
    check_exists(Release.of(name, "fr", "en"), site)


def test_a_misspelt_corpus_is_refused_by_the_catalogue(site: Site, golden: Golden) -> None:
    with golden.refused(SettingsError):
        check_exists(Release.of("Europral/v8", "fr", "en"), site)


def test_a_corpus_that_only_the_server_has_is_planned(
    planned: Callable[..., str], served: str, tmp_path: Path, golden: Golden
) -> None:
    (tmp_path / "mirror" / "OPUS-Europarl").rename(tmp_path / "mirror" / "OPUS-Own")
    golden.same(corpora(planned(served, "Own/v8")))


def test_files_on_this_machine_are_not_fetched(
    planned: Callable[..., str], served: str, tmp_path: Path, golden: Golden
) -> None:
    release = Release.of("Europarl/v8", "fr", "en")
    path = opus.place(release, release.sentences("en"), tmp_path / "home" / "opus")
    atomic.write_text(path, "x" * 2_000_000)
    atomic.write_sealed(
        atomic.manifest_path(path),
        {"bytes": 2_000_000, "sha256": atomic.sha256(path), "url": served},
    )
    golden.same(corpora(planned(served, "Europarl/v8")))
    golden.same(corpora(planned(NOBODY, "Europarl/v8")))


def test_bitext_of_ones_own_has_its_files_and_sizes(tmp_path: Path, golden: Golden) -> None:
    for language in ("en", "fr"):
        (tmp_path / language).write_text("It rained.\n" * 100, encoding="utf-8")
    own = {
        "name": "Mine",
        "language_file": tmp_path / "en",
        "pivot_file": tmp_path / "fr",
        "kind": "lines",
    }
    golden.same(corpora(shown(Site(home=tmp_path / "home", opus=NOBODY), own=[own])))


def test_a_plan_without_a_file_of_ones_own_shows_the_rest(tmp_path: Path, golden: Golden) -> None:
    own = {"name": "Mine", "file": tmp_path / "no.tmx", "kind": "tmx"}
    golden.same(corpora(shown(Site(home=tmp_path, opus=NOBODY), own=[own])))


@pytest.mark.parametrize(
    "text",
    [b"<link />" * 3_000, b"<link />" * 12, b"damaged"],
    ids=["3,000", "12", "damaged"],
)
def test_links_of_a_mirror_in_a_folder_are_counted(
    text: bytes, planned: Callable[..., str], tmp_path: Path, golden: Golden
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
    golden.same(corpora(planned(str(tmp_path / "mirror"), "Own/v1")))
