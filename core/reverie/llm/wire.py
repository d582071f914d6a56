"""One exchange with an endpoint, over the `openai` package: bounded in size, sent nowhere else, and told apart by kind.

Nothing is sent that the act does not need: no organisation or key from the environment of other programs, no
description of this machine. Redirects are not followed, since a key would go along.
"""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reverie.i18n import _
from reverie.llm.failures import (
    Busy,
    Empty,
    KeyRefused,
    ModelFailure,
    ModelMissing,
    NoServer,
    NotAnEndpoint,
    Refused,
    RequestRefused,
    ServerFailed,
    TooLong,
    TooSlow,
)
from reverie.llm.presets import is_local

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

_KEPT_HEADERS = frozenset({"host", "accept", "content-type", "content-length", "transfer-encoding"})
# Some servers answer 500 to a request that they don't understand: trying it again is of no use.
_OF_THE_REQUEST = re.compile(
    r"response_format|json_schema|validation error|unsupported param|grammar", re.IGNORECASE
)
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Reply:
    """``text`` as the model wrote it. ``cut``: whether it was cut at the largest length; None where nobody said."""

    text: str
    cut: bool | None


@asynccontextmanager
async def connected(
    address: str, headers: dict[str, str], timeout_s: float, max_bytes: int
) -> "AsyncIterator[AsyncOpenAI]":
    """A client of the `openai` package for one exchange."""
    import httpx2
    from openai import AsyncOpenAI

    inner = httpx2.AsyncHTTPTransport(trust_env=not is_local(address))
    async with httpx2.AsyncClient(
        transport=_bounded(inner, headers, max_bytes), follow_redirects=False, trust_env=False
    ) as http:
        yield AsyncOpenAI(
            api_key="unused", base_url=address, timeout=timeout_s, max_retries=0, http_client=http
        )


async def list_models(client: "AsyncOpenAI") -> list[str]:
    """The names of the models, as the endpoint lists them. Raises ModelFailure."""
    async with _failures(str(client.base_url)):
        answer: Any = await client.get("/models", cast_to=object)
    if isinstance(answer, dict):
        answer = answer.get("data", answer.get("models"))
    if not isinstance(answer, list):
        raise no_endpoint(str(client.base_url), _("its list of models is none"))
    names = [each.get("id", each.get("name")) if isinstance(each, dict) else each for each in answer]
    return list(
        dict.fromkeys(name.removeprefix("models/") for name in names if isinstance(name, str) and name)
    )


async def chat(
    client: "AsyncOpenAI", body: dict[str, Any], on_text: Callable[[str], None], max_chars: int
) -> Reply:
    """Asks once, and takes the answer in as it comes. Raises ModelFailure."""
    from openai import AsyncStream

    address = str(client.base_url)
    reader = _Reader(on_text, max_chars)
    async with _failures(address):
        stream = await client.post(
            "/chat/completions",
            cast_to=object,
            body={**body, "stream": True},
            stream=True,
            stream_cls=AsyncStream[object],
        )
        async with stream:
            if "event-stream" in stream.response.headers.get("content-type", "").lower():
                async for event in stream:
                    reader.take(event)
            else:
                _take_whole((await stream.response.aread()).decode("utf-8", "replace"), reader, address)
    return reader.reply(address)


class _Reader:
    """Puts an answer together from what is said of it, whatever else stands there."""

    def __init__(self, on_text: Callable[[str], None], max_chars: int) -> None:
        self._on_text = on_text
        self._left = max_chars
        self._pieces: list[str] = []
        self._finish: str | None = None
        self._refusal = ""
        self._understood = False

    def take(self, event: object) -> None:
        if not isinstance(event, dict):
            return
        if event.get("error"):
            raise _error_in_answer(event["error"])
        choices = event.get("choices")
        if not isinstance(choices, list):
            return
        self._understood = True
        choice = choices[0] if choices and isinstance(choices[0], dict) else {}
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._add(_plain(said.get("content")))
            self._refusal += _plain(said.get("refusal"))
        elif isinstance(choice.get("text"), str):
            self._add(choice["text"])
        if isinstance(choice.get("finish_reason"), str):
            self._finish = choice["finish_reason"]

    def _add(self, text: str) -> None:
        if not text:
            return
        self._left -= len(text)
        if self._left < 0:
            raise too_long()
        self._pieces.append(text)
        self._on_text(text)

    def reply(self, address: str) -> Reply:
        text = "".join(self._pieces)
        if self._refusal.strip() or self._finish == "content_filter":
            shown = (self._refusal.strip() or text)[:_SHOWN]
            raise Refused(_("The model refused"), detail=shown, answer=shown)
        if not self._understood:
            raise no_endpoint(address, _("its answer holds no choices"))
        if not text.strip():
            raise Empty(_("The model gave no answer"), hint=_("Try again, or with another model"))
        return Reply(text, None if self._finish is None else self._finish in ("length", "max_tokens"))


def _take_whole(text: str, reader: _Reader, address: str) -> None:
    """An answer of an endpoint that does not stream, or streams and does not say so."""
    lines = [text]
    if text.lstrip().startswith("data:"):
        lines = [
            line[5:] for line in text.splitlines() if line.startswith("data:") and "[DONE]" not in line[:15]
        ]
    for line in lines:
        try:
            reader.take(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise no_endpoint(address, _one_line(text)) from error


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_plain(each.get("text")) for each in content if isinstance(each, dict))
    return ""


@asynccontextmanager
async def _failures(address: str) -> AsyncIterator[None]:
    """What the `openai` package and what is under it raise, as failures with a name."""
    import httpx2
    import openai

    try:
        yield
    except openai.APITimeoutError as error:
        raise too_slow() from error
    except openai.APIConnectionError as error:
        if isinstance(error.__cause__, ModelFailure):
            raise error.__cause__ from None
        raise no_server(address, _one_line(str(error.__cause__ or error))) from error
    except openai.APIStatusError as error:
        raise _of_status(error, address) from error
    except openai.APIError as error:  # said in the middle of a stream
        raise _error_in_answer(error.body or error.message) from error
    except httpx2.TimeoutException as error:
        raise too_slow() from error
    except httpx2.HTTPError as error:
        raise no_server(address, _one_line(str(error))) from error
    except (ValueError, RecursionError, openai.OpenAIError) as error:
        raise no_endpoint(address, _one_line(str(error))) from error


def _of_status(error: Any, address: str) -> ModelFailure:
    status, said = error.status_code, _said(error.body)
    detail = f"{status}: {said}" if said else str(status)
    if 300 <= status < 400:
        where = _one_line(error.response.headers.get("location", "?"))
        return no_endpoint(address, _("it sends elsewhere, to {where}").format(where=where))
    if status in (401, 403):
        return KeyRefused(
            _("The endpoint refused the key"), detail=detail, hint=_("Check the API key in the settings")
        )
    if status == 429:
        return Busy(
            _("The endpoint takes no more requests for now"),
            detail=detail,
            hint=_("Wait a little; where this stays, look at the limits of your account"),
            wait_s=_seconds(error.response.headers.get("retry-after")),
        )
    if status >= 500 and not _OF_THE_REQUEST.search(said):
        return ServerFailed(_("The endpoint failed"), detail=detail, retryable=True)
    missing = "model" in said.lower() and ("not found" in said.lower() or "not exist" in said.lower())
    if missing or getattr(error, "code", None) == "model_not_found":
        return ModelMissing(
            _("The endpoint does not have the model"),
            detail=detail,
            hint=_("Choose one of those that it lists"),
        )
    if status in (404, 405):
        return no_endpoint(address, detail)
    return RequestRefused(_("The endpoint refused the request"), detail=detail)


def _error_in_answer(error: object) -> ModelFailure:
    return ServerFailed(_("The endpoint failed"), detail=_said(error), retryable=True)


def no_server(address: str, detail: str) -> NoServer:
    hint = (
        _("Start the server of your model") if is_local(address) else _("Check the network and the address")
    )
    return NoServer(
        _("Nothing answers at {address}").format(address=address), detail=detail, hint=hint, retryable=True
    )


def no_endpoint(address: str, detail: str) -> NotAnEndpoint:
    return NotAnEndpoint(
        _("{address} is not an OpenAI-compatible endpoint").format(address=address),
        detail=detail,
        hint=_("The address often ends in /v1"),
    )


def too_slow() -> TooSlow:
    return TooSlow(
        _("The model took longer than the time limit"),
        hint=_("Allow it more time in the settings, or take a smaller model"),
        retryable=True,
    )


def too_long() -> TooLong:
    return TooLong(_("The model's answer is too long to be read"))


def _seconds(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < 3600 else None


def _said(body: object) -> str:
    """What an error says of itself; a web page is not shown as its source."""
    if isinstance(body, dict):
        body = body.get("message") or body.get("error") or body.get("detail") or body
    if isinstance(body, dict):
        body = body.get("message", body)
    if isinstance(body, str) and "<html" in body[:1000].lower():
        return _("a web page")
    return _one_line(str(body)) if body else ""


def _one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text[: _SHOWN * 2]).split())[
        :_SHOWN
    ]


def _bounded(inner: "httpx2.AsyncBaseTransport", headers: dict[str, str], max_bytes: int) -> Any:
    """A transport that sends no header but those that are needed, and reads no more than ``max_bytes``."""
    import httpx2

    class Bytes(httpx2.AsyncByteStream):
        def __init__(self, source: Any) -> None:
            self._source = source

        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = max_bytes
            async for piece in self._source:
                left -= len(piece)
                if left < 0:
                    raise too_long()
                yield piece

        async def aclose(self) -> None:
            await self._source.aclose()

    class Bounded(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            kept = {name: value for name, value in request.headers.items() if name.lower() in _KEPT_HEADERS}
            request.headers = httpx2.Headers({**kept, "accept-encoding": "identity", **headers})
            response = await inner.handle_async_request(request)
            packed = response.headers.get("content-encoding", "identity").strip().lower() or "identity"
            if packed != "identity":  # a small parcel can be a huge answer
                await response.aclose()
                raise no_endpoint(str(request.url), _("its answer is packed, though that was not asked for"))
            response.stream = Bytes(response.stream)
            return response

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()
