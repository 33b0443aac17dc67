"""The OPUS-API, played by a server on this machine."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from catalogues import ROWS

from alignments.catalogue.entries import find
from alignments.catalogue.opusapi import Api
from pairs.errors import SettingsError, SourceError


class Server:
    """Answers as the OPUS-API does, or with the `answer` it was given; remembers the questions."""

    def __init__(self) -> None:
        self.answer: bytes | None = None
        self.status = 200
        self.questions: list[dict[str, list[str]]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                question = parse_qs(urlsplit(self.path).query)
                server.questions.append(question)
                body = json.dumps(reply(question)).encode() if server.answer is None else server.answer
                self.send_response(server.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.http.server_port}/opusapi"


def reply(question: dict[str, list[str]]) -> dict[str, Any]:
    """What the server makes of a question: it sorts the pair, and adds the documents of both languages."""
    pair = sorted(code for key in ("source", "target") for code in question.get(key, []))
    if "languages" in question:
        codes = {
            code
            for r in ROWS
            for code in (r["source"], r["target"])
            if not pair or pair[0] in (r["source"], r["target"])
        }
        return {"languages": sorted(codes)}
    if "corpora" in question:
        return {"corpora": sorted({r["corpus"] for r in ROWS})}
    return {
        "corpora": [r for r in ROWS if [r["source"], r["target"]] == pair or (not r["target"] and r["source"] in pair)]
    }


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    served = Server()
    thread = threading.Thread(target=served.http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield served
    served.http.shutdown()
    served.http.server_close()
    thread.join()


def test_it_gives_the_same_entries_as_the_database(server: Server) -> None:
    entries = find(Api(server.base), "fr", "en")
    assert [(entry.corpus, entry.release, entry.links, entry.latest) for entry in entries][:4] == [
        ("UNPC", "v1.0", 35000, True), ("Europarl", "v8", 2100, True), ("Europarl", "v7", 2000, False),
        ("UN", "v20090831", 740, True),
    ]  # fmt: skip
    assert entries[1].sizes["raw"] == (701 + 801) * 1024


def test_all_spellings_of_a_language_are_asked_for_and_no_corpus(server: Server) -> None:
    entries = find(Api(server.base), "pt-br", "en", "GNOME")
    assert [entry.pair for entry in entries] == ["en-pt_BR"]
    asked = [question for question in server.questions if "target" in question]
    assert [question["source"] for question in asked] == [["pt_BR"], ["pt_br"]]
    assert not any("corpus" in question for question in server.questions)


def test_a_pair_that_is_not_there_is_refused_with_its_partners(server: Server) -> None:
    with pytest.raises(SettingsError, match=r"OPUS has no bitext de-fr\. de is linked with: en"):
        find(Api(server.base), "de", "fr")


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (200, b"<html>", r"does not answer as the OPUS-API does \(no JSON"),
        (200, b"[]", r"does not answer as the OPUS-API does \(no list 'languages'"),
        (200, b'{"languages": 3}', r"does not answer as the OPUS-API does \(no list 'languages'"),
        (503, b"{}", r"does not answer \(answer 503\).* leave --live away"),
    ],
)
def test_another_answer_is_the_outside_worlds_fault(server: Server, status: int, answer: bytes, words: str) -> None:
    server.status, server.answer = status, answer
    with pytest.raises(SourceError, match=words):
        Api(server.base).languages()


def test_a_row_without_an_address_is_refused(server: Server) -> None:
    server.answer = b'{"corpora": [{"source": "en"}]}'
    with pytest.raises(SourceError, match=r"a row is \{'source': 'en'\}"):
        list(Api(server.base).rows(["en"], ["fr"]))


def test_a_server_that_is_not_there_is_told(server: Server) -> None:
    server.http.server_close()
    with pytest.raises(SourceError, match=r"OPUS-API at http://127\.0\.0\.1:\d+/opusapi does not answer"):
        Api(server.base, timeout=5).corpora()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(SettingsError, match="'ftp://x' is no address of the OPUS-API"):
        Api("ftp://x")
