"""The engine `endpoint` against a server of OpenAI's chat/completions protocol on this machine."""

import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import web

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.translation.cached import translate_once
from bitext_pivot.translation.endpoint import Endpoint, Server
from bitext_pivot.translation.models import Translation, load

KEY = "sk-test"
Reply = Callable[[str], web.Answer | None]


def completion(text: str | None, *, finish: str = "stop", logprobs: list[float] | None = None) -> web.Answer:
    """What the protocol answers: one choice, its tokens' log-probabilities if they were asked for, and the usage."""
    steps: list[dict[str, Any]] = [
        {"token": "x", "logprob": number, "bytes": None, "top_logprobs": []} for number in logprobs or []
    ]
    body = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "tiny",
        "choices": [{
            "index": 0, "message": {"role": "assistant", "content": text, "refusal": None},
            "logprobs": {"content": steps, "refusal": None} if steps else None, "finish_reason": finish,
        }],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
    }  # fmt: skip
    return web.Answer(body=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def refusal(status: int, message: str, **headers: str) -> web.Answer:
    body = json.dumps({"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}})
    return web.Answer(status=status, body=body.encode(), headers={"Content-Type": "application/json", **headers})


class Service:
    """A server of the protocol: it refuses a wrong key, model or request, and records what it was asked."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.reply: Reply = lambda _: None
        self.at_once = self.running = 0
        self._lock = threading.Lock()

    def __call__(self, request: web.Request) -> web.Answer:
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            return refusal(404, f"Invalid URL ({request.method} {request.path})")
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return refusal(401, "Incorrect API key provided")
        body = json.loads(request.body)
        if body["model"] != "tiny":
            return refusal(404, f"The model `{body['model']}` does not exist")
        with self._lock:
            self.requests.append(body)
            self.running += 1
            self.at_once = max(self.at_once, self.running)
        time.sleep(0.01)
        with self._lock:
            self.running -= 1
        text = body["messages"][-1]["content"].rpartition("\n")[2]
        scores = [-0.1, -0.3] if body.get("logprobs") else None
        return self.reply(text) or completion(f"EN {text}", logprobs=scores)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def address(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with web.serve(service) as root:
        yield f"{root}/v1"


def engine(address: str, *, key: str = KEY, model: str = "tiny", probabilities: bool = True) -> Endpoint:
    server = Server(address=address, key=key, requests=4, timeout=5, pause=0.01)
    options = {"max_tokens": 50, "logprobs": True} if probabilities else {"max_tokens": 50}
    return Endpoint(server, model, "fr", "en", options)


def test_each_text_is_a_request_and_several_run_at_the_same_time(address: str, service: Service) -> None:
    texts = [f"Phrase {n}." for n in range(20)]
    outputs = engine(address).translate(texts)
    assert [output.text for output in outputs] == [f"EN {text}" for text in texts]
    assert {output.tokens for output in outputs} == {(20, 5)}
    assert outputs[0].confidence == pytest.approx(math.exp(-0.2))
    assert len(service.requests) == 20 and 1 < service.at_once <= 4
    first = service.requests[0]
    assert (first["temperature"], first["max_tokens"], first["stream"]) == (0, 50, False)
    assert "from French into English" in first["messages"][0]["content"]
    assert KEY not in json.dumps(service.requests)


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
def test_what_is_cut_or_empty_is_no_translation(address: str, service: Service, answer: web.Answer) -> None:
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
def test_a_busy_or_broken_server_is_asked_again(address: str, service: Service, failure: web.Answer) -> None:
    answers = [failure, failure]
    service.reply = lambda _: answers.pop() if answers else None
    (output,) = engine(address).translate(["Oui."])
    assert output.text == "EN Oui." and len(service.requests) == 3


def test_a_server_that_keeps_failing_is_given_up(address: str, service: Service) -> None:
    service.reply = lambda _: refusal(503, "no workers")
    with pytest.raises(ShardError, match=r"failed 6 times \(503 no workers\)"):
        engine(address).translate(["Oui."])
    with pytest.raises(ShardError, match="failed 6 times"):
        engine("http://127.0.0.1:9/v1").translate(["Oui."])


@pytest.mark.parametrize(
    ("options", "path", "reason"),
    [
        ({"key": "sk-other"}, "", "401 Incorrect API key"), ({"model": "huge"}, "", "404 The model `huge`"),
        ({}, "/other", "404 Invalid URL"),
    ],
)  # fmt: skip
def test_what_the_user_must_change_is_said_at_once(
    address: str, service: Service, options: dict[str, Any], path: str, reason: str
) -> None:
    with pytest.raises(SettingsError, match=reason) as raised:
        engine(address + path, **options).translate([f"Phrase {n}." for n in range(50)])
    assert "sk-" not in str(raised.value) and service.requests == []


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": 3}]}'])
def test_another_protocol_is_recognised(address: str, service: Service, body: bytes) -> None:
    service.reply = lambda _: web.Answer(body=body)
    with pytest.raises(ShardError, match="another format"):
        engine(address).translate(["Oui."])


def test_what_was_translated_before_a_failure_is_stored(address: str, service: Service, tmp_path: Path) -> None:
    texts = [f"Phrase numéro {n}." for n in range(8)]
    store, model = RowStore(tmp_path, "endpoint"), engine(address)
    service.reply = lambda text: refusal(403, "no credit") if "numéro 7" in text else None
    with pytest.raises(SettingsError, match="no credit"):
        translate_once(model, texts, store, group=4)
    service.reply = lambda _: None
    before = len(service.requests)
    outputs = translate_once(model, texts, store, group=4)
    assert len(service.requests) - before == 4
    assert [output.tokens for output in outputs] == [(20, 5)] * 8


def test_the_engine_is_checked_and_its_signature_names_model_and_prompt(
    address: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(address=address, key=KEY)
    settings = Translation(engine="endpoint", model="tiny")
    loaded = load(settings, "fr", "en", models_folder=tmp_path, server=server)
    assert loaded.signature.startswith("endpoint tiny direction=fr-en prompt=") and "127.0.0.1" not in loaded.signature
    monkeypatch.setattr("bitext_pivot.translation.endpoint._VERSION", "other")
    assert load(settings, "fr", "en", models_folder=tmp_path, server=server).signature != loaded.signature
    service.reply = lambda _: completion("I cannot help with that.")
    with pytest.raises(SettingsError, match="loads but does not work"):
        load(settings, "fr", "en", models_folder=tmp_path, server=server)


def test_an_endpoint_needs_an_address_and_a_model(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="BITEXT_PIVOT_ENDPOINT is not set"):
        load(Translation(engine="endpoint", model="tiny"), "fr", "en", models_folder=tmp_path)
    with pytest.raises(SettingsError, match=r"translation\.model is empty"):
        Translation(engine="endpoint")
