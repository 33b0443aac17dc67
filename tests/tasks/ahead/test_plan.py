"""The plan: sizes of the catalogue, and what is there; nothing is downloaded."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import web
from builds import DOCUMENTS, write_corpus
from catalogues import row, write
from messages import Golden
from rich.console import Console

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.availability import check_exists
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import SettingsError
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
    row("CCMatrix/v1/xml/en-fr", 700_000, 30_000_000),
    row("CCMatrix/v1/raw/en", 9_000_000),
    row("CCMatrix/v1/raw/fr", 9_000_000),
    row("CCMatrix/v1/moses/en-fr", 4_000_000, 30_000_000),
]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with the small catalogue, and a server that does not answer."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return Site(
        home=tmp_path / "home", opus=NOBODY, catalogue=write(tmp_path / "opusdata.db", ROWS)
    )


@pytest.fixture
def planned(site: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Print a plan of some corpora without the lines of its tables, and with single spaces; nothing is written."""
    from bitext_pivot.tasks.ahead.plan import plan

    monkeypatch.setattr("os.cpu_count", lambda: 2)

    def show(*corpora: str, **settings: Any) -> str:
        console = Console(width=200, record=True)
        there = site.model_copy(update={"opus": settings.pop("opus", site.opus)})
        form = PivotBitext.model_validate({"corpora": list(corpora), **settings})
        console.print(plan(form, there))
        rows = re.sub(r"[\u2500-\u257f]", " ", console.export_text()).splitlines()
        assert not (site.home / "fr-en").exists()
        return "\n".join(" ".join(row.split()) for row in rows if row.strip())

    return show


def without_models(printed: str) -> str:
    """Return a plan without its models, which depend on what this machine has."""
    before, _, after = printed.partition("\nModels\n")
    _, title, files = after.partition("\nFiles of this machine\n")
    return before + title + files


PLANS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "one": (["Europarl/v8"], {}),
    "several": (["Europarl/latest", "UN/v20090831"], {"shard_rows": 1_000}),
    "a limit": (["Europarl/v8", "UN/v20090831"], {"extraction": {"max_links": 2_000}}),
    "a guess": (["Europarl/v8", "CCMatrix/v1"], {}),
    "Moses": (["CCMatrix/v1:moses"], {}),
    "not in the catalogue": (["Europarl/v8", "Own/v1"], {}),
    "another alone": (["Own/v1"], {}),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_has_the_sizes_of_the_catalogue(
    name: str, planned: Callable[..., str], golden: Golden
) -> None:
    corpora, settings = PLANS[name]
    golden.same(without_models(planned(*corpora, **settings)))


def test_files_on_this_machine_are_not_fetched(
    planned: Callable[..., str], site: Site, golden: Golden
) -> None:
    release = Release.parse("Europarl/v8", "fr", "en")
    path = opus.download_path(release, release.sentences("en"), site.opus_folder)
    atomic.write_text(path, "x")
    atomic.write_sealed(
        atomic.manifest_path(path), {"bytes": 1, "sha256": atomic.sha256(path), "url": NOBODY}
    )
    golden.same(without_models(planned("Europarl/v8")))


@pytest.mark.parametrize("is_there", [True, False])
def test_bitext_of_ones_own_is_there_or_unknown(
    is_there: bool, planned: Callable[..., str], tmp_path: Path, golden: Golden
) -> None:
    if is_there:
        (tmp_path / "memory.tmx").write_text("<tmx/>", encoding="utf-8")
    own = {"name": "Mine", "file": tmp_path / "memory.tmx", "kind": "tmx"}
    golden.same(without_models(planned(own=[own])))


def test_a_mirror_in_a_folder_is_there(
    planned: Callable[..., str], tmp_path: Path, golden: Golden
) -> None:
    mirror = write_corpus(tmp_path / "mirror", DOCUMENTS)
    golden.same(without_models(planned("Tiny/v1", opus=str(mirror))))


def test_models_of_filters_are_listed(planned: Callable[..., str]) -> None:
    printed = planned("Europarl/v8", filters={"preset": "checked"})
    assert "entailment cross-encoder/nli-deberta-v3-xsmall" in printed
    printed = planned("Europarl/v8", filters={"advanced": {"judge": JUDGE}})
    assert "judge a/b" in printed


def test_filters_without_data_of_the_language_are_named(planned: Callable[..., str]) -> None:
    words = "measure nothing: fragments, untranslated, invented (docs/languages.md)"
    model = {"translation": {"model": "a/b"}}
    swedish = planned("Europarl/v8", pivot="en", language="sv", **model)
    assert f"These filters do not support Swedish and {words}" in " ".join(swedish.split())
    assert "measure nothing" not in planned("Europarl/v8")


JUDGE = {"model": "a/b"}


def test_a_judge_without_a_server_is_refused_before_anything_runs(
    site: Site, golden: Golden
) -> None:
    from bitext_pivot.tasks.run.resources import FilterResource

    form = PivotBitext.model_validate(
        {"pivot": "fr", "corpora": ["Europarl/v8"], "filters": {"advanced": {"judge": JUDGE}}}
    )
    needed = FilterResource(form.filters, "en").checks(site)
    with golden.refused(SettingsError):
        needed[-1]()
    there = site.model_copy(update={"endpoint": "http://127.0.0.1:9/v1"})
    needed = FilterResource(form.filters, "en").checks(there)
    needed[-1]()


@pytest.mark.parametrize("name", ["Europral/v8", "Europarl/v9"])
def test_a_release_that_a_mirror_lacks_is_refused_with_those_that_exist(
    name: str, site: Site, tmp_path: Path, golden: Golden
) -> None:
    with (
        web.serve(web.files(tmp_path)) as address,
        golden.refused(SettingsError),
    ):
        check_exists(Release.parse(name, "fr", "en"), site.model_copy(update={"opus": address}))


@pytest.mark.parametrize("name", ["Europarl/v8", "Europarl/v8:moses"])
def test_only_the_catalogue_is_asked_about_what_it_has(name: str, site: Site) -> None:
    check_exists(Release.parse(name, "fr", "en"), site)


def test_a_misspelt_corpus_is_refused_by_the_catalogue(site: Site, golden: Golden) -> None:
    with golden.refused(SettingsError):
        check_exists(Release.parse("Europral/v8", "fr", "en"), site)
