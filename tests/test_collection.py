"""Collecting the tests costs seconds in every process, so no test file imports a heavy library at its top."""


def test_collecting_the_tests_imports_no_heavy_library(imported: dict[str, str]) -> None:
    assert imported == {}
