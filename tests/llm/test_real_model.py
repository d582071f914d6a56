"""The same paths against a real model: whatever it says, what comes out is of the form that was asked for, or a failure.

How often it was right is printed, not asserted: a small model is a poor judge, and a good test of the checks.
"""

import os
import sys

import pytest
from pydantic import Field

from reverie.llm.client import Client, Endpoint, Message
from reverie.llm.failures import AnswerFailure
from reverie.llm.shapes import GivenId, Shape, Share, Text, Texts

pytestmark = [pytest.mark.llm, pytest.mark.timeout(900)]

NOTES = {
    "1": "Ada prefers a window seat on long flights.",
    "2": "On long flights, Ada likes to sit by the window.",
    "3": "The invoice of Nordwind over 1,200 euros is due on 3 May.",
    "4": "Ben is allergic to peanuts.",
    "5": "Ben must not eat peanuts: he has an allergy.",
}


class Summary(Shape):
    summary: Text
    entities: Texts = Field(default_factory=list)
    topics: Texts = Field(default_factory=list)
    importance: Share = 0.5


class Merge(Shape):
    ids: list[GivenId] = Field(min_length=2)
    content: Text


@pytest.fixture(scope="module")
def client() -> Client:
    address = os.environ.get("REVERIE_TEST_LLM", "")
    if not address:
        pytest.skip("REVERIE_TEST_LLM names no endpoint")
    first = Client(Endpoint.of("own", "", address=address))
    model = os.environ.get("REVERIE_TEST_LLM_MODEL") or first.models()[0]
    return Client(Endpoint.of("own", model, address=address, time_limit_s=120, max_tokens=400))


def test_it_passes_its_test(client: Client) -> None:
    checked = client.check()

    _tell(f"{client.endpoint.model.rpartition('/')[2]}: data by {checked.mode}, {checked.seconds:.1f} s")


def test_it_streams(client: Client) -> None:
    pieces: list[str] = []

    reply = client.complete([Message("user", "Name three colours.")], on_text=pieces.append)

    assert "".join(pieces) == reply.text
    assert len(pieces) > 1


def test_notes_become_fields(client: Client) -> None:
    for note in NOTES.values():
        rules = "Summarise the note in one sentence. List its entities, two topics, and its importance from 0 to 1."
        try:
            made = client.one([Message("system", rules), Message("user", note)], Summary)
        except AnswerFailure as failure:
            _tell(f"{type(failure).__name__}: {failure}")
            continue
        assert 0 <= made.importance <= 1
        _tell(f"{note} -> {made}")


def test_merges_name_only_what_was_given(client: Client) -> None:
    listed = "\n".join(f"{number}: {text}" for number, text in NOTES.items())
    rules = "Which of these notes say the same? Answer each group with the ids and one merged note."
    for ids in (list(NOTES), ["1", "2"]):  # the second asks of it what it may not name
        try:
            steps = client.many([Message("system", rules), Message("user", listed)], Merge, ids=ids)
        except AnswerFailure as failure:
            _tell(f"{type(failure).__name__}: {failure}")
            continue
        assert all(set(step.ids) <= set(ids) for step in steps.kept)
        _tell(
            f"kept {[(step.ids, step.content) for step in steps.kept]}, refused {[str(each) for each in steps.refused]}"
        )


def _tell(text: str) -> None:
    sys.stderr.write(f"\n    {text}")
