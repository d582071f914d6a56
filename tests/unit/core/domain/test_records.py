import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.insight import Insight
from reverie.domain.knowledge_base import KnowledgeBase
from reverie.domain.memory import Kind, LinkKind, Memory, MemoryLink, Place, Provenance, State
from reverie.domain.records import (
    insight_record,
    instant_text,
    link_record,
    memory_fields,
    memory_record,
    read_insight,
    read_instant,
    read_knowledge_base,
    read_link,
    read_memory,
)
from reverie.errors import UserError

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
INSTANTS = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.lists(TEXT.filter(str.strip), max_size=3).map(tuple)
MEMORIES = st.builds(
    Memory,
    id=st.text("0123456789abcdef", min_size=12, max_size=12),
    kb=st.sampled_from(["default", "work"]),
    kind=st.sampled_from(Kind),
    content=TEXT.filter(str.strip),
    category=st.sampled_from(["general", "people/ada-l", "a_b"]),
    created_at=INSTANTS,
    updated_at=INSTANTS,
    key=st.none() | TEXT.filter(str.strip),
    summary=TEXT,
    tags=st.lists(st.sampled_from(["a", "B c", "é"]), unique=True).map(tuple),
    entities=NAMES,
    topics=NAMES,
    importance=st.floats(0, 1),
    provenance=st.builds(
        Provenance,
        source=TEXT,
        file=TEXT,
        item=st.none() | st.text("0123456789abcdef", min_size=12, max_size=12),
        chat=TEXT,
        message=TEXT,
        place=st.builds(
            Place,
            page=st.none() | st.integers(1, 999),
            row=st.none() | st.integers(1, 999),
            heading=TEXT,
            start=st.none() | st.floats(0, 1e5),
        ),
    ),
    session=TEXT,
    author=st.sampled_from(["person", "agent:ada"]),
    state=st.sampled_from(State),
    pinned=st.booleans(),
    muted=st.booleans(),
    is_consolidated=st.booleans(),
    content_hash=st.just("abc"),
    metadata=st.dictionaries(TEXT, JSON, max_size=3),
    expires_at=st.none() | INSTANTS,
    valid_from=st.none() | INSTANTS,
    valid_until=st.none() | INSTANTS,
    reinforced=st.integers(0, 99),
    last_seen_at=st.none() | INSTANTS,
)


@given(MEMORIES)
def test_a_memory_comes_back_with_every_field_equal(memory):
    assert read_memory(json.loads(json.dumps(memory_record(memory)))) == memory


def test_a_record_holds_every_field_of_a_memory():
    memory = Memory("1", "default", Kind.NOTE, "Hi", "general", *[datetime(2026, 1, 1, tzinfo=UTC)] * 2)
    assert memory_record(memory).keys() == set(Memory.__slots__)


def test_what_a_store_works_out_by_itself_is_no_field_of_a_new_memory():
    memory = Memory("1", "default", Kind.NOTE, "Hi", "general", *[datetime(2026, 1, 1, tzinfo=UTC)] * 2)
    assert set(Memory.__slots__) - memory_fields(memory_record(memory)).keys() == {
        "content_hash",
        "updated_at",
        "state",
    }


@given(
    st.builds(
        Insight,
        id=TEXT.filter(str.strip),
        kb=st.just("work"),
        content=TEXT.filter(str.strip),
        sources=NAMES,
        created_at=INSTANTS,
        run=st.none() | st.just("run"),
        state=st.sampled_from(State),
        summary=TEXT,
        importance=st.floats(0, 1),
    )
)
def test_an_insight_comes_back(insight):
    assert read_insight(json.loads(json.dumps(insight_record(insight)))) == insight


@pytest.mark.parametrize("kind", LinkKind)
def test_a_link_comes_back(kind):
    link = MemoryLink("a", "b", kind, "knows")
    assert read_link(link_record(link)) == link


def test_a_knowledge_base_comes_back():
    record = {"name": "work", "always_on": True, "consolidate_interval_mins": 5, "unknown": 1, "inbox": None}
    assert read_knowledge_base(record) == KnowledgeBase("work", always_on=True, consolidate_interval_mins=5)
    with pytest.raises(UserError, match="always_on"):
        read_knowledge_base({"name": "work", "always_on": "yes"})


def test_instants_are_utc_with_microseconds():
    instant = datetime(2026, 5, 12, 10, 0, tzinfo=timezone(timedelta(hours=2)))
    assert instant_text(instant) == "2026-05-12T08:00:00.000000Z"
    assert read_instant("2026-05-12T10:00:00+02:00") == instant
    assert read_instant("2026-05-12T08:00:00") == instant  # no zone: UTC, as every dump has it


GOOD = {"id": "1", "content": "Hi", "created_at": "2026-01-01T00:00:00Z"}


def test_three_fields_are_enough_and_unknown_ones_do_no_harm():
    memory = read_memory({**GOOD, "id": 12, "mood": "fine", "tags": None})
    assert (memory.id, memory.category, memory.kind, memory.updated_at) == (
        "12",
        "general",
        Kind.NOTE,
        memory.created_at,
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", None),
        ("id", ""),
        ("content", None),
        ("content", 7),
        ("created_at", None),
        ("created_at", "soon"),
        ("created_at", 12),
        ("kind", "mood"),
        ("state", "gone"),
        ("tags", "a"),
        ("tags", [1]),
        ("metadata", []),
        ("provenance", "file"),
        ("pinned", "yes"),
        ("importance", "high"),
        ("importance", True),
        ("reinforced", "twice"),
        ("summary", 3),
    ],
)
def test_a_wrong_field_is_named(field, value):
    with pytest.raises(UserError, match=field):
        read_memory({**GOOD, field: value})
