import json
import shutil
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.memory import MemoryFilter, State
from reverie.errors import Cancelled, Conflict, UserError
from reverie.store.database import Database
from reverie.transfer.export import export
from reverie.transfer.restore import import_json


def dump_of(*records, **sections):
    return json.dumps({"format": "reverie", "version": 1, "memories": list(records), **sections})


def record(id, content="Something", **fields):
    return {"id": id, "content": content, "created_at": "2026-01-01T00:00:00Z", **fields}


@pytest.fixture
def take(vault, tmp_path):
    """Imports a text into a new vault; gives the vault and the report."""
    database = vault("new")

    def run(text, **fields):
        path = tmp_path / "dump.json"
        path.write_text(text, encoding="utf-8")
        return database, import_json(database.dumps, path, **fields)

    return run


def test_a_vault_comes_back_with_every_field(filled, vault, tmp_path, everything):
    export(filled.dumps, tmp_path / "dump.json")
    other = vault("other")
    report = import_json(other.dumps, tmp_path / "dump.json")
    assert everything(other) == everything(filled)
    assert report.new == {
        "knowledge_bases": 1,
        "memories": 4,
        "insights": 1,
        "links": 1,
        "sessions": 2,
        "messages": 4,
    }
    assert report.known == {"knowledge_bases": 1}
    assert report.problems == ()


def test_the_same_dump_again_adds_nothing_and_loses_nothing(filled, vault, tmp_path, everything):
    export(filled.dumps, tmp_path / "dump.json")
    before = everything(filled)
    operations = filled.history.list()
    report = import_json(filled.dumps, tmp_path / "dump.json")
    assert report.new == {}
    assert report.known == {
        "knowledge_bases": 2,
        "memories": 4,
        "insights": 1,
        "links": 1,
        "sessions": 2,
        "messages": 4,
    }
    assert everything(filled) == before
    assert filled.history.list() == operations


def test_what_was_edited_or_deleted_since_stays_so(filled, tmp_path):
    export(filled.dumps, tmp_path / "dump.json")
    first, second = filled.memories.list(MemoryFilter(states=(State.ACTIVE,)))
    filled.memories.update(first.id, content="Edited")
    filled.memories.trash(second.id)
    assert import_json(filled.dumps, tmp_path / "dump.json").new == {}
    assert filled.memories.get(first.id).content == "Edited"
    assert filled.memories.get(second.id).state is State.TRASHED


def test_it_is_one_changeset_and_undone_as_one(filled, vault, tmp_path, everything):
    export(filled.dumps, tmp_path / "dump.json")
    other = vault("other")
    before = everything(other)
    report = import_json(other.dumps, tmp_path / "dump.json")
    (changes,) = other.history.list(author=f"import:{report.id}")
    assert changes.detail["file"] == "dump.json"
    other.history.undo(changes.id)
    assert everything(other) == before
    assert import_json(other.dumps, tmp_path / "dump.json").new == report.new


def test_one_bad_record_never_stops_the_others(take):
    database, report = take(
        '{"format": "reverie", "version": 1, "memories": ['
        + ", ".join(
            [
                json.dumps(record("1")),
                "{oops}",
                json.dumps({"id": "3"}),
                "7",
                json.dumps(record("5", " ")),
                json.dumps(record("6", kb="a/b")),
                json.dumps(record("7")),
            ]
        )
        + '], "insights": [{"id": "i", "content": "x", "created_at": "2026-01-01", "sources": ["99"]}],'
        + ' "links": [{"source": "1", "target": "99", "kind": "connected"}, {"source": "1", "target": "7", "kind": "connected"}]}'
    )
    assert report.new == {"memories": 2, "links": 1}
    assert [(problem.section, problem.number) for problem in report.problems] == [
        ("memories", 2),
        ("memories", 3),
        ("memories", 4),
        ("memories", 5),
        ("memories", 6),
        ("insights", 1),
        ("links", 1),
    ]
    assert {memory.id for memory in database.memories.list()} == {"1", "7"}


def test_a_cut_file_gives_what_stands_before_the_cut(take):
    text = dump_of(*(record(str(n)) for n in range(1, 6)))
    database, report = take(text[: text.index('"4"') + 20])
    assert report.new == {"memories": 3}
    assert report.problems
    assert database.memories.count() == 3


def test_sections_may_stand_in_any_order(take):
    memory = record("1", kb="work")
    text = json.dumps(
        {
            "links": [{"source": "1", "target": "2", "kind": "connected"}],
            "insights": [{"id": "i", "content": "x", "created_at": "2026-01-01", "sources": ["1"]}],
            "memories": [memory, record("2")],
            "knowledge_bases": [{"name": "work", "always_on": True}],
            "mood": ["fine"],
            "format": "reverie",
        }
    )
    database, report = take(text)
    assert report.new == {"knowledge_bases": 1, "memories": 2, "insights": 1, "links": 1}
    assert database.memories.get("1").kb == "work"
    assert database.knowledge_bases.get("work").always_on
    assert database.insights.get("i").sources == ("1",)


def test_a_base_that_is_named_before_its_own_record_comes(take):
    many = [record(str(n), kb="work") for n in range(450)]
    database, report = take(dump_of(*many, knowledge_bases=[{"name": "work", "always_on": True}]))
    assert report.new == {"memories": 450, "knowledge_bases": 1}
    assert database.knowledge_bases.get("work").always_on


def test_a_byte_order_mark_and_half_an_emoji_do_no_harm(take):
    database, report = take("\ufeff" + dump_of(record("1")).replace("Something", "Some\\ud83d"))
    assert report.new == {"memories": 1}
    assert database.memories.get("1").content == "Some\ufffd"


def test_a_key_that_another_memory_has_is_reported(take):
    text = dump_of(record("1", key="k"), record("2", key="k"), record("3", key="k", state="trashed"))
    _database, report = take(text)
    assert report.new == {"memories": 2}
    (problem,) = report.problems
    assert (problem.number, "k" in problem.reason) == (2, True)


def test_the_same_text_under_two_ids_stays_two(take):
    database, report = take(dump_of(record("1"), record("2")))
    assert report.new == {"memories": 2}
    assert database.memories.count() == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "no json",
        '{"memories": []}',
        '{"format": "other", "memories": []}',
        '{"format": "reverie", "version": 2}',
        '{"format": "reverie", "version": "new"}',
    ],
)
def test_what_is_no_dump_is_refused_whole(take, text):
    with pytest.raises(UserError):
        take(text)


def test_a_file_that_is_not_there(vault, tmp_path):
    with pytest.raises(UserError, match="can't be read"):
        import_json(vault("new").dumps, tmp_path / "missing.json")
    with pytest.raises(UserError, match="can't be read"):
        import_json(vault("new").dumps, tmp_path)


def test_a_cancel_leaves_nothing(take, vault, everything):
    text = dump_of(*(record(str(n), kb="work") for n in range(1000)))
    before = everything(vault("new"))
    asked = []
    with pytest.raises(Cancelled):
        take(text, cancelled=lambda: asked.append(0) or len(asked) == 4)
    database = vault("new")
    assert everything(database) == before
    assert database.history.list() == []
    _database, report = take(text)
    assert report.new == {"memories": 1000}


def test_nothing_is_seen_before_all_is_there(take, vault):
    other = vault("new")
    seen = []
    take(
        dump_of(*(record(str(n)) for n in range(1000))),
        progress=lambda *a: seen.append(other.memories.count()),
    )
    assert set(seen) == {0}
    assert other.memories.count() == 1000


def test_an_export_beside_it_holds_nothing_of_it(take, vault, tmp_path):
    other = vault("new")
    counts = []

    def look(done, total, what):
        counts.append(export(other.dumps, tmp_path / "beside.json").counts["memories"])

    take(dump_of(*(record(str(n)) for n in range(1000))), progress=look)
    assert len(counts) > 3
    assert set(counts) == {0}


def test_a_dream_beside_it_sees_nothing_of_it(take, vault):
    other = vault("new")
    seen = []
    take(
        dump_of(*(record(str(n)) for n in range(1000))),
        progress=lambda *a: seen.append(len(other.dreams.heads("default"))),
    )
    assert set(seen) == {0}
    assert len(other.dreams.heads("default")) == 1000


def test_a_key_is_taken_from_the_moment_that_an_import_has_it(take, vault):
    other = vault("new")
    asked, refused = [], []

    def take_key(done, total, what):
        asked.append(0)
        if len(asked) == 3:
            with pytest.raises(Conflict):
                other.memories.add("Mine", key="k1")
            refused.append(done)

    take(dump_of(*(record(str(n), key=f"k{n}") for n in range(1000))), progress=take_key)
    assert refused
    assert other.memories.count() == 1000


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "content": st.text(min_size=1).filter(str.strip),
                "tags": st.lists(st.text(min_size=1, max_size=5), max_size=3),
                "entities": st.lists(st.text(max_size=5), max_size=3),
                "importance": st.floats(0, 1),
                "metadata": st.dictionaries(
                    st.text(max_size=5), st.none() | st.integers() | st.text(max_size=5), max_size=3
                ),
                "created_at": st.datetimes(
                    datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)
                ),
                "summary": st.text(max_size=20),
            }
        ),
        max_size=5,
    )
)
def test_whatever_can_be_stored_comes_back_equal(tmp_path_factory, blank, everything, records):
    folder = tmp_path_factory.mktemp("round")
    for name in ("a.db", "b.db"):
        shutil.copy(blank, folder / name)
    first, second = Database(folder / "a.db", folder), Database(folder / "b.db", folder)
    try:
        for fields in records:
            first.memories.add(**fields)
        export(first.dumps, folder / "dump.json")
        report = import_json(second.dumps, folder / "dump.json")
        assert report.problems == ()
        assert everything(second) == everything(first)
    finally:
        first.close()
        second.close()


class TestConversations:
    """Sessions and messages come in as memories do."""

    @staticmethod
    def message(id, session="s", role="user", **fields):
        return record(id, session=session, role=role, **fields)

    def test_messages_may_come_before_their_session(self, take):
        many = [self.message(f"m{n}") for n in range(450)]
        session = {"id": "s", "kb": "work", "title": "Plans", "created_at": "2025-01-01T00:00:00Z"}
        text = json.dumps({"format": "reverie", "messages": many, "sessions": [session]})
        database, report = take(text)
        assert report.new == {"messages": 450, "sessions": 1}
        (found,) = database.conversations.sessions()
        assert (found.title, found.kb, found.message_count) == ("Plans", "work", 450)
        assert found.created_at == datetime(2025, 1, 1, tzinfo=UTC)

    def test_one_bad_record_never_stops_the_others(self, take):
        good = self.message("good")
        sessions = [
            {"id": "s", "created_at": "2025-01-01T00:00:00Z"},
            {"id": "no instant"},
            {"id": "bad base", "kb": "a/b", "created_at": "2025-01-01T00:00:00Z"},
        ]
        messages = [
            good,
            7,
            self.message("says nothing", content=""),
            self.message("nobody", role="narrator"),
            {"id": "no session", "role": "user", "content": "x", "created_at": "2025-01-01"},
            self.message("wrong calls", tool_calls="none"),
            self.message("too early", created_at="0001-01-01T00:00:00Z"),
            self.message(8),
        ]
        database, report = take(dump_of(sessions=sessions, messages=messages))
        assert report.new == {"sessions": 1, "messages": 2}
        assert {(problem.section, problem.number) for problem in report.problems} == {
            *(("sessions", number) for number in (2, 3)),
            *(("messages", number) for number in range(2, 8)),
        }
        assert [message.id for message in database.conversations.messages("s")] == ["good", "8"]

    def test_what_was_edited_since_stays_so(self, filled, tmp_path):
        export(filled.dumps, tmp_path / "dump.json")
        filled.conversations.update("m-1", content="Edited")
        assert import_json(filled.dumps, tmp_path / "dump.json").new == {}
        assert filled.conversations.get("m-1").content == "Edited"

    def test_nothing_is_seen_before_all_is_there_and_a_cancel_leaves_nothing(self, take, vault, everything):
        other = vault("new")
        before = everything(other)
        text = dump_of(messages=[self.message(str(n), kb="work") for n in range(1000)])
        seen, asked = [], []
        with pytest.raises(Cancelled):
            take(text, cancelled=lambda: asked.append(other.conversations.count()) or len(asked) == 4)
        assert set(asked) == {0}
        assert everything(other) == before
        assert other.history.list() == []
        assert other.conversations.append("s", "user", "mine", kb="elsewhere")  # no session was left behind
        take(text, progress=lambda *_args: seen.append(other.conversations.count()))
        assert set(seen) == {1}
        assert other.conversations.count() == 1001
