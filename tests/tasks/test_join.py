"""A join of builds: the same bytes in any order and after a stop, documents in one set, equal pairs once."""

import json
import shutil
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builds import files_without_checksum, rows, tree, unnoticed_changes
from factories import judged, source
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, shards
from bitext_pivot.corpus.division import Division
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.recipes.bisect import bisect
from bitext_pivot.corpus.recipes.joined import JUDGED, item, joined
from bitext_pivot.filters.chain import Filters
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.tasks.ahead.inventory import finished_before
from bitext_pivot.tasks.ahead.refusals import check_offline, signed
from bitext_pivot.tasks.run import builds, finished

SCORES = ("overlap", "bertscore")
Short = tuple[str, str, str, str]
"""Document, long sentence and halves."""
RAIN = ("en/a.xml", "It rained, so we stayed at home.", "It rained.", "We stayed at home.")
SNOW = (
    "en/b.xml",
    "Snow fell, and the trains stood still.",
    "Snow fell.",
    "The trains stood still.",
)
TEA = ("en/c.xml", "Ana drinks tea because she is cold.", "Ana drinks tea.", "She is cold.")
OTHER_RAIN = ("en/a.xml", RAIN[1], "It was raining.", "Therefore we stayed at home.")
RULES = Filters.model_validate({"preset": "rules"}).model_dump(mode="json")
FRENCH, SPANISH = [RAIN, SNOW], [RAIN, OTHER_RAIN, TEA]


def pair(
    number: int, short: Short, pivot: str, corpus: str = "Days", verdict: str | None = None
) -> JudgedPair:
    """A judged pair, whose English sentence has the same id with each pivot, and whose link has another number."""
    document, long, first, second = short
    one = judged(number, long, first, second, rejected_by=verdict)
    assert one.pair.alignment is not None
    link = replace(
        one.pair.alignment,
        id=f"{corpus}/v1/en-{pivot}:{number}",
        source=replace(source(corpus, document, f"{pivot}/x.xml"), licence=f"licence-{corpus}"),
        two_language=pivot,
        one_id=f"s{zlib.crc32(long.encode()) % 1_000}",
    )
    plain = replace(one.pair, id=link.id, pivot=pivot, alignment=link)
    return replace(one, scored=replace(one.scored, parsed=replace(one.scored.parsed, pair=plain)))


Write = Callable[..., Path]
SHARDS = 4
"""At most so many shards, or one more, have the pairs of a build of eight or more."""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return a function that writes a finished build of pairs in shards of two or more, and returns its data set."""
    from bitext_pivot.tasks import export
    from bitext_pivot.tasks.divide import DividedShards, divide, hold_out

    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    monkeypatch.setattr(export, "publish", lambda *_: None)

    def write(pivot: str, pairs: Sequence[JudgedPair], **changes: Any) -> Path:
        folder = tmp_path / f"{pivot}-en"
        paths = []
        size = max(2, len(pairs) // SHARDS)
        for start in range(0, len(pairs), size):
            paths.append(folder / f"judged-{key(pivot, changes)}" / f"Days-v1-{start:05d}.parquet")
            some = pairs[start : start + size]
            if not paths[-1].exists():
                shards.write(
                    paths[-1],
                    JudgedPair,
                    some,
                    {"skips": {}, "before": {"scored": {"rows": size, "skips": {}}}},
                )
        signature = {
            "settings": {"language": "en", "pivot": pivot, "filters": Filters().model_dump(mode="json")},
            "engine": f"marian model-{pivot}@1 direction={pivot}-en beam=4", "parser": "spacy 3.8 tiny",
            "filters": {"overlap": "overlap"}, "versions": {"python": "3.11.7"},
            "sources": {"Days/v1": {"sha256": pivot}}, **changes,
        }  # fmt: skip
        corpora = {"Days/v1": {"licence": "CC0-1.0", "grounds": "a page", "sha256": pivot * 16}}
        form = JoinBuilds(builds=["none"])
        held_out = hold_out(bisect(SCORES), paths, form.division, folder)
        assignments: list[Any] = [
            divide(path, bisect(SCORES), form.division, held_out).output for path in paths
        ]
        facts = BuildFacts(title=f"{pivot}-en: Days/v1", signature=signature, corpora=corpora)
        return export.write_data_set(bisect(SCORES), DividedShards(paths, assignments), form, facts)

    return write


def join(*names: str, **changes: Any) -> Path:
    """Do what the flow does, without Prefect."""
    from bitext_pivot.tasks import export
    from bitext_pivot.tasks import join as stage
    from bitext_pivot.tasks.divide import DividedShards, divide, hold_out

    site, form = Site(), JoinBuilds(builds=[*names], **changes)
    check_offline(form, site)
    (needed,) = form.resources()
    form = form.model_copy(update=needed.pins(site))
    found = builds.read_all(form.builds, site)
    judged = builds.shards_of(found)
    signature = {"settings": form.model_dump(mode="json"), **needed.signature(site)}
    held_out = hold_out(JUDGED, judged, form.division, site.build_folder("join-en"))
    assignments: list[Any] = [
        divide(path, JUDGED, form.division, held_out).output for path in judged
    ]
    related = stage.join(DividedShards(judged, assignments), site)
    facts = BuildFacts(title=form.title, signature=signature, corpora=builds.corpora(found))
    recipe = joined(bisect(SCORES), dict(zip(related, judged, strict=True)))
    return export.write_data_set(recipe, DividedShards(related, assignments), form, facts)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the builds of `two`, which the first test that has them writes."""
    return tmp_path_factory.mktemp("written") / "builds"


@pytest.fixture
def two(write: Write, written: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The data sets of two builds with different pivots."""
    if not written.exists():
        write("fr", [pair(number, short, "fr") for number, short in enumerate(FRENCH, 7)])
        spanish = [pair(number, short, "es", "Nights") for number, short in enumerate(SPANISH, 1)]
        write("es", [*spanish, pair(9, SNOW, "es", verdict="verbs")])
        shutil.copytree(tmp_path, written, symlinks=True)
    else:
        shutil.copytree(written, tmp_path, symlinks=True, dirs_exist_ok=True)
    return (tmp_path / "fr-en" / "latest").resolve(), (tmp_path / "es-en" / "latest").resolve()


def test_an_equal_pair_of_two_pivots_is_kept_once_with_both_sources_and_licences(
    two: tuple[Path, Path],
) -> None:
    folder = join("fr-en", "es-en", division={"validation": 0, "test": 0})
    assert folder.parent.name == "join-en"
    kept = {row["id"]: row for row in rows(folder)}
    assert sorted(kept) == [
        "Days/v1/en-fr:8",
        "Nights/v1/en-es:1",
        "Nights/v1/en-es:2",
        "Nights/v1/en-es:3",
    ]
    rain = kept["Nights/v1/en-es:1"]
    assert [(one["id"], one["licence"], one["pivot"]) for one in rain["sources"]] == [
        ("Nights/v1/en-es:1", "licence-Nights", "es"), ("Days/v1/en-fr:7", "licence-Days", "fr"),
    ]  # fmt: skip
    assert rain["pivots"] == kept["Nights/v1/en-es:2"]["pivots"] == 2
    assert rain["group"] == kept["Nights/v1/en-es:2"]["group"] != kept["Days/v1/en-fr:8"]["group"]
    rejected = {row["id"]: row["rejected_by"] for row in rows(folder, "rejected")}
    assert rejected == {"Days/v1/en-fr:7": "equal pair", "Days/v1/en-es:9": "verbs"}
    references = {row["long"]: row for row in rows(folder, "references")}
    assert references[RAIN[1]]["references"] == [[*RAIN[2:]], [*OTHER_RAIN[2:]]]
    assert references[RAIN[1]]["ids"] == [
        ["Nights/v1/en-es:1", "Days/v1/en-fr:7"],
        ["Nights/v1/en-es:2"],
    ]
    assert references[SNOW[1]]["references"] == [[*SNOW[2:]]] and len(references) == 3
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert (
        "licence-Nights" in card
        and "licence-Days" in card
        and "All builds have the same filters" in card
    )
    counts = atomic.load_json(folder / "stats.json")["counts"]
    assert counts["agreement"] == {"1": 2, "2": 2} and counts["references"] == {"1": 2, "2": 1}
    assert files_without_checksum(folder) == set()
    for path in two[0].parents[1].glob("*-en/joined-*/*.parquet"):
        assert b"SNOW FELL" not in path.read_bytes().upper()  # but in the judged shards


def test_the_order_and_the_addresses_of_builds_do_not_change_the_bytes(
    two: tuple[Path, Path],
) -> None:
    first = tree(join("fr-en", "es-en"))
    (two[0].parents[1] / "join-en").rename(two[0].parents[1] / "before")
    assert tree(join(str(two[1]), "fr-en/latest", str(two[0].parent / "latest"))) == first


def test_a_build_and_a_copy_of_it_are_one(two: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.copytree(tmp_path / "fr-en", tmp_path / "colleague" / "fr-en", symlinks=True)
    copy = str(tmp_path / "colleague" / "fr-en")
    kept, expected = rows(join("fr-en", "es-en", copy)), rows(join("fr-en", "es-en"))
    assert sorted(row["split"] for row in kept) == sorted(row["split"] for row in expected)


def remembered(form: JoinBuilds, folder: Path) -> None:
    """Write the record of a finished join, as its flow does."""
    identities = builds.identities(builds.read_all(form.builds, Site()))
    finished.record_build(folder, signed(form, Site())[1], identities)


def test_a_join_begins_when_another_data_set_has_the_name_of_a_build(
    write: Write, two: tuple[Path, Path], tmp_path: Path
) -> None:
    rainy = ("en/b.xml", SNOW[1], "Rain fell.", SNOW[3])  # as many pairs
    other = write("fr", [pair(n, short, "fr") for n, short in enumerate((RAIN, rainy), 7)], of="B")
    mine = two[0].with_name("mine")
    two[0].rename(mine)
    form = JoinBuilds(builds=["fr-en/mine", "es-en"])
    remembered(form, join(*form.builds))
    assert finished_before(form, Site()) is not None
    shutil.rmtree(mine)
    other.rename(mine)
    assert finished_before(form, Site()) is None


def test_a_join_begins_when_any_part_of_the_key_of_any_stage_changes(
    two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    form = JoinBuilds(builds=["fr-en", "es-en"])
    remembered(form, join(*form.builds))
    assert finished_before(form, Site()) is not None
    assert unnoticed_changes(form, Site(), monkeypatch) == []


def test_what_is_missing_is_made_again_with_the_same_bytes(two: tuple[Path, Path]) -> None:
    home = two[0].parents[1]
    whole = tree(join("fr-en", "es-en"))
    for stage in ("held-out-*", "divided-*", "joined-*", "export-*"):
        before = {path: path.stat().st_mtime_ns for path in home.glob("*-en/joined-*/*.parquet")}
        lost = max(home.glob(f"*-en/{stage}/**/*.parquet"))
        lost.unlink()
        assert tree(join("fr-en", "es-en")) == whole
        after = {path: path.stat().st_mtime_ns for path in home.glob("*-en/joined-*/*.parquet")}
        assert {path for path in before if after[path] != before[path]} <= {lost}


DOCUMENTS = [(f"en/{n}.xml", f"Sentence {n} is long.") for n in range(110)]
PARTS = [("en/one.xml", f"Sentence {n} is long.") for n in range(60)]


def many(pivot: str, sentences: Sequence[tuple[str, str]]) -> list[JudgedPair]:
    """Pairs of sentences of documents, with other halves and other numbers for each pivot."""
    return [
        pair(1_000 + 3 * n, (document, long, f"{pivot} {n} is.", f"{pivot} {n} is long."), pivot)
        for n, (document, long) in enumerate(sentences)
    ]


@pytest.mark.parametrize("sentences", [DOCUMENTS, PARTS], ids=["whole documents", "parts of one"])
def test_a_document_is_in_one_set_whatever_the_pivot(
    write: Write, sentences: list[tuple[str, str]]
) -> None:
    write("fr", many("fr", sentences))
    write("es", many("es", [*sentences[50:], *sentences[:50]]))
    folder = join("fr-en", "es-en", division={"validation": 0.3, "test": 0.3})
    sets: dict[tuple[str, str], list[str]] = {}
    for path in (*(folder / "pairs").glob("*.jsonl"), *(folder / "rejected").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            sets.setdefault((row["document"], row["long"]), []).append(path.name.partition("-")[0])
    assert {len(found) for found in sets.values()} == {2}  # a pair of each pivot
    assert {len({*found}) for found in sets.values()} == {1}
    assert {name for found in sets.values() for name in found} == {"train", "validation", "test"}


def test_the_position_of_a_pair_is_that_of_its_sentence() -> None:
    french, spanish = pair(7, RAIN, "fr"), pair(1, RAIN, "es")
    assert item(french).position == item(spanish).position
    assert JUDGED.records.positions == "sentences"


def test_near_duplicates_and_foreign_test_sets_are_searched_over_all_builds(
    write: Write, tmp_path: Path
) -> None:
    foreign = tmp_path / "test.txt"
    foreign.write_text(f"{TEA[1]}\n", encoding="utf-8")
    long = "It rained all day and all night, so we stayed at home with"
    far = ("en/a.xml", f"{long} tea.", "It rained.", "We stayed at home with tea.")
    near = ("en/b.xml", f"{long} coffee.", "It did rain.", "So nobody left the house.")
    write("fr", [pair(1, far, "fr")])
    write("es", [pair(1, near, "es", "Nights"), pair(2, TEA, "es")])
    division = Division(validation=0, test=0, test_corpora=["Days"], contamination=[foreign])
    folder = join("fr-en", "es-en", division=division)
    assert {row["rejected_by"] for row in rows(folder, "rejected")} == {
        "near-duplicate of test",
        "in test.txt",
    }
    assert TEA[1] in (folder / "contamination.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "changes",
    [
        {"parser": "spacy 3.9 tiny"},
        {"versions": {"python": "3.12.0"}},
        {"engine": "marian model-es@1 direction=es-en beam=1"},
        {"filters": {}},
        {"settings": {"language": "en", "pivot": "es", "filters": RULES}},
        {"settings": {"language": "de", "pivot": "es", "filters": {}}},
        {"settings": {"language": "en", "pivot": "es", "filters": {}, "export": {"best": 0.33}}},
    ],
)
def test_builds_that_were_not_made_alike_are_refused(
    write: Write, changes: dict[str, Any], golden: Golden
) -> None:
    write("fr", [pair(1, RAIN, "fr")])
    write("es", [pair(2, TEA, "es")], **changes)
    with golden.refused(SettingsError):
        check_offline(JoinBuilds(builds=["fr-en", "es-en"]), Site())
    if "parser" in changes:
        card = join("fr-en", "es-en", mixed=True) / "README.md"
        assert "The builds are not alike" in card.read_text(encoding="utf-8")


def test_models_of_pivots_and_processors_may_differ(write: Write) -> None:
    write("fr", [pair(1, RAIN, "fr")], versions={"python": "3.11.7", "processor": "a"})
    write("es", [pair(2, TEA, "es")], versions={"python": "3.11.7", "processor": "b"})
    check_offline(JoinBuilds(builds=["fr-en", "es-en"]), Site())


def spoil(folder: Path) -> None:
    path = folder / "stats.json"
    path.write_text(path.read_text(encoding="utf-8").replace("Days", "Dais"), encoding="utf-8")


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda french, _: builds_of(french)[0].unlink(),
        lambda french, _: builds_of(french)[0].write_bytes(b"PAR1"),
        lambda french, _: (french / "manifest.json").unlink(),
        lambda french, _: spoil(french),
    ],
)
def test_builds_that_cannot_be_read_are_refused(
    two: tuple[Path, Path], spoilt: Callable[[Path, Path], Any], golden: Golden
) -> None:
    spoilt(*two)
    with golden.refused(SettingsError):
        check_offline(JoinBuilds(builds=["fr-en", "es-en"]), Site())


def builds_of(folder: Path) -> list[Path]:
    return sorted(folder.parent.glob("judged-*/*.parquet"))


@pytest.mark.parametrize("names", [["fr-en"], ["fr-en", "fr-en/latest"]])
def test_one_build_is_not_joined(two: tuple[Path, Path], names: list[str]) -> None:
    with pytest.raises(SettingsError, match="needs at least two builds"):
        check_offline(JoinBuilds(builds=names), Site())


@pytest.mark.parametrize(
    ("names", "title"),
    [
        (["fr-en/latest", "es-en"], "join-en: es-en, fr-en"),
        (["fr-en/export-1", "fr-en/export-2", "es-en"], "join-en: es-en, 2 of fr-en"),
    ],
)
def test_the_title_of_a_join_says_how_many_builds_it_has(names: list[str], title: str) -> None:
    assert JoinBuilds(builds=names).title == title


def test_a_join_is_not_joined_again(two: tuple[Path, Path]) -> None:
    join("fr-en", "es-en")
    with pytest.raises(SettingsError, match="was built by another version, or not by"):
        check_offline(JoinBuilds(builds=["join-en"]), Site())


def test_a_join_says_how_code_of_the_users_own_is_allowed(
    write: Write, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_FILTERS", '["none.py:A"]')
    settings = {"language": "en", "filters": {"own": ["mine.py:NoMuseum"]}}
    write("fr", [pair(7, FRENCH[0], "fr")], settings=settings)
    with golden.refused(SettingsError):
        builds.find("fr-en", Site())


def test_corpora_for_test_must_be_in_a_build(two: tuple[Path, Path]) -> None:
    with pytest.raises(
        SettingsError,
        match="division names EMEA, which this build does not read: expected one of Days",
    ):
        check_offline(
            JoinBuilds(builds=["fr-en", "es-en"], division=Division(test_corpora=["EMEA"])), Site()
        )
