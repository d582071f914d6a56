"""Asking a model at an endpoint: synchronous, with time limits, a cancel, and pauses before it tries again.

Each call may be made from any thread. Nothing is sent before the first call, and nowhere but to the address that
the person configured.
"""

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from reverie.domain.progress import Cancel, never
from reverie.errors import Cancelled
from reverie.i18n import _
from reverie.llm.failures import (
    Busy,
    KeyRefused,
    ModelFailure,
    ModelMissing,
    NoServer,
    NotAnEndpoint,
    RequestRefused,
    ServerFailed,
)
from reverie.llm.presets import PRESETS, Preset, checked_address
from reverie.llm.wire import Reply, chat, connected, list_models, too_slow
from reverie.settings.declare import NO_SECRET, Secret

if TYPE_CHECKING:
    from reverie.llm.parser import Steps
    from reverie.llm.shapes import Shape

R = TypeVar("R")
S = TypeVar("S", bound="Shape")

PAUSES_S = (1.0, 3.0, 9.0)
MAX_BYTES = 16_000_000
MAX_CHARS = 1_000_000
_LOOK_EVERY_S = 0.05
_MODES: tuple[str, ...] = ("schema", "json-schema", "json", "plain")


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is and what may be asked of it. time_limit_s: for one answer, whole. max_tokens: of one answer."""

    preset: Preset
    address: str
    model: str
    key: Secret = NO_SECRET
    time_limit_s: float = 120.0
    max_tokens: int = 2048

    @classmethod
    def of(cls, preset: str, model: str, *, address: str = "", **more: Any) -> "Endpoint":
        """By the name of a preset; ``address`` stands for its own. Raises UserError where that is none."""
        known = PRESETS[preset]
        return cls(known, checked_address(address or known.address), model, **more)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a test of an endpoint found out. ``models``: empty where it gives no list. ``mode``: how it is asked for
    data ("schema", "json-schema", "json" or "plain"). ``seconds``: for one short answer."""

    models: tuple[str, ...]
    mode: str
    seconds: float


@dataclass(slots=True)
class _Habits:
    """What one model at one endpoint takes; found out by what it refuses."""

    mode: int = 0
    limit: str = ""
    temperature: bool = True
    lock: threading.Lock = field(default_factory=threading.Lock)


_known: dict[tuple[str, str], _Habits] = {}
_known_lock = threading.Lock()


class Client:
    """One endpoint, asked. pauses_s: how long to wait before each further try on 429, 5xx and a broken connection."""

    def __init__(
        self, endpoint: Endpoint, *, pauses_s: Sequence[float] = PAUSES_S, max_bytes: int = MAX_BYTES
    ) -> None:
        self.endpoint = endpoint
        self._pauses = tuple(pauses_s)
        self._max_bytes = max_bytes
        with _known_lock:
            self._habits = _known.setdefault(
                (endpoint.address, endpoint.model), _Habits(limit=endpoint.preset.limit)
            )

    @property
    def mode(self) -> str:
        """How data is asked for, as far as that is known by now."""
        return _MODES[self._habits.mode]

    def models(self, *, cancelled: Cancel = never) -> list[str]:
        """The names of all models there. Raises ModelFailure, Cancelled."""
        return self._tried(list_models, cancelled)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Cancel = never,
    ) -> Reply:
        """The answer in prose. on_text: called in this thread with each piece as it comes; once there was one,
        nothing is tried again. Raises ModelFailure, Cancelled."""
        return self._asked(messages, None, on_text, cancelled)

    def one(
        self,
        messages: Sequence[Message],
        shape: type[S],
        *,
        ids: Collection[object] | None = None,
        cancelled: Cancel = never,
    ) -> S:
        """One object of a shape (`parser.parse_one`). Raises ModelFailure, Cancelled."""
        from reverie.llm.parser import parse_one
        from reverie.llm.schema import schema_of

        reply = self._asked(messages, schema_of(shape, many=False), None, cancelled)
        return parse_one(reply.text, shape, ids=ids, cut=reply.cut)

    def many(
        self,
        messages: Sequence[Message],
        shape: type[S],
        *,
        ids: Collection[object] | None = None,
        cancelled: Cancel = never,
    ) -> "Steps[S]":
        """A list of objects of a shape (`parser.parse_many`). Raises ModelFailure, Cancelled."""
        from reverie.llm.parser import parse_many
        from reverie.llm.schema import schema_of

        reply = self._asked(messages, schema_of(shape, many=True), None, cancelled)
        return parse_many(reply.text, shape, ids=ids, cut=reply.cut)

    def check(self, *, cancelled: Cancel = never) -> Checked:
        """Whether the endpoint and its model do what Reverie needs. Raises ModelFailure that says what does not.

        Somebody waits for it: nothing is tried again.
        """
        if self._pauses:
            return Client(self.endpoint, pauses_s=(), max_bytes=self._max_bytes).check(cancelled=cancelled)
        from reverie.llm.shapes import Shape, Text

        class Ready(Shape):
            word: Text

        if self.endpoint.preset.needs_key and not self.endpoint.key:
            raise KeyRefused(
                _("{name} needs an API key").format(name=self.endpoint.preset.title),
                hint=_("Enter it in the settings"),
            )
        models: list[str] = []
        # Some have no list: whether they answer is seen below.
        with contextlib.suppress(NotAnEndpoint, RequestRefused, ModelMissing):
            models = self.models(cancelled=cancelled)
        self._be_listed(models)
        begun = time.monotonic()
        self.one([Message("user", _PING)], Ready, cancelled=cancelled)
        return Checked(tuple(models), self.mode, time.monotonic() - begun)

    def _be_listed(self, models: list[str]) -> None:
        wanted = self.endpoint.model
        listed = {*models, *(name.removesuffix(":latest") for name in models)}
        if wanted and (not models or wanted in listed):
            return
        near = get_close_matches(wanted, models, n=3, cutoff=0.3) or models[:3]
        raise ModelMissing(
            _("The endpoint does not have the model “{model}”").format(model=wanted)
            if wanted
            else _("No model is chosen"),
            hint=_("It has, for example: {names}").format(names=", ".join(near)) if near else "",
        )

    def _asked(
        self,
        messages: Sequence[Message],
        schema: dict[str, Any] | None,
        on_text: Callable[[str], None] | None,
        cancelled: Cancel,
    ) -> Reply:
        """Asks as the endpoint is known to take it; where it refuses, in the next plainer way, and remembers that."""
        trial = replace(self._habits)
        first: RequestRefused | NotAnEndpoint | None = None
        while True:
            body = self._body(messages, schema, trial)
            try:
                reply = self._tried(
                    lambda client, body=body, **more: chat(client, body, max_chars=MAX_CHARS, **more),
                    cancelled,
                    on_text or _unheard,
                )
            except RequestRefused as refused:
                first = first or refused
                if not _plainer(trial, refused, structured=schema is not None):
                    raise first from None
                continue
            with self._habits.lock:
                self._habits.mode, self._habits.limit = trial.mode, trial.limit
                self._habits.temperature = trial.temperature
            return reply

    def _body(
        self, messages: Sequence[Message], schema: dict[str, Any] | None, habits: _Habits
    ) -> dict[str, Any]:
        said = [{"role": each.role, "content": each.content} for each in messages]
        body: dict[str, Any] = {"model": self.endpoint.model, "messages": said}
        body[habits.limit] = self.endpoint.max_tokens
        if schema is None:
            return body
        from reverie.llm.schema import in_words

        mode = _MODES[habits.mode]
        if habits.temperature:
            body["temperature"] = 0
        if mode == "schema":
            wanted = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": wanted}
        elif mode == "json-schema":
            body["response_format"] = {"type": "json_object", "schema": schema}
        elif mode == "json":
            body["response_format"] = {"type": "json_object"}
        # Said in words as well: an endpoint may take a schema and give its model no notice of it.
        said[-1] = {**said[-1], "content": f"{said[-1]['content']}\n\n{in_words(schema)}"}
        return body

    def _tried(
        self,
        act: Callable[..., Coroutine[Any, Any, R]],
        cancelled: Cancel,
        on_text: Callable[[str], None] | None = None,
    ) -> R:
        """One request, tried again after a pause where another try may help and nothing of it was shown yet."""
        heard = _Heard(on_text) if on_text is not None else None
        more = {} if heard is None else {"on_text": heard}
        for pause in (*self._pauses, None):
            try:
                return _run(self._once(act, cancelled, more))
            except (Busy, ServerFailed, NoServer) as failure:
                if pause is None or (heard is not None and heard.shown):
                    raise
                asked = failure.wait_s if isinstance(failure, Busy) else None
                if asked is not None and asked > sum(self._pauses):
                    raise  # so long nobody waits: whoever called knows when to come again
                _wait(max(asked or 0.0, pause * random.uniform(0.75, 1.25)), cancelled)
        raise AssertionError("unreachable")

    async def _once(
        self, act: Callable[..., Coroutine[Any, Any, R]], cancelled: Cancel, more: dict[str, Any]
    ) -> R:
        async def exchange() -> R:
            endpoint = self.endpoint
            async with connected(
                endpoint.address, self._headers(), endpoint.time_limit_s, self._max_bytes
            ) as client:
                return await act(client, **more)

        ends = time.monotonic() + self.endpoint.time_limit_s
        task = asyncio.ensure_future(exchange())
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=_LOOK_EVERY_S)
                if task.done():
                    break
                if cancelled():
                    raise Cancelled
                if time.monotonic() >= ends:
                    raise too_slow()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=1.0)
        return task.result()

    def _headers(self) -> dict[str, str]:
        preset, key = self.endpoint.preset, self.endpoint.key.reveal()
        headers = {"user-agent": "Reverie", **dict(preset.headers)}
        if key:
            headers["authorization"] = f"Bearer {key}"
            if preset.key_header:
                headers[preset.key_header] = key
        return headers


class _Heard:
    """Hands each piece on, and knows whether there was one that somebody saw."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self.shown = False

    def __call__(self, text: str) -> None:
        self.shown = self._on_text is not _unheard
        self._on_text(text)


_PING = "This is a test of the connection. Answer with the word ready."


def _unheard(text: str) -> None:
    """An answer that is only wanted whole."""


def _plainer(habits: _Habits, refused: ModelFailure, *, structured: bool) -> bool:
    """Changes what the refusal speaks of, else takes the next plainer mode; False where nothing is left to try."""
    said = refused.detail.lower()
    if "max_completion_tokens" in said and habits.limit == "max_tokens":
        habits.limit = "max_completion_tokens"
    elif structured and "temperature" in said and habits.temperature:
        habits.temperature = False
    elif structured and habits.mode < len(_MODES) - 1:
        habits.mode += 1
    else:
        return False
    return True


def _wait(seconds: float, cancelled: Cancel) -> None:
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if cancelled():
            raise Cancelled
        time.sleep(min(left, _LOOK_EVERY_S))


def _run(work: Coroutine[Any, Any, R]) -> R:
    """Runs it to its end in this thread; in one of its own where this thread already runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _in_loop(work)
    with ThreadPoolExecutor(1, thread_name_prefix="reverie-model") as pool:
        return pool.submit(_in_loop, work).result()


def _in_loop(work: Coroutine[Any, Any, R]) -> R:
    """As asyncio.run, but for a name that is still being looked up: that can't be stopped, and is not waited for."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=1.0))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
