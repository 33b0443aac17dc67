"""The live catalogue of OPUS, the OPUS-API: the rows of `alignments.catalogue.opusdata` as JSON over HTTP.

The API sorts the two languages of a request, so it does not find pairs against ASCII order. Its names of corpora are
wrong for some, so requests name pairs only.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import httpx

from alignments.catalogue.opusdata import KINDS, Row
from alignments.download.responses import redacted
from alignments.download.session import client
from pairs.errors import SettingsError, SourceError


class Api:
    """The catalogue at an address, with the methods of `alignments.catalogue.opusdata.Database`.

    Each raises SourceError if the server does not answer as the OPUS-API.
    """

    def __init__(self, base: str, timeout: float = 60.0, proxy: str | None = None) -> None:
        if not base.startswith(("http://", "https://")):
            raise SettingsError(
                f"{redacted(base)!r} is no address of the OPUS-API: expected http(s)://. Correct BITEXT_PIVOT_OPUS_API."
            )
        self.base, self._given, self._timeout, self._proxy = redacted(base), base, timeout, proxy

    def languages(self) -> list[str]:
        """Return the codes of all languages, as OPUS spells them."""
        return self._names("languages")

    def corpora(self) -> list[str]:
        """Return the names of all corpora, as the API knows them."""
        return self._names("corpora")

    def partners(self, language: str) -> list[str]:
        """Return the languages that have links with a language in any corpus."""
        return [code for code in self._names("languages", source=language) if code != language]

    def rows(self, ones: Sequence[str], others: Sequence[str]) -> Iterator[Row]:
        """Yield the rows of all pairs of a code of `ones` and one of `others`, and of the documents of all codes."""
        for one in ones:
            for other in others:
                for row in self._ask("corpora", source=one, target=other):
                    if not isinstance(row, dict) or not {"url", "preprocessing", "source", "target"} <= row.keys():
                        raise self._strange(f"a row is {row!r:.200}")
                    if row["preprocessing"] in KINDS:
                        yield row

    def _names(self, kind: str, **parameters: str) -> list[str]:
        names = self._ask(kind, **parameters, **{kind: "True"})
        return sorted(str(name) for name in names if name)

    def _ask(self, kind: str, **parameters: str) -> list[Any]:
        try:
            with client(self._timeout, base=self._given, proxy=self._proxy) as session:
                response = session.get(self.base, params=parameters)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._silent(str(error) or type(error).__name__) from error
        if response.status_code != httpx.codes.OK:
            raise self._silent(f"answer {response.status_code}")
        try:
            answer = response.json()
        except ValueError as error:
            raise self._strange("no JSON") from error
        if not isinstance(answer, dict) or not isinstance(answer.get(kind), list):
            raise self._strange(f"no list {kind!r}")
        return list(answer[kind])

    def _silent(self, why: str) -> SourceError:
        return SourceError(
            f"The OPUS-API at {self.base} does not answer ({why}). Try again later, correct BITEXT_PIVOT_OPUS_API, "
            "or leave --live away: the catalogue that came with opustools needs no network."
        )

    def _strange(self, what: str) -> SourceError:
        return SourceError(
            f"{self.base} does not answer as the OPUS-API does ({what} in its answer). Correct BITEXT_PIVOT_OPUS_API."
        )
