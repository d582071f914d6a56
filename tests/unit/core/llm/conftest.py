"""An endpoint of the tests' own: a real HTTP server on loopback that answers what a test tells it to, well or badly."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from reverie.llm import client as client_module
from reverie.llm.client import Client, Endpoint

Answer = Callable[["Handler"], None]


@dataclass
class Peer:
    """``answers`` are given one after another, the last again and again; ``models`` is its list."""

    address: str
    answers: list[Answer] = field(default_factory=list)
    models: list[str] = field(default_factory=lambda: ["small", "large:latest"])
    models_answer: Answer | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    leaving: threading.Event = field(default_factory=threading.Event)

    def client(self, model: str = "small", **more: Any) -> Client:
        pauses = more.pop("pauses_s", (0.0, 0.0, 0.0))
        max_bytes = more.pop("max_bytes", 1_000_000)
        preset = more.pop("preset", "own")
        endpoint = Endpoint.of(preset, model, address=self.address, **{"time_limit_s": 20.0, **more})
        return Client(endpoint, pauses_s=pauses, max_bytes=max_bytes)

    @property
    def chats(self) -> list[dict[str, Any]]:
        return [each["body"] for each in self.requests if each["path"].endswith("/chat/completions")]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    peer: Peer

    def do_GET(self) -> None:
        self._record(None)
        if self.peer.models_answer is not None:
            self.peer.models_answer(self)
            return
        self.give(json.dumps({"data": [{"id": name} for name in self.peer.models]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._record(body)
        done = len(self.peer.chats) - 1
        self.peer.answers[min(done, len(self.peer.answers) - 1)](self)

    def give(self, text: str, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self, kind: str = "text/event-stream") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, data: object) -> None:
        text = data if isinstance(data, str) else json.dumps(data)
        self.wfile.write(f"data: {text}\n\n".encode())
        self.wfile.flush()

    def piece(self, text: str, finish: str | None = None) -> None:
        self.event({"choices": [{"delta": {"content": text}, "finish_reason": finish}]})

    def log_message(self, *_args: object) -> None:
        pass

    def _record(self, body: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.peer.requests.append({"path": self.path, "headers": headers, "body": body})


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_args: object) -> None:
        """A client that has gone is what some tests are about."""


@pytest.fixture
def peer() -> Iterator[Peer]:
    with Server(("127.0.0.1", 0), Handler) as server:
        made = Peer(f"http://127.0.0.1:{server.server_port}/v1")
        server.RequestHandlerClass = type("Bound", (Handler,), {"peer": made})
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.leaving.set()
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    """What was found out of an endpoint is known to the whole process: each test begins without it."""
    client_module._known.clear()
    yield
    client_module._known.clear()


def says(text: str, finish: str | None = "stop", pieces: int = 3) -> Answer:
    """A stream as a good endpoint sends it."""

    def answer(handler: Handler) -> None:
        handler.begin_stream()
        handler.event({"choices": [{"delta": {"role": "assistant"}}]})
        step = max(1, -(-len(text) // pieces))
        for at in range(0, len(text), step):
            handler.piece(text[at : at + step])
        handler.piece("", finish)
        handler.event({"choices": [], "usage": {"total_tokens": 3}})
        handler.event("[DONE]")

    return answer


def fails(status: int, message: str = "it failed", **headers: str) -> Answer:
    return lambda handler: handler.give(json.dumps({"error": {"message": message}}), status, **headers)
