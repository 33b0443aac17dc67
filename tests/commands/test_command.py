"""The command line: options from the settings, misspelt ones named, `judge` line for line."""

import contextlib
import importlib.metadata
import io
import json
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import catalogues
import pytest
from messages import Golden, Said

from bitext_pivot.commands.main import main
from bitext_pivot.commands.run import commands_model
from bitext_pivot.syntax.parsing import Parser

ROOT = Path(__file__).parents[2]
RELEASES = "'Europarl' names no release. Write one of the releases with en-fr: Europarl/v8 (latest), Europarl/v7."
PAIRS = [
    "My sister plays the piano, and my brother washes the car.\t"
    "My sister plays the piano. <SEP> My brother washes the car.",
    "The train was late.We waited in the cold.\tThe train was late. <SEP> We waited in the cold.",
    "no pair\twith\tfour\tcells",
    "The old bridge, which was closed, opened again.\tThe old bridge was closed. <SEP> A long list of names.",
    "She cooks rice because he likes it.\tShe cooks rice. <SEP> He likes it.",
]


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What `judge` makes of the pairs above."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    (tmp_path / "pairs.tsv").write_text("\n".join(PAIRS) + "\n", encoding="utf-8")
    assert (
        main(["judge", str(tmp_path / "pairs.tsv"), "--output", str(tmp_path / "out.jsonl")]) == 0
    )
    return [
        json.loads(line)
        for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def test_judge_explains_each_pair_and_says_what_checked_its_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    (tmp_path / "pairs.tsv").write_text("\n".join(PAIRS) + "\n", encoding="utf-8")
    assert (
        main(["judge", str(tmp_path / "pairs.tsv"), "--explain", "--filters.preset", "rules"]) == 0
    )
    assert len(
        (tmp_path / "pairs.tsv.judged.jsonl").read_text(encoding="utf-8").splitlines()
    ) == len(PAIRS)
    printed = capsys.readouterr().out
    titles = [line.strip() for line in printed.splitlines() if line.startswith("Line ")]
    verdicts = ["kept", "rejected by pasted", "rejected by unreadable", "rejected by verbs", "kept"]
    assert titles == [f"Line {number}: {verdict}" for number, verdict in enumerate(verdicts, 1)]
    (row,) = (line for line in printed.splitlines() if "pasted" in line and "rejects" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "pasted",
        "1",
        "at most 0",
        "rejects",
    ]
    assert "No model checked that both sides say the same." in printed
    assert "Parser: en_core_web_sm" in printed


def test_judge_writes_verdict_labels_and_needed_scores_per_line(
    judged: list[dict[str, Any]],
) -> None:
    assert [line["line"] for line in judged] == [1, 2, 3, 4, 5]
    assert [line["rejected_by"] for line in judged] == [None, "pasted", "unreadable", "verbs", None]
    problem = "expected `long` and `s1 <SEP> s2`, or `long`, `s1` and `s2`. Name the columns in the first line"
    assert judged[2] == {"line": 3, "rejected_by": "unreadable", "problem": problem}
    for line in (judged[0], judged[1], judged[3], judged[4]):
        labels = line["edit_labels"]
        assert len(labels["source"]) == len(labels["target"]) == len(labels["delta"])
        assert line["category"] in {
            "Direct Insertion",
            "Changes Near Split",
            "Changes Across Sentence",
        }
    assert (judged[0]["category"], judged[0]["construction"]) == (
        "Direct Insertion",
        "conjunction with subject",
    )
    assert "bertscore" in judged[0]["scores"] and "bertscore" not in judged[1]["scores"]


WHOLE = "He slept well.\tHe slept well. <SEP> Cats purr.\n"


@pytest.mark.parametrize(("pairs", "is_warned"), [(PAIRS[3:4], True), (PAIRS[3:], False)])
def test_judge_warns_when_it_keeps_nothing(
    pairs: list[str],
    is_warned: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    (tmp_path / "pairs.tsv").write_text("\n".join(pairs) + "\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert main(["judge", str(tmp_path / "pairs.tsv"), "--filters.preset", "rules"]) == 0
    assert ("was kept" in caplog.text) == is_warned


def test_judge_reads_standard_input_and_writes_beside_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pairs.tsv").write_text(WHOLE, encoding="utf-8")
    before = os.dup(0)
    try:
        with Path("pairs.tsv").open("rb") as pairs:
            os.dup2(pairs.fileno(), 0)
        assert main(["judge", "-", "--filters.preset", "rules"]) == 0
    finally:
        os.dup2(before, 0)
        os.close(before)
    (line,) = Path("judged.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["long"] == "He slept well."


@pytest.mark.parametrize(
    ("language", "pipeline"), [("de", "de_core_news_sm"), ("es", "es_core_news_sm")]
)
def test_judge_parses_another_language_by_its_pipeline(
    language: str,
    pipeline: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refused: Said,
) -> None:
    (tmp_path / "pairs.tsv").write_text("a b c.\ta b. <SEP> c.\n", encoding="utf-8")
    arguments = [
        str(tmp_path / "pairs.tsv"),
        "--output",
        str(tmp_path / "out.jsonl"),
        "--language",
        language,
    ]
    assert f"python -m spacy download {pipeline}" in refused("judge", *arguments)
    assert not (tmp_path / "out.jsonl").exists()


LONG = "x" * 300
REFUSALS = [
    "build",
    "unfuse",
    "mine",
    "explicitate",
    "build --pivto fr",
    "build --translation.engin echo",
    "judge x.tsv --outptu y",
    "mine --fusion.profile strict",
    "biuld",
    "build --pivot xx",
    "build --pivot en",
    "build --corpora Europarl/v8/raw",
    "build --corpora Europarl",
    "plan --corpora Europarl",
    "build --pivot french",
    "build --filters.advanced.overlap.min_overlap 1.5",
    "build --filters.advanced.no_museum.max_words 3",
    "build --filters.advanced.nmes.max_changed 3",
    "plan --shard_rows 0",
    "build --parser quickstart/models/spacy-en-ud",
    "build --parser=models",
    "build --preset paper-fr-em",
    "build --preset ./none.json",
    "models en it",
    "plan --pivot english --own mine.en",
    "plan --own {'kind':'lines'}",
    "plan --corpora=[Tiny/v1",
    "models pl de",
    "unfuse --preset eng",
    "unfuse --corpora Europarl",
    "unfuse --language fi",
    "unfuse --fusion.profile strickt",
    "mine --selection.min_count 0",
    "join",
    "join --preset paper-e",
    "join --presets paper-fr",
    "join --presets paper-en-fr",
    "explicitate --preset demoo",
    "explicitate --language fr",
    "explicitate --pivots fr",
    "judge none.tsv --output out.jsonl",
    f"judge {LONG}",
    f"judge none.tsv --output {LONG}/out.jsonl",
    f"show {LONG}",
    "verify data/fr-en/latest",
    "build --from-card README.md",
    f"plan --pivot fr --own {LONG}.csv",
    f"plan --preset {LONG}",
    f"plan --division.test_documents {LONG}",
    f"plan --parser.pipeline ./{LONG}",
    f"plan --translation.model ./{LONG}",
    "catalogue fr",
    "catalogue french English",
    "catalogue fr fr",
    "catalogue fr enn",
    "catalogue fr en --corpus Europral",
]


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("arguments", REFUSALS, ids=str)
def test_unusable_arguments_are_refused_in_one_line(
    arguments: str, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    with pytest.raises(SystemExit) as ended:
        sys.exit(main(arguments.split()))
    assert ended.value.code == 2
    *usage, line = capsys.readouterr().err.splitlines()
    assert not usage or usage[0].startswith("usage: ")
    golden.same(line)
    assert not Path("out.jsonl").exists()


HEAVY = (
    "prefect", "httpx", "torch", "spacy", "transformers", "ctranslate2", "matplotlib", "sacremoses", "pyarrow",
    "huggingface_hub", "opustools", "bert_score", "lemminflect",
)  # fmt: skip
QUICK = [
    ["--help"], ["build", "--help"], ["build", "--pivto", "fr"], ["build", "--pivot", "en"], ["catalogue", "fr"],
    ["catalogue", "fr", "en"], ["unfuse", "--help"], ["mine", "--help"], ["explicitate", "--help"],
    ["judge", "--help"], ["sample", "--help"], ["evaluate", "--help"], ["train", "--help"], ["apply", "--help"],
    ["serve", "--help"], ["completion", "bash"], ["build", "--help-all"], ["--help-all"], ["catalogue", "--presets"],
    ["join", "--help"], ["join", "--presets", "paper-fr"],
    ["build", "--corpora", "Europarl"],
]  # fmt: skip
LIGHT = [
    [],
    ["--help"],
    ["-h"],
    ["--halp"],
    ["--version"],
    ["biuld"],
    ["--pivot", "fr", "build"],
    ["help", "build"],
    [""],
]


@pytest.mark.usefixtures("offline")
def test_help_typing_errors_and_the_catalogue_load_no_heavy_library() -> None:
    script = (
        "import contextlib, sys\nfrom bitext_pivot.commands.main import main\n"
        f"for arguments in {QUICK!r}:\n    with contextlib.suppress(SystemExit):\n        main(arguments)\n"
        f"sys.exit(' '.join(name for name in {HEAVY!r} if name in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (0, [f"bitext-pivot: {RELEASES}"])
    assert "OpenSubtitles" in done.stdout or "Europarl" in done.stdout


def test_a_command_line_without_a_command_imports_the_standard_library_alone() -> None:
    script = (
        "import contextlib, sys\nbefore = set(sys.modules)\nfrom bitext_pivot.commands.main import main\n"
        f"for arguments in {LIGHT!r}:\n    with contextlib.suppress(SystemExit):\n        main(arguments)\n"
        "names = {name.partition('.')[0] for name in set(sys.modules) - before} - {'bitext_pivot'}\n"
        "sys.exit(' '.join(names - sys.stdlib_module_names) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (
        0,
        ["bitext-pivot: error: There is no command ''. --help lists them."],
    )


def test_a_command_imports_its_own_form_alone() -> None:
    script = (
        "import contextlib, sys\nfrom bitext_pivot.commands.main import main\n"
        "with contextlib.suppress(SystemExit):\n    main(['catalogue', 'fr'])\n"
        "sys.exit(' '.join(name for name in sys.modules if name.startswith('bitext_pivot.commands.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    names = {name.removeprefix("bitext_pivot.commands.") for name in done.stderr.split()[-6:]}
    assert names == {"main", "command_line", "command_parser", "custom_code", "run", "catalogue"}


def test_a_command_line_without_a_command_lists_all(refused: Said) -> None:
    shown = refused()
    summaries = {
        name: field.description or "" for name, field in commands_model().model_fields.items()
    }
    assert all(name in shown and summary.split()[0] in shown for name, summary in summaries.items())


@pytest.mark.parametrize(("arguments", "says_so"), [
    (["build", "--pivot", "xx"], True), (["train"], True), (["build", "--help"], False), (["catalogue", "fr"], False),
    (["--help"], False), (["biuld"], False),
])  # fmt: skip
def test_what_takes_long_says_at_once_in_a_terminal_that_it_starts(
    arguments: list[str],
    says_so: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with contextlib.suppress(SystemExit):
        main(arguments)
    assert (
        capsys.readouterr().err.startswith(f"bitext-pivot {arguments[0]}: starting ...\n")
        is says_so
    )


@pytest.mark.parametrize(
    "command",
    ["catalogue", "plan", "build", "unfuse", "mine", "explicitate", "join", "judge", "models"],
)
def test_every_command_has_help_that_fits_80_columns(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in ([command, "--help"], ["--help"]):
        with pytest.raises(SystemExit, match=r"^0$"):
            main(arguments)
    overview = capsys.readouterr().out.partition("usage: bitext-pivot COMMAND ")[2]
    assert re.search(rf"^    {command}  +[A-Z]\w+ ", overview, re.MULTILINE)
    assert max(map(len, overview.splitlines())) <= 80


def test_the_usage_names_what_is_given_by_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    for command, usage in {"judge": "judge FILE", "show": "show [FOLDER]"}.items():
        with pytest.raises(SystemExit, match=r"^0$"):
            main([command, "--help"])
        first = capsys.readouterr().out.partition("\n")[0]
        assert first == f"usage: bitext-pivot {usage} [OPTIONS]"


def test_the_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bitext-pivot {importlib.metadata.version('bitext-pivot')}\n"


@pytest.mark.usefixtures("offline")
def test_a_language_pair_without_a_preset_needs_its_model(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    refused: Said,
    done: Said,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    opus = ROOT / "quickstart" / "own"
    arguments = ["plan", "--pivot", "pl", "--own", str(opus / "news"), *PARSER]
    assert main(arguments) == 2
    assert "own" in capsys.readouterr().err  # there is no news.pl
    polish = "Pociąg odjechał punktualnie, ale przyjechał dwadzieścia minut później.\n"
    (tmp_path / "news.pl").write_text(polish, encoding="utf-8")
    english = "The train left on time. It arrived twenty minutes late.\n"
    (tmp_path / "news.en").write_text(english, encoding="utf-8")
    arguments[4] = str(tmp_path / "news")
    assert (
        "'Helsinki-NLP/opus-mt-pl-en' (--translation.model) is neither a local folder"
        in refused(*arguments)
    )
    model = tmp_path / "model"
    shutil.copytree(ROOT / "quickstart" / "models" / "marian-frdees-en", model)
    stated = json.loads((model / "tokenizer_config.json").read_text(encoding="utf-8"))
    (model / "tokenizer_config.json").write_text(
        json.dumps(stated | {"source_lang": "pol"}), encoding="utf-8"
    )
    printed = done(*arguments, "--translation.model", str(model))
    assert printed.startswith("pl-en: news/v1\n") and "Europarl" not in printed


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small catalogue, and nothing else of OPUS."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BITEXT_PIVOT_CATALOGUE", str(catalogues.write(tmp_path / "opusdata.db")))
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.usefixtures("offline")
def test_catalogue_lists_every_release_by_its_name(done: Said) -> None:
    lines = [" ".join(line.split()) for line in done("catalogue", "fr", "en").splitlines()]
    europarl = [line for line in lines if line.startswith("Europarl")]
    assert europarl == [
        "Europarl v8 * 10 2,100 0.0M / 0.0M 93.2 kB 1.5 MB 15.4 MB 307.2 kB - 1.6 MB unknown",
        "Europarl v7 9 2,000 0.0M / 0.0M 92.2 kB 1.5 MB - - - 1.6 MB unknown",
    ]
    assert "latest" not in " ".join(europarl) and any(
        line.startswith("* flagged as the latest by OPUS.") for line in lines
    )


@pytest.mark.usefixtures("offline")
def test_the_catalogue_fits_80_columns(done: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitext_pivot.core.standard_output.columns", lambda: 80)
    printed = done("catalogue", "fr", "en")
    assert max(map(len, printed.splitlines())) <= 80 and "…" not in printed
    rows = [line.split() for line in printed.splitlines() if line.startswith("  Europarl")]
    assert rows == [
        ["Europarl", "v8", "*", "2,100", "1.6", "MB", "unknown"],
        ["Europarl", "v7", "2,000", "1.6", "MB", "unknown"],
    ]


@pytest.mark.usefixtures("offline")
def test_the_catalogue_ends_with_the_largest_corpora_on_a_terminal(
    done: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def corpora(printed: str) -> list[list[str]]:
        rows = [line.split()[:2] for line in printed.splitlines() if re.match(r"  \w", line)]
        return [row for row in rows if row != ["corpus", "release"]]

    largest_first = corpora(done("catalogue", "fr", "en"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert corpora(done("catalogue", "fr", "en")) == largest_first[::-1]


@pytest.mark.usefixtures("offline")
def test_the_catalogue_as_json_has_one_object_per_line(done: Said) -> None:
    entries = [
        json.loads(line)
        for line in done("catalogue", "en", "fr", "--corpus", "europarl", "--json").splitlines()
    ]
    assert [(entry["release"], entry["bytes"]["links"]) for entry in entries] == [
        ("v8", 91 * 1024),
        ("v7", 90 * 1024),
    ]


def test_catalogue_lists_the_presets(done: Said) -> None:
    assert "paper-fr-en" in done("catalogue", "--presets")
    listed = {
        line["preset"]: line["settings"]
        for line in map(json.loads, done("catalogue", "--presets", "--json").splitlines())
    }
    assert listed["first-de-en"]["extraction"] == {"max_links": 5000}


def test_a_plan_names_everything_that_the_build_would_refuse(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refused: Said,
    golden: Golden,
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    missing = [
        "--parser.pipeline",
        "./none",
        "--translation.model",
        str(tmp_path),
        "--own",
        str(tmp_path / "no.tmx"),
    ]
    golden.same(refused("plan", *missing, "--own", str(tmp_path / "neither.tmx")))


PARSER = ["--parser.pipeline", "quickstart/models/spacy-en-ud"]
MODELS = [*PARSER, "--translation.model", "quickstart/models/marian-frdees-en"]


@pytest.mark.usefixtures("offline")
def test_options_override_the_settings_of_a_preset(done: Said) -> None:
    printed = " ".join(done("plan", *MODELS, "--preset", "first-fr-en").split())
    assert printed.startswith("fr-en: UN/v20090831 ") and "│ about 237 │" in printed
    printed = " ".join(
        done(
            "plan",
            *MODELS,
            "--preset",
            "first-fr-en",
            "--extraction.max_links",
            "100",
            "--shard_rows",
            "10",
        ).split()
    )
    assert "│ about 32 │" in printed and "a shard has about 10" in printed
    assert done(
        "plan", *MODELS, "--preset", "first-fr-en", "--corpora", "Europarl/latest"
    ).startswith("fr-en: Europarl/v8\n")


def test_a_build_uses_its_preset_and_prints_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: Said
) -> None:
    from bitext_pivot.flows.pivot_settings import PivotBitext

    data_set = tmp_path / ("long-" * 30)
    seen: list[PivotBitext] = []

    def build(settings: PivotBitext) -> Path:
        seen.append(settings)
        data_set.mkdir()
        (data_set / "README.md").write_text("the card", encoding="utf-8")
        return data_set

    monkeypatch.setattr("bitext_pivot.flows.pivot_bitext_stages.build", build)
    monkeypatch.setattr("bitext_pivot.tasks.ahead.refusals.check_offline", lambda *_: None)
    assert done("build", "--preset", "first-de-en", "--shard_rows", "7") == f"{data_set}\n"
    (settings,) = seen
    assert type(settings) is PivotBitext  # what the flow is given has no field of the command line
    assert (settings.pivot, settings.corpora, settings.shard_rows) == ("de", ["EUconst/v1"], 7)
    assert settings.extraction.max_links == 5000


@pytest.mark.parametrize(("subset", "division", "status"), [
    ({}, {}, 3), ({"train": 2}, {}, 0), ({"test": 2}, {}, 4), ({"test": 2}, {"test_corpora": ["Tiny"]}, 0),
])  # fmt: skip
def test_a_build_that_keeps_nothing_has_a_status_of_its_own(
    subset: dict[str, int], division: dict[str, Any], status: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "README.md").write_text("the card", encoding="utf-8")
    stats = {
        "title": "de-en: EUconst/v1",
        "counts": {"subset": subset},
        "signature": {"settings": {"division": division}},
        "warning": "Far from their shares",
        "most_lost": "The most frequent reasons for losses: 3 missing document.",
    }
    (tmp_path / "stats.json").write_text(json.dumps(stats), encoding="utf-8")
    monkeypatch.setattr("bitext_pivot.flows.pivot_bitext_stages.build", lambda *_: tmp_path)
    monkeypatch.setattr("bitext_pivot.tasks.ahead.refusals.check_offline", lambda *_: None)
    assert main(["build", "--preset", "first-de-en"]) == status
    printed = capsys.readouterr()
    assert printed.out == f"{tmp_path}\n"
    kept_none = (
        "bitext-pivot: No row was kept. The most frequent reasons for losses: 3 missing document."
    )
    assert (kept_none in printed.err) == (status == 3)
    assert "rejected" not in printed.err
    assert ("bitext-pivot: No row is for training" in printed.err) == (status == 4)
    assert "What was lost? The most frequent reasons for losses: 3 missing document." in printed.err


@pytest.mark.parametrize("own", [
    {"kind": "lines", "name": "a", "language_file": "a.en", "pivot_file": "a.fr"},
    {"kind": "tmx", "name": "a", "file": "a.tmx"},
    {"kind": "moses", "name": "a", "file": "a.zip", "licence": "MIT"},
    {"kind": "table", "name": "a", "file": "a.csv", "columns": {"en": "x", "fr": "y"}},
], ids=str)  # fmt: skip
def test_own_bitext_is_saved_with_its_kind(own: dict[str, Any], tmp_path: Path) -> None:
    from bitext_pivot.commands.build import BuildForm
    from bitext_pivot.flows import presets
    from bitext_pivot.flows.pivot_settings import PivotBitext

    settings = PivotBitext.model_validate({"pivot": "de", "corpora": [], "own": [own]})
    presets.save(settings, tmp_path / "build.json")
    read = BuildForm.model_validate({"preset": str(tmp_path / "build.json")})
    assert PivotBitext(**read.form_values()) == settings


@pytest.mark.parametrize(("option", "hidden"), [("--help", True), ("--help-all", False)])
def test_the_help_has_options_that_people_use_and_all_on_request(
    option: str, hidden: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["build", option])
    shown = capsys.readouterr().out
    assert all(
        f"  {name} " in shown
        for name in ("--pivot", "--corpora", "--filters.preset", "--translation.model")
    )
    assert not re.search(r"\bnull\b|None\)|default: \)", shown)
    assert "--log-level {debug,info,warning,error}" in shown
    groups = re.findall(r"^  (--\S+) \[JSON\]", shown, re.MULTILINE)
    assert groups == ["--export.statement"] * (not hidden)
    assert ("--filters.advanced.numbers.max_changed" not in shown) is hidden
    assert not hidden or len(re.findall(r"^  --", shown, re.MULTILINE)) <= 32


MISTAKES = {
    "judge no.tsv --output out": "no.tsv cannot be read",
    "judge README.md --output out": "README.md names columns in row",
    "judge tests/documents.toml --output out --language xx": "--language: ",
    "evaluate no.txt --source no.txt --references no.txt": "no.txt cannot be read",
    "build --corpora Europral/v8": "'Europral' is not a corpus of OPUS",
    "build --own no.tmx --translation.model ./none": "'no.tmx' is not there",
    "unfuse --corpora Europral/v8": "Did you mean 'Europarl/v8'",
    "unfuse --own no.jsonl": "'no.jsonl' of no is not there",
    "join --builds none": "builds names 'none', but there is no finished data set",
    "explicitate --corpora None/v1": "'None' is not a corpus of OPUS",
    "train --task split --data none": "data names 'none'",
    "sample none": "none has no finished data set",
}
"""What users get wrong, and what they are told."""
_TRY = """
import sys
from bitext_pivot.commands.main import main
for line in sys.argv[1:]:
    print(main(line.split()), file=sys.stderr)
    print(*{"prefect", "torch", "spacy", "transformers"} & sys.modules.keys(), file=sys.stderr)
"""


def test_mistakes_are_found_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    """The catalogue is a small one, and no server of OPUS answers."""
    names = ("xml/en-fr", "xml/de-en", "xml/en-es", "raw/en")
    rows = [catalogues.row(f"Europarl/v8/{name}", 100, 9) for name in names]
    environment = os.environ | {
        "BITEXT_PIVOT_HOME": str(tmp_path), "BITEXT_PIVOT_OPUS": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1",
        "BITEXT_PIVOT_CATALOGUE": str(catalogues.write(tmp_path / "opusdata.db", rows)), "HF_HUB_OFFLINE": "1",
    }  # fmt: skip
    command = [sys.executable, "-c", _TRY, *MISTAKES]
    printed = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stderr
    said = [
        line
        for line in printed.splitlines()
        if not line.startswith("bitext-pivot: ") and " | bitext-pivot | Building " not in line
    ]
    said = [line for line in said if " | bitext-pivot | Beginning to train " not in line]
    assert said == ["2", ""] * len(MISTAKES)
    assert [words for words in MISTAKES.values() if words not in printed] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_and_options(shell: str, done: Said) -> None:
    script = done("completion", shell)
    assert all(word in script for word in ("explicitate", "shard_rows", "log-level"))


def test_completion_shows_whole_descriptions(capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "fish"])
    (line,) = (
        line
        for line in capsys.readouterr().out.splitlines()
        if "using build' -l parser.pipeline" in line
    )
    description = " ".join((Parser.model_fields["pipeline"].description or "").split())
    assert "working directory)" in description and description in line


def test_bash_completes_a_command_and_an_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    main(["completion", "bash"])
    (tmp_path / "script").write_text(capsys.readouterr().out, encoding="utf-8")
    typed = "".join(
        f"COMP_WORDS=({line}); COMP_CWORD={line.count(' ')}; COMPREPLY=(); _shtab_bitext_pivot; echo ${{COMPREPLY[@]}};"
        for line in ("bitext-pivot cat", "bitext-pivot build --pivot fr --cor")
    )
    done = subprocess.run(
        ["bash", "-c", f". {tmp_path}/script; {typed}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["catalogue", "--corpora"]


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "bitext_pivot", "completion", "zsh"]
    done = subprocess.run(
        command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.parametrize(("line", "target"), [
    ("--version", "/dev/full"), ("--help", "&-"), ("judge --help", "/dev/full"), ("completion zsh", "&-"),
])  # fmt: skip
def test_output_that_cannot_be_written_is_one_line_and_a_status(line: str, target: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m bitext_pivot {line} >{target}"
    done = subprocess.run(
        command, shell=True, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 1
    assert re.fullmatch("bitext-pivot: standard output .*\n", done.stderr)


def test_letters_that_an_encoding_lacks_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ŵ.txt").write_text("It rained. We stayed.\n", encoding="utf-8")
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, "latin-1"))
    assert main(["evaluate", "ŵ.txt", "--source", "ŵ.txt", "--references", "ŵ.txt"]) == 0
    assert b"\\u0175" in printed.getvalue()


def test_without_the_extra_of_training_all_other_flows_are_imported() -> None:
    script = (
        "import sys\nfor name in 'accelerate', 'sentence_transformers':\n    sys.modules[name] = None\n"
        "from bitext_pivot.commands.main import main\nfrom bitext_pivot.deployments import definitions\n"
        "definitions.deployments()\nsys.exit(main(['train', '--task', 'split', '--data', 'none']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (
        2,
        "",
    ) and "pip install 'bitext-pivot[research]'" in done.stderr
