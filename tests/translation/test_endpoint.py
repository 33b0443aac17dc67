"""The engine `endpoint` against a server of OpenAI's chat/completions protocol on this machine."""

import asyncio
import gzip
import json
import math
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import web
from endpoints import KEY, Service, completion, hurry, refusal
from messages import Golden
from pydantic import ValidationError

from bitext_pivot.core.endpoint_server import EndpointServer
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.translation.endpoint import EndpointEngine
from bitext_pivot.translation.models import Translation, load_engine


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def address(service: Service) -> Iterator[str]:
    with web.serve(service) as root:
        yield f"{root}/v1"


def engine(
    address: str, *, key: str = KEY, model: str = "tiny", probabilities: bool = True
) -> EndpointEngine:
    server = EndpointServer(address=address, key=key, requests=4, timeout=60)
    options = {"max_tokens": 50, "logprobs": True} if probabilities else {"max_tokens": 50}
    return EndpointEngine(server, model, "fr", "en", options)


def test_each_text_is_a_request_and_several_run_at_the_same_time(
    address: str, service: Service
) -> None:
    texts = [f"Phrase {n}." for n in range(20)]
    outputs = engine(address).translate(texts)
    assert [output.text for output in outputs] == [f"EN {text}" for text in texts]
    assert outputs[0].confidence == pytest.approx(math.exp(-0.2))
    assert len(service.requests) == 20 and 1 < service.at_once <= 4
    first = service.requests[0]
    assert (first["temperature"], first["max_tokens"]) == (0, 50)
    assert "from French into English" in first["messages"][0]["content"]
    assert KEY not in json.dumps(service.requests)


def test_nothing_is_sent_but_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what `openai` says of this machine, nor its own settings in the environment."""
    requests: list[web.Request] = []

    def reply(request: web.Request) -> web.Answer:
        requests.append(request)
        return completion("Yes.")

    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: 1\nAuthorization: Bearer sk-mine")
    with web.serve(reply) as root:
        engine(f"{root}/v1", key="").translate(["Oui."])
    (request,) = requests
    assert request.headers["Authorization"] == "Bearer none"
    assert {name.lower() for name in request.headers} == {
        "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host",
        "x-stainless-raw-response",
    }  # fmt: skip


def test_without_the_package_the_extra_is_named(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr("bitext_pivot.core.optional_packages.find_spec", lambda _: None)
    settings, server = Translation(engine="endpoint", model="tiny"), EndpointServer(address=address)
    with golden.refused(SettingsError):
        load_engine(settings, "fr", "en", models_folder=tmp_path, server=server)


def test_without_probabilities_there_is_no_confidence(address: str, service: Service) -> None:
    (output,) = engine(address, probabilities=False).translate(["Oui."])
    assert output.confidence is None and "logprobs" not in service.requests[0]


@pytest.mark.parametrize(
    "answer",
    [
        completion("half a sen", finish="length"), completion(None), completion("  \n "),
        completion("", finish="content_filter"),
    ],
)  # fmt: skip
def test_what_is_cut_or_empty_is_no_translation(
    address: str, service: Service, answer: web.Answer
) -> None:
    service.reply = lambda _: answer
    (output,) = engine(address).translate(["Oui."])
    assert (output.text, output.confidence) == ("", None)


@pytest.mark.parametrize(
    "failure",
    [
        refusal(429, "Rate limit reached", **{"Retry-After": "0"}), refusal(500, "oops"), refusal(503, "loading model"),
        web.Answer(headers={"Content-Length": "100"}, parts=[b"{"], cut=True),
    ],
)  # fmt: skip
def test_a_busy_or_broken_server_is_asked_again(
    address: str, service: Service, failure: web.Answer
) -> None:
    answers = [failure, failure]
    service.reply = lambda _: answers.pop() if answers else None
    (output,) = engine(address).translate(["Oui."])
    assert output.text == "EN Oui." and len(service.requests) == 3


def test_a_server_that_keeps_failing_is_given_up(
    address: str, service: Service, golden: Golden
) -> None:
    service.reply = lambda _: refusal(503, "no workers")
    with golden.refused(ShardError):
        engine(address).translate(["Oui."])
    with golden.refused(ShardError):
        engine("http://127.0.0.1:9/v1").translate(["Oui."])


@pytest.mark.parametrize(
    ('options', 'path'),
    [
        ({"key": "sk-other"}, ""), ({"model": "huge"}, ""),
        ({}, "/other"),
    ],
)  # fmt: skip
def test_what_the_user_must_change_is_said_at_once(
    address: str, service: Service, options: dict[str, Any], path: str, golden: Golden
) -> None:
    with golden.refused(SettingsError) as raised:
        engine(address + path, **options).translate([f"Phrase {n}." for n in range(50)])
    assert "sk-" not in str(raised.value) and service.requests == []


def changed(**values: Any) -> bytes:
    """An answer of the protocol, with other values: of the answer, or with `choice_` and `message_` before the name."""
    answer = json.loads(completion("Yes.").body)
    choice = answer["choices"][0]
    for name, value in values.items():
        place, _, member = name.partition("_")
        {"choice": choice, "message": choice["message"]}.get(place, answer)[member or name] = value
    return json.dumps(answer).encode()


def with_logprob(value: str) -> bytes:
    return changed(choice_logprobs={"content": [{"logprob": "?"}]}).replace(b'"?"', value.encode())


UNUSABLE: dict[str, bytes] = {
    "HTML": b"<html><body>Log in</body></html>", "nothing": b"", "a list": b"[]", "a number": b"3",
    "null": b"null", "a text": b'"Yes."', "NaN": b"NaN", "half of it": changed()[:-9],
    "not UTF-8": b'{"choices": "\xff\xfe"}', "deep": b"[" * 200_000, "deep inside": b'{"a":' * 200_000,
    "a long number": b"9" * 5_000, "no choices": b"{}", "empty choices": b'{"choices": []}',
    "choices of text": changed(choices="Yes."), "a choice of text": changed(choices=["Yes."]),
    "no message": changed(choice_message=None), "message 3": changed(choice_message=3),
    "parts": changed(message_content=[{"type": "text", "text": "Yes."}]), "content 3": changed(message_content=3),
    "a reason of another type": changed(choice_finish_reason=[]),
    "an error": b'{"error": {"message": "out of\\n memory \\u001b[31m"}}',
    "an error of text": b'{"error": "overloaded"}', "an error 3": b'{"error": 3}',
    "logprobs of text": changed(choice_logprobs="x"), "steps of text": changed(choice_logprobs={"content": "x"}),
    "a step of text": changed(choice_logprobs={"content": ["x"]}),
    **{f"logprob {value[:9]}": with_logprob(value)
       for value in ("NaN", "Infinity", "-Infinity", "1000", "0.5", "-1e5", "1e400", "9" * 400, "null", "true", '"-1"',
                     "[]")},
}  # fmt: skip


@pytest.mark.parametrize("body", UNUSABLE.values(), ids=UNUSABLE)
def test_an_answer_of_another_format_is_refused_in_one_line(
    address: str, service: Service, body: bytes, golden: Golden
) -> None:
    service.reply = lambda _: web.Answer(body=body)
    with golden.refused(ShardError) as raised:
        engine(address).translate(["Oui."])
    assert len(str(raised.value)) < 600 and str(raised.value).isprintable()


@pytest.mark.parametrize("body", [
    changed(usage=None), changed(choice_logprobs={}),
    changed(choice_logprobs={"content": None}), with_logprob("-9999.0"), with_logprob("0"), with_logprob("1e-7"),
    changed(choice_finish_reason=None), changed(choice_finish_reason="eos"), changed(error=None),
])  # fmt: skip
def test_what_servers_leave_out_or_round_is_read(
    address: str, service: Service, body: bytes
) -> None:
    service.reply = lambda _: web.Answer(body=body)
    (output,) = engine(address).translate(["Oui."])
    assert output.text == "Yes." and (output.confidence is None or 0 <= output.confidence <= 1)


@pytest.mark.parametrize("text", [
    "Y\0es", "Y\x1b[31mes", "Y\x07es", "Y\x7fes", "Y\x9bes", "Y\u202ees", "Y\u2066es", "Y\ud800es", "Y\ufffees",
    "Yes " * 1_000, "y" * 1_000_000, f"the key {KEY}",
], ids=lambda text: f"{text[:9]!r}")  # fmt: skip
def test_what_no_translation_can_be_is_none(address: str, service: Service, text: str) -> None:
    service.reply = lambda _: web.Answer(body=changed(message_content=text))
    (output,) = engine(address).translate(["Oui."])
    assert (output.text, output.confidence) == ("", None)


def test_spaces_of_a_translation_are_single(address: str, service: Service) -> None:
    service.reply = lambda _: completion(" Yes,\n\tof\u2028course.\r\n")
    assert engine(address).translate(["Oui."])[0].text == "Yes, of course."


def test_an_answer_without_end_is_left(address: str, service: Service, golden: Golden) -> None:
    sent = 0

    def parts() -> Iterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b"10000\r\n" + b" " * 0x10000 + b"\r\n"

    service.reply = lambda _: web.Answer(headers={"Transfer-Encoding": "chunked"}, parts=parts())
    with golden.refused(ShardError):
        engine(address).translate(["Oui."])
    assert sent * 0x10000 < 64 << 20


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "x"])
def test_a_compressed_answer_is_not_unpacked(
    address: str, service: Service, encoding: str, golden: Golden
) -> None:
    bomb = gzip.compress(bytes(1_000_000))
    service.reply = lambda _: web.Answer(body=bomb, headers={"Content-Encoding": encoding})
    with golden.refused(ShardError):
        engine(address).translate(["Oui."])


@pytest.mark.parametrize("after_the_headers", [True, False])
def test_an_answer_that_never_ends_is_given_up(
    after_the_headers: bool, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    """A byte now and then, in the body or in the headers: the time between bytes is no limit."""
    with trickling(after_the_headers) as address:
        server = EndpointServer(address=address, timeout=60, patience=0.2)
        with golden.refused(ShardError):
            EndpointEngine(server, "tiny", "fr", "en", {}).translate(["Oui."])


@contextmanager
def trickling(after_the_headers: bool) -> Iterator[str]:
    """Serve bytes one by one until the client goes."""

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            start = b"HTTP/1.1 200 OK\r\n"
            connection.sendall(
                start + b"Content-Length: 999999\r\n\r\n" if after_the_headers else start + b"X: "
            )
            while True:
                connection.sendall(b"x")
                time.sleep(0.01)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=[listener])
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000,
        b"nonsense\r\n\r\n",
        b"",
    ],
    ids=[
        "a chunk broken off",
        "a chunk of no length",
        "a negative length",
        "long headers",
        "nonsense",
        "nothing",
    ],
)
def test_broken_http_is_asked_again_and_given_up(
    reply: bytes, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    with raw(reply) as address, golden.refused(ShardError) as raised:
        EndpointEngine(
            EndpointServer(address=address, timeout=60), "tiny", "fr", "en", {}
        ).translate(["Oui."])
    assert str(raised.value).isprintable()


def test_http_1_0_is_read() -> None:
    with raw(b"HTTP/1.0 200 OK\r\n\r\n" + changed()) as address:
        server = EndpointServer(address=address, timeout=60)
        assert EndpointEngine(server, "tiny", "fr", "en", {}).translate(["Oui."])[0].text == "Yes."


@contextmanager
def raw(reply: bytes) -> Iterator[str]:
    """Answer every connection with some bytes and close it."""

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, connection.makefile("rb") as request, suppress(OSError):
                    # whole, or closing would reset the connection, and a client might not see the reply
                    head = b"".join(iter(request.readline, b"\r\n"))
                    (length,) = re.findall(rb"(?i)content-length: (\d+)", head)
                    request.read(int(length))
                    connection.sendall(reply)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=[listener])
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def test_a_redirect_is_not_followed_and_the_key_stays(
    address: str, service: Service, golden: Golden
) -> None:
    with web.serve(lambda request: others.append(request) or completion("Yes.")) as other:  # type: ignore[func-returns-value]
        others: list[web.Request] = []
        service.reply = lambda _: web.Answer(
            307, headers={"Location": f"{other}/v1/chat/completions"}
        )
        with golden.refused(SettingsError):
            engine(address).translate(["Oui."])
        assert others == []


def test_an_answer_of_204_has_no_translation(
    address: str, service: Service, golden: Golden
) -> None:
    service.reply = lambda _: web.Answer(204)
    with golden.refused(ShardError):
        engine(address).translate(["Oui."])


@pytest.mark.parametrize("after", ["-5", "nan", "inf", "0x10", "", "\xb2"])
def test_a_pause_that_is_none_is_not_kept(address: str, service: Service, after: str) -> None:
    answers = [refusal(429, "slowly", **{"Retry-After": after})]
    service.reply = lambda _: answers.pop() if answers else None
    assert engine(address).translate(["Oui."])[0].text == "EN Oui."


@pytest.mark.parametrize("after", ["9" * 400, "1e9", "Wed, 21 Oct 2065 07:28:00 GMT"])
def test_a_server_that_asks_for_a_long_pause_is_given_up(
    address: str, service: Service, after: str
) -> None:
    service.reply = lambda _: refusal(429, "slowly", **{"Retry-After": after})
    with pytest.raises(ShardError, match="429 .*slowly"):
        engine(address).translate(["Oui."])
    assert len(service.requests) == 1


def test_an_engine_translates_inside_an_event_loop(address: str) -> None:
    """A notebook runs its cells in one."""

    async def cell() -> str:
        return engine(address).translate(["Oui."])[0].text

    assert asyncio.run(cell()) == "EN Oui."


def test_the_signature_names_model_and_prompt(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = EndpointServer(address=address, key=KEY)
    settings = Translation(engine="endpoint", model="tiny")
    loaded = load_engine(settings, "fr", "en", models_folder=tmp_path, server=server)
    assert (
        loaded.signature.startswith("endpoint tiny direction=fr-en prompt=")
        and "127.0.0.1" not in loaded.signature
    )
    monkeypatch.setattr("bitext_pivot.translation.endpoint._VERSION", "other")
    assert (
        load_engine(settings, "fr", "en", models_folder=tmp_path, server=server).signature
        != loaded.signature
    )


def test_an_endpoint_needs_an_address_and_a_model(tmp_path: Path, golden: Golden) -> None:
    with golden.refused(SettingsError):
        load_engine(
            Translation(engine="endpoint", model="tiny"), "fr", "en", models_folder=tmp_path
        )
    with pytest.raises(ValidationError, match=r"translation\.model is empty"):
        Translation(engine="endpoint")
