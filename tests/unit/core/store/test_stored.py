"""Reading never fails on what stands in the file, whoever has written it."""

import pytest

from reverie.domain.memory import MemoryFilter, Sort, State

EVERY = MemoryFilter(states=tuple(State), expired=None)
YEAR = 365 * 24 * 3600 * 1_000_000
INSTANTS = [
    0,
    -1,
    -1969 * YEAR,
    8029 * YEAR,
    10**18,
    -(2**63),
    2**63 - 1,
    1.5,
    "soon",
    b"\xff",
    -62135596800000000,
]


def write(database, table, column, value):
    """As a foreign program would, past every check."""

    def act(connection):
        connection.exec_driver_sql("DELETE FROM temp.current_operation")
        connection.exec_driver_sql(f"UPDATE {table} SET {column} = ?", (value,))

    database.writer.derive([], act)


def read_all(database):
    """Every way to read memories, insights and the history."""
    for sort in Sort:
        for memory in database.memories.list(EVERY, sort):
            for instant in (memory.created_at, memory.updated_at, memory.expires_at, memory.last_seen_at):
                if instant is not None:
                    assert 1 < instant.year < 9999
                    instant.astimezone()
            assert memory.title is not None
            database.memories.history(memory.id)
            database.memories.links(memory.id)
    database.memories.facets(EVERY)
    database.memories.tags()
    database.insights.list()
    for insight in database.insights.get_many(database.insights.ids(states=tuple(State))):
        insight.created_at.astimezone()
    for line in database.history.list():
        line.at.astimezone()


@pytest.fixture
def filled(database, add_insight):
    memories = [database.memories.add(f"text {n}", tags=["a"]) for n in range(2)]
    add_insight("seen", [memory.id for memory in memories])
    return database


@pytest.mark.parametrize("value", INSTANTS)
def test_an_instant_of_any_value_is_read_as_one_that_can_be_shown(filled, value):
    for column in ("created_at", "updated_at", "expires_at", "valid_from", "valid_until", "last_seen_at"):
        write(filled, "memories", column, value)
    for column in ("created_at", "updated_at"):
        write(filled, "insights", column, value)
    write(filled, "operations", "at", value)
    assert len(filled.memories.list(EVERY)) == 2
    read_all(filled)


@pytest.mark.parametrize(
    "value", ["", "{", "[", "null", "1", '"a"', '{"page": "x", "new": 1}', "[1, null, {}]", b"\xff"]
)
@pytest.mark.parametrize("column", ["entities", "topics", "place", "metadata"])
def test_a_column_of_several_values_that_holds_something_else(filled, column, value):
    write(filled, "memories", column, value)
    read_all(filled)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("kind", "dream"),
        ("summary", b"\xff\xfe"),
        ("key", 12),
        ("reinforced", "many"),
        ("source", 1.5),
        ("pinned", "x"),
    ],
)
def test_a_word_or_number_that_is_none(filled, column, value):
    if column == "key":
        filled.memories.trash(filled.memories.ids()[0])  # a live key is unique
    write(filled, "memories", column, value)
    read_all(filled)
