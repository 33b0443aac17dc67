"""Parsing: one stream, order kept, every text either parsed or counted."""

import dataclasses
import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import pair
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.syntax import parsing
from bitext_pivot.syntax.parsing import Parser, SpacyPipeline, _heads, load_pipeline, parse_pairs

MODEL = Path(__file__).parents[2] / "quickstart" / "models" / "spacy-en-ud"
pytestmark = pytest.mark.quickstart


def test_a_sentence_is_parsed_with_all_its_columns(pipeline: SpacyPipeline) -> None:
    (parsed,), skips = parse_pairs(
        [pair("The cats slept because it rained.", "The cats slept.", "It rained.")], pipeline
    )
    long = parsed.long
    assert not skips
    assert long.tokens == ("The", "cats", "slept", "because", "it", "rained", ".")
    assert long.starts == (0, 4, 9, 15, 23, 26, 32)
    assert long.lemmas[1] == "cat"
    assert (long.tags[5], long.pos[5], long.deps[5], long.heads[5]) == ("VBD", "VERB", "advcl", 2)
    assert "VerbForm=Fin" in long.morphs[5]
    assert long.morphs[6] == ""
    assert long.scheme == "ud"
    assert parsed.split[1].tokens == ("It", "rained", ".")


def test_the_signature_is_known_without_loading_and_changes_with_every_file(
    pipeline: SpacyPipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "_load_spacy", None)
    parser = Parser(pipeline=str(MODEL))
    assert parsing.pipeline_signature(parser, "en") == pipeline.signature
    assert (
        parsing.pipeline_signature(parser.model_copy(update={"longest": 9}), "en")
        != pipeline.signature
    )
    for name in ("meta.json", "config.cfg", "vocab/strings.json", "notes.txt"):
        folder = tmp_path / name.replace("/", "-")
        shutil.copytree(MODEL, folder)
        with (folder / name).open("ab") as file:
            file.write(b" ")
        assert parsing.pipeline_signature(Parser(pipeline=str(folder)), "en") != pipeline.signature


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "meta.json").unlink(), lambda folder: (folder / "config.cfg").unlink(),
        lambda folder: (folder / "meta.json").write_text("[]"), lambda folder: (folder / "meta.json").write_text("{"),
        lambda folder: (folder / "meta.json").write_text('{"lang": "en"}'),
        lambda folder: (folder / "meta.json").write_bytes(b"\xff\xfe"),
    ],
)  # fmt: skip
def test_a_folder_that_is_no_pipeline_has_no_signature(
    damage: Callable[[Path], object], tmp_path: Path, golden: Golden
) -> None:
    folder = tmp_path / "parser"
    shutil.copytree(MODEL, folder)
    damage(folder)
    with golden.refused(SettingsError):
        parsing.pipeline_signature(Parser(pipeline=str(folder)), "en")


def test_order_is_kept_and_equal_texts_get_equal_parses(
    pipeline: SpacyPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "BATCH_SIZE", 7)
    pairs = [pair(f"Number {n} came.", "It came.", f"It was {n % 3}.") for n in range(40)]
    parsed, _ = parse_pairs(pairs, pipeline)
    assert [one.pair for one in parsed] == pairs
    assert all(one.pair is mine for one, mine in zip(parsed, pairs, strict=True))
    assert [one.long.tokens[1] for one in parsed] == [str(n) for n in range(40)]
    assert [one.split[1].tokens[2] for one in parsed] == [str(n % 3) for n in range(40)]
    assert parsed[0].split[0] is parsed[39].split[0]


BAD = {
    "a NUL": ("a\0b", "unparsable text"),
    "a lone surrogate": ("a \ud800 b", "unparsable text"),
    "too long": ("word " * 1001, "unparsable text"),
    "empty": ("", "text without tokens"),
    "blank": (" \n\t\u00a0", "text without tokens"),
}


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_text_is_a_counted_skip(pipeline: SpacyPipeline, name: str, place: int) -> None:
    text, reason = BAD[name]
    sides = ["We ran.", "They ran.", "You ran."]
    sides[place] = text
    good = pair("I ran.", "He ran.", "She ran.")
    parsed, skips = parse_pairs([good, pair(*sides), good], pipeline)
    assert [one.pair for one in parsed] == [good, good]
    assert skips == Counter({reason: 1})


def test_a_text_of_just_the_allowed_length_is_parsed(pipeline: SpacyPipeline) -> None:
    assert len(parse_pairs([pair("I ran. " + "x" * 4993, "a", "b")], pipeline)[0]) == 1


def test_spaces_are_no_tokens_and_heads_look_past_them(pipeline: SpacyPipeline) -> None:
    (parsed,), _ = parse_pairs(
        [pair("  I  saw\t\tyou \n there .", "I saw you.", "You saw me.")], pipeline
    )
    assert parsed.long.tokens == ("I", "saw", "you", "there", ".")
    assert [parsed.pair.long[start] for start in parsed.long.starts] == ["I", "s", "y", "t", "."]
    assert all(0 <= head < 5 for head in parsed.long.heads)


def test_what_hangs_from_a_space_hangs_from_its_head(pipeline: SpacyPipeline) -> None:
    from spacy.tokens import Doc

    words = ["I", " ", "see", "\t", "you", "\n", "."]
    doc = Doc(pipeline.nlp.vocab, words=words, heads=[1, 2, 2, 2, 3, 5, 5], deps=["dep"] * 7)
    assert _heads(doc, [0, 2, 4, 6]) == (1, 1, 1, 3)


def test_unicode_keeps_its_offsets(pipeline: SpacyPipeline) -> None:
    text = "Zoë’s naïve 𝔘ncle ate 寿司 😀 ."
    (parsed,), _ = parse_pairs([pair(text, "I ran.", "I ran.")], pipeline)
    for token, start in zip(parsed.long.tokens, parsed.long.starts, strict=True):
        assert text[start : start + len(token)] == token


def test_progress_is_told_of_every_pair(pipeline: SpacyPipeline) -> None:
    told: list[int] = []
    parse_pairs([pair("I ran.", "a", "b"), pair("a\0", "b", "c")], pipeline, progress=told.append)
    assert sum(told) == 2
    assert parse_pairs([], pipeline) == ([], Counter())


def test_other_weights_of_a_package_of_the_same_version_change_the_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, weights = tmp_path / "en_probe", Path("en_ud-0") / "tok2vec" / "model"
    shutil.copytree(MODEL, package / "en_ud-0")
    meta = json.loads((MODEL / "meta.json").read_text(encoding="utf-8")) | {
        "lang": "en",
        "name": "ud",
        "version": "0",
    }
    (package / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    loads = "from spacy.util import load_model_from_init_py\ndef load(**options):\n"
    (package / "__init__.py").write_text(
        f"{loads}    return load_model_from_init_py(__file__, **options)\n", encoding="utf-8"
    )
    (tmp_path / "en_probe-0.dist-info").mkdir()
    (tmp_path / "en_probe-0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: en-probe\nVersion: 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    before = load_pipeline(Parser(pipeline="en_probe"), "en").signature
    # The digest is unchanged although there is bytecode now.
    assert load_pipeline(Parser(pipeline="en_probe"), "en").signature == before
    content = bytearray((package / weights).read_bytes())
    content[len(content) // 2] ^= 1
    (package / weights).write_bytes(content)
    assert load_pipeline(Parser(pipeline="en_probe"), "en").signature != before


REFUSED = {
    "not installed": ("en", "en_core_web_xx"),
    "the small default": ("pt", None),
    "no default": ("ga", None),
    "no folder": ("en", "models/nothing"),
    "another language": ("fr", str(MODEL)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_unusable_pipeline_is_refused_with_what_to_do(case: str, golden: Golden) -> None:
    language, name = REFUSED[case]
    with golden.refused(SettingsError):
        load_pipeline(Parser(pipeline=name), language)


@pytest.mark.parametrize(
    "dropped",
    [
        "parser",
        "trainable_lemmatizer",
        "morphologizer",
    ],
)
def test_a_pipeline_without_a_needed_part_is_refused(
    tmp_path: Path, dropped: str, golden: Golden
) -> None:
    import spacy

    spacy.load(MODEL, exclude=[dropped]).to_disk(tmp_path / "p")
    with golden.refused(SettingsError):
        load_pipeline(Parser(pipeline=str(tmp_path / "p")), "en")


def test_labels_of_no_known_inventory_are_refused(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr("bitext_pivot.syntax.parsing.detect_scheme", lambda labels: None)
    with golden.refused(SettingsError):
        load_pipeline(Parser(pipeline=str(MODEL)), "en")


def test_a_pipeline_with_a_short_limit_skips_long_texts(pipeline: SpacyPipeline) -> None:
    old = pipeline.nlp.max_length
    try:
        pipeline.nlp.max_length = 10
        parsed, skips = parse_pairs(
            [pair("This is far too long.", "a", "b")], dataclasses.replace(pipeline)
        )
    finally:
        pipeline.nlp.max_length = old
    assert (parsed, skips) == ([], Counter({"unparsable text": 1}))


@pytest.mark.parametrize(
    ("component", "is_gpu", "ends_in"),
    [("transformer", True, " cuda"), ("transformer", False, ""), ("something_else", True, "")],
)
def test_a_transformer_is_loaded_once_for_the_gpu_where_possible(
    component: str,
    is_gpu: bool,
    ends_in: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Golden,
) -> None:
    import spacy
    from spacy.language import Language

    Language.component(component, func=lambda doc: doc)
    nlp = spacy.load(MODEL)
    nlp.add_pipe(component)
    nlp.to_disk(tmp_path / "parser")
    calls: list[object] = []
    start = parsing._load_spacy

    def loaded(name: str) -> object:
        calls.append(name)
        return start(name)

    monkeypatch.setattr(parsing, "_load_spacy", loaded)
    monkeypatch.setattr(spacy, "prefer_gpu", lambda: is_gpu)
    monkeypatch.delenv("BITEXT_PIVOT_DEVICE", raising=False)
    signature = load_pipeline(Parser(pipeline=str(tmp_path / "parser")), "en").signature
    assert (len(calls), signature) == (1, f"{signature.removesuffix(' cuda')}{ends_in}")
    if (component, is_gpu) == ("transformer", False):
        with golden.refused(SettingsError):
            load_pipeline(Parser(pipeline=str(tmp_path / "parser")), "en", "cuda")
