from translation.echo import Echo
from translation.engine import Engine


def test_echo_returns_what_it_is_given() -> None:
    engine: Engine = Echo()
    assert engine.translate(["b", "", "a", "b"]) == ["b", "", "a", "b"]
    assert engine.signature == "echo"
