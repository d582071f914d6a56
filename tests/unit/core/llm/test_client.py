"""A model is asked over a real connection, and whatever the other side does ends in an answer or in words."""

import asyncio
import json
import threading
from typing import Any

import pytest
from tests.unit.core.llm.conftest import Answer, Handler, Peer, fails, says

from reverie.errors import Cancelled, UserError
from reverie.llm.client import Client, Endpoint, Message
from reverie.llm.failures import (
    Busy,
    Cut,
    Empty,
    KeyRefused,
    ModelFailure,
    ModelMissing,
    NoServer,
    NotAnEndpoint,
    NotJson,
    Refused,
    RequestRefused,
    ServerFailed,
    TooLong,
    TooSlow,
    WrongIds,
)
from reverie.llm.presets import PRESETS, checked_address, is_local
from reverie.llm.shapes import GivenId, Shape, Text
from reverie.settings import Secret

ASK = [Message("system", "Be short."), Message("user", "Which seat?")]


class Seat(Shape):
    seat: Text


class Pick(Shape):
    id: GivenId


WINDOW = json.dumps({"seat": "window"})


def test_an_answer_comes_piece_by_piece_in_the_thread_that_asked(peer: Peer) -> None:
    peer.answers = [says("By the window, please")]
    heard: list[tuple[str, int]] = []

    reply = peer.client().complete(ASK, on_text=lambda text: heard.append((text, threading.get_ident())))

    assert (reply.text, reply.cut) == ("By the window, please", False)
    assert "".join(text for text, _thread in heard) == reply.text
    assert len(heard) == 3
    assert {thread for _text, thread in heard} == {threading.get_ident()}
    assert peer.chats[0]["messages"] == [{"role": each.role, "content": each.content} for each in ASK]


@pytest.mark.parametrize(("finish", "cut"), [("stop", False), ("length", True), (None, None)])
def test_it_is_known_whether_an_answer_was_cut(peer: Peer, finish: str | None, cut: bool | None) -> None:
    peer.answers = [says("By the", finish)]

    assert peer.client().complete(ASK).cut is cut


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
@pytest.mark.parametrize(
    "content", ["window", [{"type": "text", "text": "win"}, {"type": "text", "text": "dow"}]]
)
def test_an_endpoint_that_does_not_stream_is_understood(peer: Peer, kind: str, content: Any) -> None:
    whole = {"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}
    peer.answers = [lambda handler: handler.give(json.dumps(whole), kind=kind)]

    assert peer.client().complete(ASK).text == "window"


def test_a_stream_under_a_wrong_name_is_understood(peer: Peer) -> None:
    def answer(handler: Handler) -> None:
        handler.begin_stream("text/plain")
        handler.piece("win")
        handler.piece("dow", "stop")
        handler.event("[DONE]")

    peer.answers = [answer]

    assert peer.client().complete(ASK).text == "window"


# What is tried again, and what is not


def _hangs_up(handler: Handler) -> None:
    handler.close_connection = True


def _fails_in_the_stream(handler: Handler) -> None:
    handler.begin_stream()
    handler.event({"error": {"message": "overloaded"}})


@pytest.mark.parametrize(
    "bad", [fails(429, retry_after="0"), fails(500), fails(503), _hangs_up, _fails_in_the_stream]
)
def test_a_passing_fault_is_tried_again(peer: Peer, bad: Answer) -> None:
    peer.answers = [bad, bad, says("window")]

    assert peer.client().complete(ASK).text == "window"
    assert len(peer.chats) == 3


def test_half_an_answer_is_asked_for_again(peer: Peer) -> None:
    def half(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("content-length", "100000")
        handler.end_headers()
        handler.piece("win")
        handler.close_connection = True

    peer.answers = [half, says(WINDOW)]

    assert peer.client().one(ASK, Seat).seat == "window"


def test_what_was_already_shown_is_not_asked_for_again(peer: Peer) -> None:
    def half(handler: Handler) -> None:
        handler.begin_stream()
        handler.piece("win")
        handler.event({"error": {"message": "out of memory"}})

    peer.answers = [half]
    heard: list[str] = []

    with pytest.raises(ServerFailed, match="out of memory"):
        peer.client().complete(ASK, on_text=heard.append)

    assert heard == ["win"]
    assert len(peer.chats) == 1


@pytest.mark.parametrize(
    ("status", "message", "failure"),
    [
        (400, "bad", RequestRefused),
        (401, "invalid key", KeyRefused),
        (403, "no", KeyRefused),
        (404, "model 'small' not found", ModelMissing),
        (404, "page missing", NotAnEndpoint),
        (408, "slow", RequestRefused),
        (409, "locked", RequestRefused),
        (422, "bad", RequestRefused),
    ],
)
def test_what_the_asker_did_wrong_is_never_tried_again(
    peer: Peer, status: int, message: str, failure: type[ModelFailure]
) -> None:
    peer.answers = [fails(status, message, x_should_retry="true")]

    with pytest.raises(failure) as caught:
        peer.client().complete(ASK)

    assert len(peer.chats) == 1
    assert message in str(caught.value)


@pytest.mark.parametrize(("status", "failure"), [(429, Busy), (500, ServerFailed)])
def test_it_is_given_up_after_the_last_pause(peer: Peer, status: int, failure: type[ModelFailure]) -> None:
    peer.answers = [fails(status)]

    with pytest.raises(failure) as caught:
        peer.client().complete(ASK)

    assert len(peer.chats) == 4
    assert caught.value.retryable


def test_a_wait_that_nobody_waits_for_is_told(peer: Peer) -> None:
    peer.answers = [fails(429, retry_after="900")]

    with pytest.raises(Busy) as caught:
        peer.client().complete(ASK)

    assert caught.value.wait_s == 900
    assert len(peer.chats) == 1


# Broken and hostile answers


def test_no_server_is_told_in_words() -> None:
    client = Client(Endpoint.of("own", "small", address="http://127.0.0.1:9/v1"), pauses_s=())

    with pytest.raises(NoServer, match="Nothing answers"):
        client.check()


def test_an_answer_without_end_is_not_read_to_its_end(peer: Peer) -> None:
    def flood(handler: Handler) -> None:
        handler.begin_stream()
        while not handler.peer.leaving.is_set():
            handler.piece("x" * 1000)

    peer.answers = [flood]

    with pytest.raises(TooLong):
        peer.client(max_bytes=200_000).complete(ASK)


@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_body_without_end_is_not_read_to_its_end(peer: Peer, status: int) -> None:
    def flood(handler: Handler) -> None:
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        while not handler.peer.leaving.is_set():
            handler.wfile.write(b"x" * 10_000)

    peer.answers = [flood]

    with pytest.raises((TooLong, NotAnEndpoint)):
        peer.client(max_bytes=200_000, pauses_s=()).complete(ASK)


def test_a_packed_answer_is_not_unpacked(peer: Peer) -> None:
    peer.answers = [lambda handler: handler.give("x", content_encoding="gzip")]

    with pytest.raises(NotAnEndpoint, match="packed"):
        peer.client().complete(ASK)


def test_a_slow_answer_ends_at_the_time_limit(peer: Peer) -> None:
    def drip(handler: Handler) -> None:
        handler.begin_stream()
        while not handler.peer.leaving.wait(0.02):
            handler.piece("x")

    peer.answers = [drip]

    with pytest.raises(TooSlow):
        peer.client(time_limit_s=0.3).complete(ASK)
    assert len(peer.chats) == 1


@pytest.mark.parametrize("begun", [False, True])
def test_a_cancel_is_heard_while_nothing_comes(peer: Peer, begun: bool) -> None:
    def silence(handler: Handler) -> None:
        if begun:
            handler.begin_stream()
            handler.piece("x")
        handler.peer.leaving.wait()

    peer.answers = [silence]

    with pytest.raises(Cancelled):
        peer.client().complete(ASK, cancelled=lambda: bool(peer.chats))


def test_a_cancel_is_heard_while_a_name_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, known = threading.Event(), threading.Event()

    def never_known(*_args: object, **_more: object) -> list[Any]:
        asked.set()
        known.wait()
        raise OSError("no such host")

    monkeypatch.setattr("socket.getaddrinfo", never_known)
    client = Client(Endpoint.of("own", "small", address="http://host.invalid/v1"), pauses_s=())

    with pytest.raises(Cancelled):
        client.complete(ASK, cancelled=asked.is_set)
    known.set()


def test_a_cancel_is_heard_in_a_pause(peer: Peer) -> None:
    peer.answers = [fails(500)]

    with pytest.raises(Cancelled):
        peer.client(pauses_s=(60.0,)).complete(ASK, cancelled=lambda: bool(peer.chats))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!doctype html><html><body>Sign in</body></html>", "text/html"),
        ("Welcome", "text/plain"),
        ("{}", "application/json"),
        ("[1, 2]", "application/json"),
        ('{"choices": "none"}', "application/json"),
        ("data: {not json}\n\n", "text/event-stream"),
        ("", "text/event-stream"),
        ("", "application/json"),
        ("[" * 100_000, "application/json"),
    ],
)
def test_what_is_no_endpoint_is_told(peer: Peer, text: str, kind: str) -> None:
    peer.answers = [lambda handler: handler.give(text, kind=kind)]

    with pytest.raises(NotAnEndpoint):
        peer.client(pauses_s=()).complete(ASK)


def test_an_error_page_is_not_shown_as_its_source(peer: Peer) -> None:
    peer.answers = [lambda handler: handler.give("<html><script>x</script></html>", 502, "text/html")]

    with pytest.raises(ServerFailed) as caught:
        peer.client().complete(ASK)
    assert "<" not in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_told_and_never_followed(peer: Peer, status: int) -> None:
    peer.answers = [lambda handler: handler.give("", status, location="http://127.0.0.1:9/elsewhere")]

    with pytest.raises(NotAnEndpoint, match="elsewhere"):
        peer.client(key=Secret("k")).complete(ASK)
    assert len(peer.requests) == 1


@pytest.mark.parametrize(
    ("event", "failure"),
    [
        ({"choices": [{"delta": {"refusal": "I will not"}, "finish_reason": "stop"}]}, Refused),
        ({"choices": [{"delta": {}, "finish_reason": "content_filter"}]}, Refused),
        ({"choices": [{"delta": {"content": "  "}, "finish_reason": "stop"}]}, Empty),
        ({"choices": [{"delta": None}]}, Empty),
        ({"choices": [None]}, Empty),
        ({"choices": []}, Empty),
    ],
)
def test_a_refusal_and_an_empty_answer_are_failures(
    peer: Peer, event: Any, failure: type[ModelFailure]
) -> None:
    def answer(handler: Handler) -> None:
        handler.begin_stream()
        handler.event(event)
        handler.event("[DONE]")

    peer.answers = [answer]

    with pytest.raises(failure):
        peer.client().complete(ASK)


# Data


def test_data_is_asked_for_by_schema_and_read_by_the_parser(peer: Peer) -> None:
    peer.answers = [
        says('[{"id": "1"}, {"id": "9"}]'),
        says('[{"id": "9"}]'),
        says('{"items": [{"id": "1"}, {"i', "length"),
    ]
    client = peer.client()

    steps = client.many(ASK, Pick, ids=["1", "2"])
    assert [step.id for step in steps.kept] == ["1"]
    assert [type(each) for each in steps.refused] == [WrongIds]
    with pytest.raises(WrongIds):
        client.many(ASK, Pick, ids=["1", "2"])
    assert client.many(ASK, Pick, ids=["1"]).cut

    wanted = peer.chats[0]["response_format"]
    assert wanted["type"] == "json_schema"
    assert wanted["json_schema"]["schema"]["properties"]["items"]["items"]["required"] == ["id"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (422, "response_format is not known"),
        (400, "bad request"),
        (500, "1 validation error: response_format.type should be 'text' or 'json_object'"),
        (501, "json_schema is not supported"),
    ],
)
@pytest.mark.parametrize(
    ("taken", "mode"), [("json_object+schema", "json-schema"), ("json_object", "json"), ("none", "plain")]
)
def test_how_data_is_asked_for_is_found_out_once(
    peer: Peer, taken: str, mode: str, status: int, words: str
) -> None:
    def answer(handler: Handler) -> None:
        wanted = handler.peer.chats[-1].get("response_format", {"type": "none"})
        name = wanted["type"] + ("+schema" if "schema" in wanted else "")
        (says(WINDOW) if name == taken else fails(status, words))(handler)

    peer.answers = [answer]
    client = peer.client()

    assert client.one(ASK, Seat).seat == "window"
    assert client.mode == mode
    assert len(peer.chats) <= 4
    before = len(peer.chats)
    assert peer.client().one(ASK, Seat).seat == "window"
    assert len(peer.chats) == before + 1
    assert '"seat"' in peer.chats[-1]["messages"][-1]["content"]


def test_a_request_that_no_mode_mends_is_refused_with_its_own_words_and_nothing_is_remembered(
    peer: Peer,
) -> None:
    peer.answers = [fails(400, "the context is too long")]
    client = peer.client()

    with pytest.raises(RequestRefused, match="too long"):
        client.one(ASK, Seat)

    assert client.mode == "schema"


def test_what_a_model_does_not_take_is_left_out(peer: Peer) -> None:
    def answer(handler: Handler) -> None:
        body = handler.peer.chats[-1]
        if "max_tokens" in body:
            fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")(handler)
        elif "temperature" in body:
            fails(400, "temperature does not support 0")(handler)
        else:
            says(WINDOW)(handler)

    peer.answers = [answer]
    client = peer.client(max_tokens=77)

    assert client.one(ASK, Seat).seat == "window"
    assert client.mode == "schema"
    assert peer.chats[-1]["max_completion_tokens"] == 77


def test_prose_where_data_was_asked_for_is_a_failure(peer: Peer) -> None:
    peer.answers = [says("The window seat."), says('{"seat": "win', "length")]

    with pytest.raises(NotJson):
        peer.client().one(ASK, Seat)
    with pytest.raises(Cut):
        peer.client().one(ASK, Seat)


# The test of an endpoint


def test_a_good_endpoint_passes_its_test(peer: Peer) -> None:
    peer.answers = [says('{"word": "ready"}')]

    checked = peer.client("large").check()

    assert checked.models == ("small", "large:latest")
    assert checked.mode == "schema"


def test_an_endpoint_without_a_list_passes_too(peer: Peer) -> None:
    peer.models_answer = fails(404)
    peer.answers = [says('{"word": "ready"}')]

    assert peer.client().check().models == ()


def test_a_missing_model_is_told_with_those_that_are_near(peer: Peer) -> None:
    with pytest.raises(ModelMissing, match=r"smal2.*small"):
        peer.client("smal2").check()
    with pytest.raises(ModelMissing, match=r"No model is chosen.*small"):
        peer.client("").check()
    assert not peer.chats


def test_a_refused_or_missing_key_is_told(peer: Peer) -> None:
    peer.models_answer = fails(401, "Incorrect API key provided: sk-1***2")

    with pytest.raises(KeyRefused, match="Incorrect"):
        peer.client(key=Secret("sk-12")).check()
    requests = len(peer.requests)
    with pytest.raises(KeyRefused, match="needs an API key"):
        peer.client(preset="openai").check()
    assert len(peer.requests) == requests


def test_a_model_that_gives_no_data_fails_the_test(peer: Peer) -> None:
    peer.answers = [says("I am ready!")]

    with pytest.raises(NotJson):
        peer.client().check()


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({"data": [{"id": "a"}, {"id": "a"}, {"name": "b"}, {}, None, {"id": 5}, "c"]}, ["a", "b", "c"]),
        ({"models": [{"name": "models/gemini"}]}, ["gemini"]),
        (["x"], ["x"]),
    ],
)
def test_lists_of_models_are_read_in_each_known_form(peer: Peer, said: Any, names: list[str]) -> None:
    peer.models_answer = lambda handler: handler.give(json.dumps(said))

    assert peer.client().models() == names


# What is sent, and where


def test_nothing_is_sent_that_the_act_does_not_need(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, f"of-another-program-{name}")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    peer.answers = [says("window")]

    peer.client().complete(ASK)
    peer.client(key=Secret("mine")).complete(ASK)
    peer.client(key=Secret("mine"), preset="anthropic").models()

    first, second, third = (each["headers"] for each in peer.requests)
    assert set(first) <= {"host", "accept", "accept-encoding", "content-type", "content-length", "user-agent"}
    assert second["authorization"] == "Bearer mine"
    assert third["x-api-key"] == "mine"
    assert "of-another-program" not in json.dumps(peer.requests)
    assert first["user-agent"] == "Reverie"


def test_it_may_be_called_where_an_event_loop_runs(peer: Peer) -> None:
    peer.answers = [says("window")]

    async def ask() -> str:
        return peer.client().complete(ASK).text

    assert asyncio.run(ask()) == "window"


def test_many_threads_may_ask_at_once(peer: Peer) -> None:
    peer.answers = [says(WINDOW)]
    client = peer.client()
    seats: list[str] = []
    threads = [
        threading.Thread(target=lambda: seats.append(client.one(ASK, Seat).seat)) for _each in range(8)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seats == ["window"] * 8


def test_no_preset_leaves_the_machine_without_a_key() -> None:
    for preset in PRESETS.values():
        if preset.address:
            assert checked_address(preset.address) == preset.address
            assert is_local(preset.address) != preset.needs_key


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://127.0.0.1:8091", "http://127.0.0.1:8091/v1"),
        (" https://host.example/api/v1/ ", "https://host.example/api/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1"),
    ],
)
def test_an_address_is_brought_to_one_form(given: str, used: str) -> None:
    assert checked_address(given) == used


@pytest.mark.parametrize(
    "given",
    [
        "",
        "localhost:8080",
        "ftp://host/v1",
        "http://",
        "http://h:99999",
        "http://u:p@h/v1",
        "file://host",
        "http://h/v1?k=1",
    ],
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(UserError):
        checked_address(given)
