"""What the hub says of a failure is repeated, cut to a line."""

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError

from bitext_pivot.core.hub.failures import explain_failure


@pytest.mark.parametrize(
    ("status", "said", "headers", "words"),
    [
        (403, "Private repository storage limit reached", {}, "The hub says: Private repository storage limit reached"),
        (400, '"language[0]" must be a string', {}, 'The hub says: "language[0]" must be a string'),
        (429, None, {"Retry-After": "300"}, "Wait 300 seconds."),
        (500, "a\n" * 9_000, {}, "The hub says: a"),
        (502, None, {}, "responded with HTTP 502."),
    ],
)  # fmt: skip
def test_the_reason_of_the_hub_is_repeated(
    status: int, said: str | None, headers: dict[str, str], words: str
) -> None:
    request = httpx2.Request("GET", "http://hub.test")
    error = HfHubHTTPError(
        "failed",
        response=httpx2.Response(status, headers=headers, request=request),
        server_message=said,
    )
    message = str(
        explain_failure(error, {403: "The token may not write."}, "Nothing was sent: {failure}.")
    )
    assert words in message
    assert "\n" not in message and len(message) < 1_000
