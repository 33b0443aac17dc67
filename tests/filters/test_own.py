"""Filters from outside: what loads them, what a chain does with them, and what is refused in one line."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories import unparsed
from messages import Golden
from pydantic import ValidationError

from bitext_pivot.commands import custom_code
from bitext_pivot.commands.run import add_own_settings, command_line_source
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import ScoredPair
from bitext_pivot.filters.base import RuleFilter, Runtime
from bitext_pivot.filters.chain import Filters, FilterSettings
from bitext_pivot.filters.presentation import score_names, slider_data
from bitext_pivot.filters.view import View

CODE = '''
from typing import ClassVar

from bitext_pivot.filters.base import ModelFilter, RuleFilter


class NoMuseum(RuleFilter):
    """The number of texts that name a museum."""

    max_texts: int = 0
    """Maximum number of them."""

    def measure(self, pair):
        return sum("museum" in text for text in pair.texts)


class Even(ModelFilter):
    """A number of a model."""

    PARTS: ClassVar = ("part",)

    def compare(self, keys, language, runtime):
        return [[0.5] for _ in keys]

    def load(self, language, runtime):
        return ""

    def signature(self, runtime):
        return "even"


class Unfinished(RuleFilter):
    """Measures nothing."""


class Names(RuleFilter):
    """Has the name of another."""

    def measure(self, pair):
        return 0.0


class Required(Names):
    """Has a setting without a default."""

    max_x: int


number = 5
'''
MUSEUM = unparsed("The museum opened and the dog ran.", "The museum opened.", "The dog ran.")
CAT = unparsed("The cat slept and the dog ran.", "The cat slept.", "The dog ran.")
NAME = "mine.py:NoMuseum"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a file of filters; the user has named none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BITEXT_PIVOT_FILTERS", "[]")
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def chosen(folder: Path) -> Callable[..., Filters]:
    """Return filters of which the user has named some own ones on a command line."""

    def choose(*names: str, preset: str = "rules", **advanced: Any) -> Filters:
        custom_code.allowed([word for name in names for word in ("--filters.own", name)])
        values = {"preset": preset, "own": list(names), "advanced": advanced}
        return Filters.model_validate(values)

    return choose


def verdicts(filters: Filters) -> list[str | None]:
    scores = filters.rule_scores([MUSEUM, CAT])
    own = {"no_museum": filters.thresholds()["no_museum"]["max_texts"]}
    return [
        next((name for name, most in own.items() if by_name[name] > most), None)
        for by_name in scores
    ]


@pytest.mark.parametrize("preset", ["rules", "paper", "strict", "checked"])
def test_a_class_of_a_file_runs_under_any_preset(
    preset: str, chosen: Callable[..., Filters]
) -> None:
    filters = chosen(NAME, preset=preset)
    assert "no_museum" in filters.active() and "no_museum" in score_names(filters.active())
    assert [row["no_museum"] for row in filters.rule_scores([MUSEUM, CAT])] == [2, 0]
    assert verdicts(filters) == ["no_museum", None]
    assert verdicts(chosen(NAME, no_museum={"max_texts": 2})) == [None, None]


def test_rules_run_before_models_and_models_before_the_judge(
    chosen: Callable[..., Filters],
) -> None:
    filters = chosen(
        NAME, "mine.py:Even", preset="paper", even={"model": "x"}, judge={"model": "m"}
    )
    names = [*filters.active()]
    assert names == ["pasted", "components", "verbs", "overlap", "no_museum", "bertscore", "even", "judge"]  # fmt: skip
    assert slider_data(filters.active(), filters)["last"] == ["judge"]


def test_a_threshold_without_bounds_is_a_slider(chosen: Callable[..., Filters]) -> None:
    assert slider_data(chosen(NAME).active(), chosen(NAME))["bounds"]["no_museum"] == {
        "max_texts": {"type": "integer"}
    }


def test_changed_code_has_another_signature_and_gives_other_verdicts(
    folder: Path, chosen: Callable[..., Filters], runtime: Runtime
) -> None:
    before = chosen(NAME)
    assert chosen(NAME) == before and chosen(NAME).signature(runtime) == before.signature(runtime)
    changed = CODE.replace('"museum" in', '"cat" in')
    (folder / "mine.py").write_text(changed, encoding="utf-8")
    after = chosen(NAME)
    assert verdicts(after) == [None, "no_museum"]
    signatures = [filters.signature(runtime)["no_museum"] for filters in (before, after)]
    assert len({*signatures}) == 2 and str(folder) not in signatures[0]


def test_stored_numbers_of_a_model_are_those_of_its_code(
    folder: Path, chosen: Callable[..., Filters], runtime: Runtime
) -> None:
    def score() -> float:
        filters = chosen("mine.py:Even", even={"model": "x"})
        return filters.active()["even"].score([CAT], runtime)[0]  # type: ignore[attr-defined,no-any-return]

    assert score() == 0.5
    (folder / "mine.py").write_text(CODE.replace("[0.5]", "[0.25]"), encoding="utf-8")
    assert score() == 0.25


def test_settings_and_filters_survive_json_and_another_process(
    chosen: Callable[..., Filters],
) -> None:
    filters = chosen(NAME, no_museum={"max_texts": 1}, names={"max_changed": 3})
    assert Filters.model_validate(filters.model_dump(mode="json")) == filters
    assert pickle.loads(pickle.dumps(filters)) == filters
    assert filters.model_dump(mode="json", exclude_defaults=True)["own"] == [NAME]
    assert "no_museum" not in FilterSettings.model_fields


def test_settings_of_a_card_or_a_form_load_no_code(folder: Path) -> None:
    (folder / "mine.py").write_text("raise SystemExit('loaded')", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"^filters.own: .*--filters.own {NAME}"):
        Filters.model_validate({"own": [NAME], "advanced": {"no_museum": {"max_texts": 1}}})


REFUSED = {
    "no file": ("nowhere.py:A", "nowhere.py"),
    "no class": ("mine.py:Nothing", "no class 'Nothing'"),
    "a number": ("mine.py:number", "no class"),
    "a function": ("mine.py:print", "no class"),
    "a class of the wrong kind": ("other.py:Path", "not a filter"),
    "a base class": ("mine.py:RuleFilter", "lacks measure"),
    "an abstract class": ("mine.py:Unfinished", "lacks measure"),
    "the name of a built-in one": ("mine.py:Names", "names, but another filter"),
    "a setting without a default": ("mine.py:Required", "max_x"),
    "parts that are no names": ("parts.py:Even", "must be an iterable, not int"),
    "a syntax error": ("syntax.py:A", "SyntaxError"),
    "code that raises": ("raises.py:A", "KeyError"),
    "code that exits": ("exits.py:A", "SystemExit"),
    "a folder": ("folder.py:A", "a folder"),
    "a pipe": ("pipe.py:A", "a named pipe"),
    "a device": ("device.py:A", "a device"),
    "a link to nothing": ("dangling.py:A", "No such file"),
    "no Python": ("binary.py:A", "SyntaxError"),
    "a module": ("os:system", "no installed package"),
    "a package without filters": ("numpy", "no installed package"),
    "nothing": ("", "is code"),
    "a private name": ("odd.py:_Private", "_private, but a setting cannot"),
    "names of pydantic": ("odd.py:Copy", "copy, but a setting cannot"),
    "a reserved name": ("odd.py:ModelCopy", "model_copy, but a setting cannot"),
}
ODD = """
from collections.abc import Callable

from pydantic import TypeAdapter, field_validator

from bitext_pivot.filters.base import RuleFilter


class Zero(RuleFilter):
    \"\"\"0.\"\"\"

    def measure(self, pair):
        return 0.0


class _Private(Zero):
    pass


class Copy(Zero):
    pass


class ModelCopy(Zero):
    pass
"""


@pytest.mark.parametrize(("name", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_filter_is_refused_in_one_line(
    name: str, words: str, folder: Path, chosen: Callable[..., Filters]
) -> None:
    (folder / "other.py").write_text("from pathlib import Path", encoding="utf-8")
    (folder / "syntax.py").write_text("def (", encoding="utf-8")
    (folder / "raises.py").write_text("{}['x\\ny']", encoding="utf-8")
    (folder / "exits.py").write_text("import sys; sys.exit(0)", encoding="utf-8")
    (folder / "odd.py").write_text(ODD, encoding="utf-8")
    (folder / "binary.py").write_bytes(b"\xff\xfe\x00")
    (folder / "folder.py").mkdir()
    (folder / "device.py").symlink_to("/dev/zero")
    (folder / "dangling.py").symlink_to("nowhere.py")
    os.mkfifo(folder / "pipe.py")
    (folder / "parts.py").write_text(f"{CODE}\n\nEven.PARTS = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        chosen(name)
    assert words in str(refused.value) and "\n" not in str(refused.value)


def test_a_filter_without_its_model_is_refused(chosen: Callable[..., Filters]) -> None:
    with pytest.raises(ValidationError, match=r"own names even, .* Set advanced\.even\.model"):
        chosen("mine.py:Even")


def test_two_of_one_name_are_refused_and_a_link_is_its_file(
    folder: Path, chosen: Callable[..., Filters], runtime: Runtime
) -> None:
    with pytest.raises(SettingsError, match="but another filter has this name"):
        chosen(NAME, "./mine.py:NoMuseum")
    (folder / "linked.py").symlink_to("mine.py")
    assert verdicts(chosen("linked.py:NoMuseum")) == ["no_museum", None]


BROKEN = {
    "a score that is a text": "def measure(self, pair): return 'many'",
    "a score that is a truth value": "def measure(self, pair): return True",
    "a score that is a digit": "def measure(self, pair): return '1'",
    "a score that is bytes": "def measure(self, pair): return b'1'",
    "a truth value that is a text": "def accepts(self, score): return 'no'",
    "an error of a build that kept nothing": (
        "def measure(self, pair): from bitext_pivot.core import errors as e; raise e.EmptyError"
    ),
    "an error of a shard": "def measure(self, pair): from bitext_pivot.core import errors as e; raise e.ShardError",
    "a change of its settings": "def measure(self, pair): self.max_x = 5",
    "no number": "def measure(self, pair): return float('nan')",
    "an exit": "def measure(self, pair): exit()",
    "what is no exception": "def measure(self, pair): raise BaseException",
    "the end of a generator": "def measure(self, pair): raise GeneratorExit",
    "an error that raises": "def measure(self, pair): raise type('E', (Exception,), {'__str__': lambda _: 1 / 0})",
    "a long message": "def measure(self, pair): raise ValueError('x' * 5000)",
    "a number too large": "def measure(self, pair): return 10**400",
    "a refused value": "def measure(self, pair): return TypeAdapter(int).validate_python('x')",
    "a file": "def measure(self, pair): open('/nowhere')",
    "a threshold that is a text": "max_x: str = 'a'",
    "a text that is given as a threshold": (
        "@field_validator('max_x', mode='plain')\n    def a(cls, x): return str(x)"
    ),
    "a threshold that is a text in a language": (
        "def for_language(self, *_): return self.model_copy(update={'max_x': 'a'})"
    ),
    "a setting that no form holds": "f: Callable[[], None] = print",
    "a setting that no file holds": "f: object = object()",
    "a validator": "@field_validator('max_x')\n    def a(cls, x): 1 / 0",
    "an exit of a validator": "@field_validator('max_x')\n    def a(cls, x): exit()",
    "what follows validation": "def model_post_init(self, context): 1 / 0",
    "accepts": "def accepts(self, score): 1 / 0",
    "accepts nothing": "def accepts(self, score): return None",
    "thresholds": "def thresholds(self): return 3",
    "what overrules": "def overruled_by(self): return [1]",
    "a language": "def for_language(self, language, device): return None",
    "languages": "def supports_language(self, language): exit()",
    "whether it is on": "@property\n    def is_on(self): return 1 / 0",
    "whether it is equal": "def __eq__(self, other): return 1 / 0",
    "its name": "@classmethod\n    def filter_name(cls): return 1 / 0",
    "no name": "@classmethod\n    def filter_name(cls): return 3",
    "a citation": "def citation(self, runtime): return 3",
    "a key": "def score_settings(self): return None",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_whatever_a_filter_does_is_one_line(
    name: str, folder: Path, chosen: Callable[..., Filters], runtime: Runtime, golden: Golden
) -> None:
    code = f"{ODD}\n\nclass Broken(Zero):\n    max_x: float = 0.5\n    {BROKEN[name]}\n"
    (folder / "odd.py").write_text(code, encoding="utf-8")
    with golden.refused(SettingsError, ValidationError):
        filters = chosen("odd.py:Broken", broken={"max_x": 0.4}).for_language("en", "cpu")
        slider_data(filters.active(), filters)
        filters.citations(runtime)
        filters.scoring_key()
        scores = filters.rule_scores([CAT])[0]
        filters.verdict(ScoredPair(parsed=CAT, scores=scores))
        [filter_.supports_language("en") for filter_ in filters.active().values()]


@pytest.mark.parametrize(
    "numbers", ["[[0.5, 0.5]]", "[0.5]", "[['a']]", "[]", "None", "[[float('nan')]]"]
)
def test_numbers_of_a_model_that_do_not_fit_are_one_line(
    numbers: str, folder: Path, chosen: Callable[..., Filters], runtime: Runtime, golden: Golden
) -> None:
    code = CODE.replace("[[0.5] for _ in keys]", numbers)
    (folder / "mine.py").write_text(code, encoding="utf-8")
    filters = chosen("mine.py:Even", preset="strict", even={"model": "x"})
    with golden.refused(SettingsError):
        filters._score_by_models([ScoredPair(parsed=CAT, scores={})], runtime)


def test_a_filter_may_replace_what_filters_do(folder: Path, chosen: Callable[..., Filters]) -> None:
    code = f"""{ODD}

class Mixed:
    @property
    def is_on(self):
        return self.max_x > 0

    def for_language(self, language, device):
        return self.model_copy(update={{"max_x": 0.1}})


class Able(Mixed, Zero):
    max_x: float = 0.5

    def accepts(self, score):
        return score < 1
"""
    (folder / "odd.py").write_text(code, encoding="utf-8")
    for _ in range(3):
        filters = chosen("odd.py:Able").for_language("en", "cpu")
    assert filters.thresholds()["able"] == {"max_x": 0.1}
    able = filters.active()["able"]
    assert able.is_on and able.accepts(0.5) and not able.accepts(1)
    assert able.accepts.__wrapped__.__code__.co_name == "accepts"  # type: ignore[attr-defined]


def test_texts_of_a_filter_are_no_markup(folder: Path) -> None:
    code = CODE.replace("Maximum number of them.", "100 % of [red]them[/red] %(prog)s.")
    (folder / "mine.py").write_text(code, encoding="utf-8")
    arguments = ["judge", "--help-all", "--filters.own", NAME]
    parser = command_line_source(arguments, ["judge"]).root_parser
    add_own_settings(parser, "judge", custom_code.allowed(arguments))
    assert "100 % of [red]them[/red] %(prog)s." in parser.commands.choices["judge"].format_help()


def test_a_group_as_json_is_refused_beside_a_setting_of_an_own_filter(folder: Path) -> None:
    arguments = [
        "judge", "a", "--filters.own", NAME, "--filters.advanced.no_museum.max_texts", "1",
        "--filters.advanced", '{"overlap": {"min_overlap": 0.99}}',
    ]  # fmt: skip
    source = command_line_source(arguments, ["judge"])
    add_own_settings(source.root_parser, "judge", custom_code.allowed(arguments))
    with pytest.raises(SystemExit, match="2"):
        source(args=arguments)


@pytest.mark.parametrize("score", ["1 / 0", "float('nan')", "'many'", "[]", "float('inf')"])
def test_a_filter_that_fails_on_a_pair_is_named(
    score: str, folder: Path, chosen: Callable[..., Filters]
) -> None:
    broken = CODE.replace('sum("museum" in text for text in pair.texts)', score)
    (folder / "mine.py").write_text(broken, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"custom filter 'no_museum' \(mine\.py .*\) raised"):
        chosen(NAME).rule_scores([CAT])


def test_a_filter_that_measures_nothing_is_named_once(
    folder: Path, chosen: Callable[..., Filters], caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "mine.py").write_text(CODE.replace("return sum(", "sum("), encoding="utf-8")
    assert all("no_museum" not in scores for scores in chosen(NAME).rule_scores([CAT, MUSEUM]))
    chosen(NAME).rule_scores([CAT])
    assert [text for text in caplog.messages if "filter no_museum" in text] == caplog.messages
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("code", [CODE.replace('"museum" in text', "1 / 0"), f"{CODE}\n\n1 / 0"])
def test_the_line_of_a_filter_that_raises_is_named(
    code: str, folder: Path, chosen: Callable[..., Filters]
) -> None:
    (folder / "mine.py").write_text(code, encoding="utf-8")
    (number,) = (n for n, line in enumerate(code.splitlines(), 1) if "1 / 0" in line)
    with pytest.raises((SettingsError, ValidationError), match=rf"mine\.py, line {number}\)"):
        chosen(NAME).rule_scores([CAT])


class Short(RuleFilter):
    """The words of the longest text."""

    max_words: int = 5
    """Maximum number of them."""

    def measure(self, pair: View) -> float:
        return max(pair.lengths)


def test_a_program_gives_the_class_itself_to_judge(folder: Path, runtime: Runtime) -> None:
    filters = Filters.model_validate({"preset": "rules", "own": [Short]})
    assert [row["short"] for row in filters.rule_scores([CAT])] == [len(CAT.long.tokens)]
    assert pickle.loads(pickle.dumps(filters)) == filters
    with pytest.raises(SettingsError, match=r"Short, but only bitext_pivot\.judge accepts"):
        filters.signature(runtime)  # of the key of stored results


def test_numbers_of_a_class_of_a_program_are_those_of_its_code(
    folder: Path, runtime: Runtime
) -> None:
    def score(code: str) -> float:
        names: dict[str, Any] = {"__name__": "notebook"}
        exec(code, names)
        values = {"own": [names["Even"]], "advanced": {"even": {"model": "x"}}}
        even: Any = Filters.model_validate(values).active()["even"]
        return even.scores_by_name([CAT], runtime)[0]["score"]  # type: ignore[no-any-return]

    assert [score(CODE), score(CODE.replace("[0.5]", "[0.25]"))] == [0.5, 0.25]


PACKAGE = {
    "outside-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: outside\nVersion: 1.5\n",
    "outside-1.5.dist-info/entry_points.txt": "[bitext_pivot.filters]\nmuseums = outside:NoMuseum\n",
    "outside.py": CODE,
}


def test_a_package_offers_filters_by_entry_points(
    folder: Path, chosen: Callable[..., Filters], runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in PACKAGE.items():
        (folder / "packages" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "packages" / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(folder / "packages")
    filters = chosen("museums")
    assert verdicts(filters) == ["no_museum", None]
    assert "outside 1.5" in filters.signature(runtime)["no_museum"]


@pytest.mark.parametrize(
    ("line", "names", "settings"),
    [
        ("--filters.preset rules", [], {}),
        ("--filters.own mine.py:NoMuseum --filters.advanced.no_museum.max_texts 2", [NAME],
         {"no_museum": {"max_texts": 2}}),
        ("--filters.advanced.no_museum.max_texts=2 --filters.own=mine.py:NoMuseum,mine.py:Even "
         "--filters.advanced.even.model=x --filters.advanced.names.max_changed 3", [NAME, "mine.py:Even"],
         {"no_museum": {"max_texts": 2}, "even": {"model": "x"}, "names": {"max_changed": 3}}),
        ('--filters.own ["mine.py:NoMuseum"]', [NAME], {}),
    ],
)  # fmt: skip
def test_settings_of_own_filters_are_options(
    line: str, names: list[str], settings: dict[str, Any], folder: Path
) -> None:
    arguments = ["judge", "pairs.tsv", *line.split()]
    source = command_line_source(arguments, ["judge"])
    assert custom_code.allowed(arguments) == names
    add_own_settings(source.root_parser, "judge", names)
    filters = Filters.model_validate(source(args=arguments)()["judge"].get("filters", {}))
    expected = Filters.model_validate(
        {"preset": filters.preset, "own": names, "advanced": settings}
    )
    assert filters == expected


def test_a_setting_of_a_filter_that_is_not_named_is_no_option(folder: Path) -> None:
    arguments = ["judge", "a", "--filters.own", NAME, "--filters.advanced.even.model", "x"]
    source = command_line_source(arguments, ["judge"])
    add_own_settings(source.root_parser, "judge", custom_code.allowed(arguments))
    with pytest.raises(SystemExit, match="2"):
        source(args=arguments)


def test_a_filter_that_cannot_be_loaded_has_no_options(folder: Path) -> None:
    arguments = ["judge", "a", "--filters.own", "none.py:A"]
    parser = command_line_source(arguments, ["judge"]).root_parser
    with pytest.raises(SettingsError, match=r"^filters\.own: none\.py:A cannot be read"):
        add_own_settings(parser, "judge", custom_code.allowed(arguments))
