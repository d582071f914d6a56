"""What the history says, without a window."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from reverie.domain.changes import Change, ChangeSet, RowDelta
from reverie.domain.ids import OperationId
from reverie_gui.panes.history.diffs import folded
from reverie_gui.panes.history.fields import field_title, field_value
from reverie_gui.panes.history.lines import Day, Line, Listed, Wanted, touched_by, with_days
from reverie_gui.panes.history.words import kind_name, sentence

AT = datetime(2025, 11, 12, 14, 2, tzinfo=UTC)


def change(kind: str, author: str = "person", detail: dict | None = None, **rows: RowDelta) -> ChangeSet:
    return ChangeSet(OperationId(7), kind, author, AT, rows, detail or {})


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (change("add memory", memories=RowDelta(added=("a",))), "You added a memory"),
        (change("add memory", memories=RowDelta(changed=("a",))), "You told a memory again"),
        (
            change("add memories", "agent:claude", memories=RowDelta(added=tuple("abc"))),
            "Agent claude added 3 memories",
        ),
        (change("edit memory", memories=RowDelta(changed=("a",))), "You edited a memory"),
        (
            change("ingest file", "ingest:9", {"name": "a{b}.md"}, memories=RowDelta(added=tuple("ab"))),
            "Inbox: 2 memories from a{b}.md",
        ),
        (
            change(
                "dream",
                "dream:1",
                memories=RowDelta(added=("n",), changed=tuple("abc")),
                memory_links=RowDelta(added=tuple("123456")),
                insights=RowDelta(added=tuple("xy")),
            ),
            "Dream: 3 memories merged, 2 insights found",
        ),
        (
            change("empty trash", detail={"memories": 41}),
            "You emptied the trash: 41 memories erased for good",
        ),
        (
            change("undo", detail={"undoes": [{"id": 3, "kind": "delete memory"}]}),
            "You took back deleting a memory",
        ),
        (change("undo", detail={"undoes": [{"id": 3, "kind": "undo"}]}), "You did it again"),
        (
            change("undo", detail={"undoes": [{"id": n, "kind": "x"} for n in range(12)]}),
            "You took back 12 changes",
        ),
        (change("edit memory"), "You: editing a memory, erased since"),
        (change("polish {shoes}", memories=RowDelta(changed=("a",))), "You: polish {shoes}"),
    ],
)
def test_a_change_in_one_line(made: ChangeSet, words: str) -> None:
    assert sentence(made) == words


def test_every_kind_that_the_core_writes_has_a_name() -> None:
    for kind in (
        "add memory",
        "restore version",
        "ingest file",
        "dream",
        "import",
        "watch folder",
        "empty trash",
    ):
        assert kind_name(kind) != kind


def test_fields_in_words() -> None:
    micros = int(AT.timestamp()) * 1_000_000
    assert field_title("expires_at") == "Expires"
    assert field_title("some_new_column") == "Some new column"
    assert field_value("expires_at", None) == "never"
    assert field_value("key", None) == "none"
    assert f"{AT.astimezone():%H:%M:%S}" in field_value("expires_at", micros)
    assert field_value("tags", '["a", "b"]') == "a, b"
    assert field_value("tags", "[]") == "none"
    assert field_value("pinned", 1) == "yes"
    assert field_value("state", "trashed") == "in the trash"
    assert field_value("importance", 0.5) == "0.50"
    assert field_value("metadata", json.dumps({"a": 1, "b": {"c": [1, 2]}})) == "a: 1, b: (c: 1, 2)"
    assert field_value("metadata", "{broken") == "{broken"
    assert field_value("place", json.dumps({"page": 3})) == "page 3"


def test_several_changes_of_a_row_are_told_as_one() -> None:
    (one,) = folded(
        [
            Change("memories", "a", None, {"content": "x", "state": "staged"}),
            Change("memories", "a", {"state": "staged"}, {"state": "active"}),
        ]
    )
    assert one.before is None
    assert one.after == {"content": "x", "state": "active"}
    (two,) = folded(
        [
            Change("memories", "a", {"content": "x"}, {"content": "y"}),
            Change("memories", "a", {"content": "y", "tags": "[]"}, {"content": "z", "tags": '["t"]'}),
        ]
    )
    assert two.before == {"content": "x", "tags": "[]"}
    assert two.after == {"content": "z", "tags": '["t"]'}
    assert not folded(
        [Change("memories", "a", None, {"content": "x"}), Change("memories", "a", {"content": "x"}, None)]
    )


def line(each: int, author: str = "person", hours: int = 0, **more: object) -> Line:
    return Line(each, AT - timedelta(hours=hours), author, "edit memory", "You edited a memory", **more)  # type: ignore[arg-type]


def test_lines_stand_under_their_days() -> None:
    rows = with_days([line(3), line(2), line(1, hours=48)], now=AT)
    assert [type(each) for each in rows] == [Day, Line, Line, Day, Line]
    assert rows[0].text == "Today"  # type: ignore[union-attr]


def test_narrowing_to_authors_and_words() -> None:
    lines = [line(1), line(2, "agent:claude"), line(3, "dream:9", about="Window seats")]
    assert [each.id for each in lines if Wanted(authors=("agent",)).takes(each)] == [2]
    assert [each.id for each in lines if Wanted(authors=("you", "dream")).takes(each)] == [1, 3]
    assert [each.id for each in lines if Wanted(without=("person",)).takes(each)] == [2, 3]
    assert [each.id for each in lines if Wanted(words="window SEATS").takes(each)] == [3]
    assert Wanted(authors=("person",)).exact == "person"
    assert Wanted(authors=("agent:claude",)).exact == "agent:claude"
    assert Wanted(authors=("agent",)).exact is None


def test_an_undo_of_an_undo_touches_what_that_had_taken_back() -> None:
    lines = [line(3, undoes=(2,)), line(2, undoes=(1,)), line(1)]
    assert touched_by(lines, [3]) == {1, 2, 3}
    assert touched_by(lines, [2]) == {1, 2}


def test_new_lines_go_in_front_and_known_ones_are_replaced() -> None:
    listed = Listed().with_older([line(3), line(2), line(1)])
    assert len(listed.fresh) == 4
    listed = listed.merged([line(4), line(2, undone=True)])
    assert [each.id for each in listed.lines] == [4, 3, 2, 1]
    assert listed.lines[2].undone
    assert [each.id for each in listed.fresh if isinstance(each, Line)] == [4, 2]
    listed = listed.with_older([line(1), line(0, hours=72)])
    assert list(listed.ids)[1:5] == ["4", "3", "2", "1"]
    assert list(listed.ids)[5].startswith("day:")
    assert list(listed.ids)[6] == "0"
