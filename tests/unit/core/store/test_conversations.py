"""What was said is kept in order, once, with a trace; and comes back as it was said."""

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from reverie.errors import Conflict, NotFound, UserError
from reverie.store.staging import Stage

MOMENT = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)


@pytest.fixture
def talk(database):
    return database.conversations


def said(talk, session="s", **narrowed):
    return [message.content for message in talk.messages(session, **narrowed)]


def rows(database, table):
    with database.readers.read() as connection:
        return connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()


class TestAppending:
    def test_every_field_comes_back_as_it_was_given(self, talk):
        given = {
            "role": "assistant",
            "content": "Let me look.\nOne moment 😀",
            "name": "Ada",
            "created_at": MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30))),
            "id": "chatcmpl-42/7",
            "metadata": {"a": [1, {"b": "ü"}]},
            "tool_calls": ({"id": "c1", "function": {"name": "find", "arguments": "{}"}},),
            "tool_call_id": "c0",
        }
        message = talk.append("session-1", **given)
        assert {name: getattr(message, name) for name in given} == given
        assert message.session == "session-1"
        assert message.created_at.tzinfo is UTC
        assert talk.get(message.id) == message

    def test_the_first_message_makes_the_session(self, talk, database):
        talk.append("s", "user", "Hi", created_at=MOMENT, kb="work")
        talk.append("s", "assistant", "Hello", created_at=MOMENT + timedelta(hours=1))
        session = talk.session("s")
        assert (session.kb, session.message_count) == ("work", 2)
        assert (session.created_at, session.last_active_at) == (MOMENT, MOMENT + timedelta(hours=1))
        assert talk.append("other", "user", "Hi") in talk.messages("other")
        assert talk.session("other").kb == "default"

    def test_a_session_stays_in_its_knowledge_base(self, talk, database):
        talk.append("s", "user", "Hi", kb="work")
        assert talk.append("s", "user", "again", kb=" work ")
        with pytest.raises(UserError, match="work"):
            talk.append("s", "user", "Hi", kb="home")
        assert said(talk) == ["Hi", "again"]
        assert [base.name for base in database.knowledge_bases.list()] == ["default", "work"]

    def test_only_one_that_calls_tools_may_say_nothing(self, talk):
        assert talk.append("s", "assistant", None, tool_calls=[{"id": "c"}]).content == ""
        for nothing in (None, "", " \n\t"):
            with pytest.raises(UserError, match="empty"):
                talk.append("s", "assistant", nothing)
        assert talk.count() == 1

    def test_what_can_not_be_stored_is_replaced(self, talk):
        message = talk.append(
            "half \ud83d", "user", "NUL \0 \ud800\r\nend", "\ud83d", metadata={"k": "\ud83d"}
        )
        assert message.content == "NUL \ufffd \ufffd\nend"
        assert message.session == "half \ufffd"
        assert talk.messages("half \ud83d") == [message]

    def test_the_same_words_twice_are_two_messages(self, talk):
        talk.append("s", "user", "yes")
        talk.append("s", "user", "yes")
        assert said(talk) == ["yes", "yes"]

    def test_the_same_id_and_words_again_make_nothing_twice(self, talk, database):
        first = talk.append("s", "user", "Hi", id="m1")
        assert talk.append("s", "user", "Hi", id="m1") == first
        assert [m.id for m in talk.append_many("s", [{"role": "user", "content": "Hi", "id": "m1"}] * 2)] == [
            "m1",
            "m1",
        ]
        assert talk.count() == 1
        assert len(database.history.list()) == 1

    @pytest.mark.parametrize("other", [("s", "user", "Bye"), ("s", "tool", "Hi"), ("t", "user", "Hi")])
    def test_the_same_id_for_something_else_is_a_conflict(self, talk, other):
        talk.append("s", "user", "Hi", id="m1")
        with pytest.raises(Conflict) as caught:
            talk.append(*other, id="m1")
        assert caught.value.rows == (("messages", "m1"),)
        assert [session.id for session in talk.sessions()] == ["s"]

    @pytest.mark.parametrize(
        ("field", "value", "word"),
        [
            ("role", "narrator", "user, assistant, system, tool"),
            ("role", None, "user, assistant, system, tool"),
            ("role", ["user"], "user, assistant, system, tool"),
            ("content", 7, "text"),
            ("content", b"x", "text"),
            ("name", 7, "text"),
            ("created_at", datetime(2024, 1, 1), "timezone"),
            ("created_at", "2024-01-01", "timezone"),
            ("created_at", 1700000000, "timezone"),
            ("created_at", datetime.min.replace(tzinfo=UTC), "year"),
            ("created_at", datetime.max.replace(tzinfo=UTC), "year"),
            ("session_id", None, "text"),
            ("session_id", 7, "text"),
            ("session_id", " ", "not empty"),
            ("id", 7, "text"),
            ("id", "", "not empty"),
            ("kb", ["work"], "text"),
            ("kb", "a/b", "name a knowledge base"),
            ("metadata", [1], "object"),
            ("metadata", {"x": float("nan")}, "JSON"),
            ("metadata", {"x": object()}, "JSON"),
            ("tool_calls", "find", "list of objects"),
            ("tool_calls", [1], "list of objects"),
            ("tool_call_id", 7, "text"),
            ("author", 7, "text"),
        ],
    )
    def test_a_wrong_value_is_refused_with_what_to_pass_and_nothing_is_written(
        self, talk, database, field, value, word
    ):
        with pytest.raises(UserError) as caught:
            talk.append(**{"session_id": "s", "role": "user", "content": "Hi", field: value})
        assert word in str(caught.value)
        assert rows(database, "sessions") == rows(database, "messages") == 0
        assert database.history.list() == []


class TestAppendingMany:
    def test_is_one_changeset_in_the_order_given(self, talk, database):
        made = talk.append_many(
            "s", [{"role": "user", "content": f"m{n}"} for n in range(3)], kb="work", author="agent:a"
        )
        assert [message.content for message in made] == said(talk) == ["m0", "m1", "m2"]
        (change,) = database.history.list()
        assert (change.kind, change.author) == ("add messages", "agent:a")
        assert change.rows["messages"].added == tuple(message.id for message in made)
        assert change.rows["sessions"].added == ("s",)

    def test_of_nothing_is_nothing(self, talk, database):
        assert talk.append_many("s", []) == []
        assert database.history.list() == []

    @pytest.mark.parametrize(
        "bad", [{"content": "no role"}, {"role": "user"}, "text", None, {"role": "user", "x": 1}]
    )
    def test_one_that_is_wrong_is_named_and_refuses_all(self, talk, bad):
        with pytest.raises(UserError, match="message 3"):
            talk.append_many("s", [{"role": "user", "content": "ok"}, {"role": "user", "content": "ok"}, bad])
        assert talk.count() == 0

    @pytest.mark.parametrize("bad", [None, 7])
    def test_what_is_no_list_is_refused(self, talk, bad):
        with pytest.raises(UserError, match="list"):
            talk.append_many("s", bad)

    def test_many_are_many_short_transactions_but_one_changeset(self, talk, database):
        made = talk.append_many("s", [{"role": "user", "content": f"m{n}"} for n in range(10_000)])
        assert len(made) == talk.count("s") == 10_000
        assert said(talk)[:3] == ["m0", "m1", "m2"]
        with database.readers.read() as connection:
            most = connection.exec_driver_sql(
                "SELECT max(n) FROM (SELECT count(*) n FROM changes GROUP BY operation_id)"
            ).scalar_one()
        assert most <= 500
        assert len(database.history.list()) == 1
        database.history.undo()
        assert talk.sessions() == []
        assert rows(database, "messages") == rows(database, "sessions") == 0

    def test_nothing_is_seen_before_all_is_there(self, talk, monkeypatch):
        show = Stage.show
        seen = []
        one = talk.append("s", "user", "before")

        def look_first(self, *args, **kwargs):
            seen.append((talk.messages("s"), talk.count(), [each.id for each in talk.sessions()]))
            seen.append(talk.get_many(["m7"]))
            return show(self, *args, **kwargs)

        monkeypatch.setattr(Stage, "show", look_first)
        many = [{"role": "user", "content": f"m{n}", "id": f"m{n}"} for n in range(900)]
        talk.append_many("s", many)
        talk.append_many("new", [{**each, "id": f"n{n}"} for n, each in enumerate(many)])
        assert seen == [([one], 1, ["s"]), [], (talk.messages("s"), 901, ["s"]), [talk.get("m7")]]

    def test_one_that_stops_half_way_leaves_nothing(self, talk, database, monkeypatch):
        def fail(self, *args, **kwargs):
            raise OSError("no power")

        monkeypatch.setattr(Stage, "show", fail)
        with pytest.raises(OSError, match="no power"):
            talk.append_many("s", [{"role": "user", "content": f"m{n}"} for n in range(900)])
        assert rows(database, "messages") == rows(database, "sessions") == rows(database, "operations") == 0

    def test_what_a_dead_process_left_half_done_is_gone_when_opened_again(
        self, talk, database, reopen, monkeypatch
    ):
        talk.append("s", "user", "kept")
        monkeypatch.setattr(Stage, "__exit__", lambda *_args: None)  # it died
        monkeypatch.setattr(Stage, "show", lambda *_args, **_kwargs: None)
        for session in ("s", "new"):
            talk.append_many(session, [{"role": "user", "content": f"m{n}"} for n in range(900)])
        database.writer.derive([], lambda c: c.exec_driver_sql("UPDATE leases SET expires_at = 0"))
        monkeypatch.undo()
        database.close()
        again = reopen()
        assert said(again.conversations) == ["kept"]
        assert (rows(again, "messages"), rows(again, "sessions"), rows(again, "staged_ranges")) == (1, 1, 0)

    def test_beside_a_large_act_on_memories_neither_hides_the_other(self, talk, database, monkeypatch):
        show = Stage.show
        memory = database.memories.add("kept")
        message = talk.append("s", "user", "kept")
        seen = []

        def look_first(self, *args, **kwargs):
            seen.append((database.memories.ids(), talk.messages("s")))
            return show(self, *args, **kwargs)

        monkeypatch.setattr(Stage, "show", look_first)
        talk.append_many("t", [{"role": "user", "content": f"m{n}"} for n in range(900)])
        database.memories.add_many({"content": f"m{n}"} for n in range(900))
        assert seen == [([memory.id], [message])] * 2


class TestReading:
    def test_is_in_order_of_time_then_of_telling(self, talk):
        for number, minutes in enumerate([5, 0, 5, -5]):
            talk.append("s", "user", f"{number}", created_at=MOMENT + timedelta(minutes=minutes))
        talk.append("t", "user", "elsewhere")
        assert said(talk) == ["3", "1", "0", "2"]

    def test_goes_back_a_page_at_a_time(self, talk):
        talk.append_many("s", [{"role": "user", "content": f"{n}", "created_at": MOMENT} for n in range(7)])
        pages, before = [], None
        while page := talk.messages("s", limit=3, before=before):
            pages.append([message.content for message in page])
            before = page[0].id
        assert pages == [["4", "5", "6"], ["1", "2", "3"], ["0"]]
        assert talk.messages("s", limit=0) == []

    @pytest.mark.parametrize("limit", [-1, "3", 2.5, True])
    def test_a_limit_is_a_number(self, talk, limit):
        with pytest.raises(UserError, match="no number"):
            talk.messages("s", limit=limit)

    def test_what_is_not_there(self, talk):
        assert talk.messages("nobody") == talk.sessions() == talk.get_many(["nothing"]) == []
        assert talk.count() == talk.count("nobody") == 0
        for act in (
            lambda: talk.get("m9"),
            lambda: talk.messages("s", before="m9"),
            lambda: talk.update("m9", content="x"),
        ):
            with pytest.raises(NotFound, match="m9"):
                act()
        with pytest.raises(NotFound, match="nobody"):
            talk.session("nobody")

    def test_sessions_come_newest_first_and_by_base(self, talk):
        talk.append("old", "user", "x", created_at=MOMENT)
        talk.append("work", "user", "x", created_at=MOMENT + timedelta(days=2), kb="work")
        talk.append("new", "user", "x", created_at=MOMENT + timedelta(days=1))
        talk.append("old", "user", "x", created_at=MOMENT + timedelta(days=3))
        assert [session.id for session in talk.sessions()] == ["old", "work", "new"]
        assert [session.id for session in talk.sessions("work")] == ["work"]
        assert talk.sessions("none such") == []

    @pytest.mark.parametrize("column", ["created_at", "role", "tool_calls", "metadata", "extracted"])
    @pytest.mark.parametrize("stored", [-(10**17), 10**18, 2**63 - 1, -(2**63)])
    def test_whatever_another_program_has_stored_is_shown(self, talk, database, column, stored):
        talk.append("s", "user", "Hi", id="m1")
        value = stored if column in ("created_at", "extracted") else f"[{stored}"
        database.writer.derive([], lambda c: c.exec_driver_sql(f"UPDATE messages SET {column} = ?", (value,)))
        (message,) = talk.messages("s")
        assert message.content == "Hi"
        assert message.created_at.astimezone(timezone(timedelta(hours=14))).tzinfo
        assert message.created_at.astimezone(timezone(timedelta(hours=-14))).tzinfo
        assert talk.session("s").last_active_at == message.created_at


class TestEditing:
    def test_changes_only_what_is_named(self, talk):
        before = talk.append("s", "user", "Hi", "Ada", MOMENT, metadata={"a": 1})
        after = talk.update(before.id, content="Bye")
        assert (after.content, after.name, after.metadata) == ("Bye", "Ada", {"a": 1})
        assert talk.update(before.id, name="Bob", metadata={}).metadata == {}
        assert said(talk) == ["Bye"]

    def test_to_the_same_words_is_no_change(self, talk, database):
        talk.update(talk.append("s", "user", "Hi").id, content="Hi")
        assert len(database.history.list()) == 1

    def test_to_nothing_is_refused_but_beside_tool_calls(self, talk):
        plain = talk.append("s", "user", "Hi")
        with pytest.raises(UserError, match="empty"):
            talk.update(plain.id, content=" ")
        calling = talk.append("s", "assistant", "Looking", tool_calls=[{"id": "c"}])
        assert talk.update(calling.id, content="").content == ""

    @pytest.mark.parametrize("field", ["role", "created_at", "id", "session", "colour"])
    def test_of_other_fields_is_refused(self, talk, field):
        message = talk.append("s", "user", "Hi")
        with pytest.raises(UserError, match=field):
            talk.update(message.id, **{field: "assistant"})


class TestUndo:
    def test_brings_messages_and_session_away_and_back_across_restarts(self, talk, database, reopen):
        first = talk.append("s", "user", "Hi", kb="work")
        second = talk.append("s", "assistant", "Hello")
        session = talk.session("s")
        database.close()
        again = reopen()
        again.history.undo()
        assert again.conversations.messages("s") == [first]
        again.history.undo()
        assert again.conversations.sessions() == []
        assert rows(again, "sessions") == 0
        again.close()
        later = reopen()
        later.history.redo()
        later.history.redo()
        assert later.conversations.messages("s") == [first, second]
        assert later.conversations.session("s") == session

    def test_of_an_edit_brings_the_words_back(self, talk, database):
        message = talk.append("s", "user", "Hi")
        talk.update(message.id, content="Bye")
        database.history.undo()
        assert talk.get(message.id) == message

    def test_of_one_message_leaves_the_others_in_place(self, talk, database):
        """Also of the first, which made the session."""
        talk.append("s", "user", "first")
        talk.append("s", "assistant", "second", author="agent:a")
        talk.append("s", "user", "third", author="agent:b")
        database.history.undo(author="agent:a")
        assert said(talk) == ["first", "third"]
        database.history.undo()
        assert said(talk) == ["third"]
        assert talk.session("s").message_count == 1
        database.history.redo()
        assert said(talk) == ["first", "third"]

    def test_a_session_whose_messages_are_all_undone_is_not_listed(self, talk, database):
        talk.append("s", "user", "first")
        talk.append("s", "assistant", "second", author="agent:a")
        database.history.undo()
        database.history.undo(author="agent:a")
        assert talk.sessions() == []
        with pytest.raises(NotFound):
            talk.session("s")

    def test_of_one_that_was_edited_since_is_a_conflict(self, talk, database):
        message = talk.append("s", "user", "Hi")
        talk.update(message.id, content="agent's", author="agent:a")
        with pytest.raises(Conflict) as caught:
            database.history.undo()
        assert caught.value.rows == (("messages", message.id),)
        assert said(talk) == ["agent's"]


WRITER = """
import sys
from pathlib import Path
from reverie.store.database import Database
file, name = Path(sys.argv[1]), sys.argv[2]
database = Database(file, file.parent)
for n in range(20):
    database.conversations.append("shared", "user", f"{name} {n}", author=f"agent:{name}")
database.conversations.append_many("shared", [{"role": "user", "content": f"{name} {n}"} for n in range(20, 500)])
database.close()
"""


def test_two_processes_append_to_one_session_and_lose_nothing(database):
    core = Path(__file__).parents[4] / "core"
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"import sys; sys.path.insert(0, {str(core)!r})\n{WRITER}",
                database.file,
                name,
            ],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b")
    ]
    for process in processes:
        _out, problems = process.communicate(timeout=100)
        assert (process.returncode, problems) == (0, "")
    told = said(database.conversations, "shared")
    for name in ("a", "b"):
        assert [text for text in told if text.startswith(name)] == [f"{name} {n}" for n in range(500)]
    assert database.conversations.session("shared").message_count == 1000


def test_another_open_vault_hears_of_it(database, reopen):
    other = reopen()
    heard = threading.Event()
    events = []

    def listen(change):
        events.append(change)
        if change.touched("messages"):
            heard.set()

    other.events.subscribe(listen)
    numbers = iter(range(1000))
    while not heard.wait(0.5):  # until its watcher has taken the first look
        database.conversations.append("s", "user", f"{next(numbers)}", author="agent:a")
    change = next(change for change in events if change.touched("messages"))
    assert change.author == "agent:a"
    assert other.conversations.get_many(change.rows["messages"].added)
