"""A server of OpenAI's chat/completions protocol for tests, and what it answers."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
import web

KEY = "sk-test-key"
Reply = Callable[[str], web.Answer | None]


def completion(
    text: str | None, *, finish: str = "stop", logprobs: list[float] | None = None
) -> web.Answer:
    """What the protocol answers: one choice, its tokens' log-probabilities if they were asked for, and the usage."""
    steps: list[dict[str, Any]] = [
        {"token": "x", "logprob": number, "bytes": None, "top_logprobs": []}
        for number in logprobs or []
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
    body = json.dumps(
        {
            "error": {
                "message": message,
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        }
    )
    return web.Answer(
        status=status, body=body.encode(), headers={"Content-Type": "application/json", **headers}
    )


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


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the client wait hardly at all between two attempts."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)


Pair = dict[str, str]
QUESTIONS = ("stands_alone", "says_no_more", "says_no_less", "fluent", "true_split")


def verdict(**answers: object) -> str:
    """What a model answers about a pair: yes to all questions but those that are given."""
    return json.dumps({**dict.fromkeys(QUESTIONS, "yes"), **answers})


class Court:
    """A server whose models judge pairs: each is a function of the pair that stands in the request."""

    def __init__(self, **models: Callable[[Pair], str]) -> None:
        self.models: dict[str, Callable[[Pair], str]] = {"careful": self.careful, **models}
        self.requests: list[dict[str, Any]] = []
        self.faults: dict[str, str] = {}
        """An answer by a word of the pair, for `careful`."""
        self.checks: dict[str, bool] = {}
        """Whether a pair of the self-check is good, by its first half."""

    def __call__(self, request: web.Request) -> web.Answer:
        body = json.loads(request.body)
        if body["model"] not in self.models:
            return refusal(404, f"The model `{body['model']}` does not exist")
        self.requests.append(body)
        pair = json.loads(body["messages"][-1]["content"].splitlines()[1])
        return completion(self.models[body["model"]](pair))

    def careful(self, pair: Pair) -> str:
        """A model that knows the self-check, and the faults that a test gives it."""
        if not self.checks.get(pair["first"], True):
            return verdict(says_no_more="no")
        words = " ".join(pair.values())
        return next((answer for word, answer in self.faults.items() if word in words), verdict())

    def asked(self, model: str) -> int:
        """Return how many pairs a model was asked about, besides those of the self-check."""
        return sum(
            request["model"] == model
            and json.loads(request["messages"][-1]["content"].splitlines()[1])["first"]
            not in self.checks
            for request in self.requests
        )
