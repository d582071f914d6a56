"""What can be done with memories, and what is refused with a clear word."""

import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from reverie.domain.clock import now
from reverie.domain.memory import Kind, MemoryFilter, Place, Provenance, Sort, State
from reverie.errors import Conflict, NotFound, UserError


def test_every_field_comes_back_as_it_was_given(database):
    moment = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
    given = {
        "kb": "work",
        "kind": Kind.FACT,
        "key": "staging/cluster",
        "summary": "Two nodes.",
        "category": "project-context/staging",
        "tags": ("db", "Linz"),
        "entities": ("Postgres 16.2",),
        "topics": ("database",),
        "importance": 0.75,
        "provenance": Provenance(
            "notes.md", "inbox/work/processed/notes.md", Place(page=3, heading="A > B"), "item1"
        ),
        "session": "s1",
        "pinned": True,
        "muted": True,
        "metadata": {"a": [1, {"b": "ü"}]},
        "created_at": moment,
        "expires_at": moment + timedelta(days=400_0),
        "valid_from": moment,
        "valid_until": moment + timedelta(days=1),
    }
    memory = database.memories.add("Staging runs Postgres 16.2", author="agent:claude", **given)
    assert {name: getattr(memory, name) for name in given} == given
    assert memory.author == "agent:claude"
    assert len(memory.id) == 12
    assert set(memory.id) <= set("0123456789abcdef")


def test_instants_without_a_zone_are_local_time(database):
    naive = datetime(2024, 7, 1, 12, 0)
    assert database.memories.add("x y", created_at=naive).created_at == naive.astimezone(UTC)


@pytest.mark.parametrize("content", ["", "  \n\t", None, 7])
def test_a_memory_needs_text(database, content):
    with pytest.raises(UserError, match="no text"):
        database.memories.add(content)
    assert database.memories.count(MemoryFilter()) == 0


@pytest.mark.parametrize("text", ["half an emoji \ud83d here", "a NUL \0 inside", "\ud800"])
def test_what_can_not_be_stored_is_replaced_and_later_saves_work(database, text):
    memory = database.memories.add(text, tags=[text], metadata={"k": text})
    assert "\ufffd" in memory.content
    database.memories.add("another one")
    assert database.memories.count() == 2


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("category", "../x", "category"),
        ("category", "a//b", "category"),
        ("importance", float("nan"), "Importance"),
        ("kind", "thought", "kind"),
        ("kb", "a/b", "knowledge base"),
        ("colour", "red", "no field"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_written(database, field, value, word):
    with pytest.raises(UserError, match=word):
        database.memories.add("some text", **{field: value})
    assert database.memories.count() == 0
    assert database.history.list() == []


def test_importance_is_clamped(database):
    assert database.memories.add("much", importance=7).importance == 1.0
    assert database.memories.add("little", importance=-1).importance == 0.0


class TestTheSameTextAgain:
    def test_makes_nothing_twice_and_counts_as_told_again(self, database):
        first = database.memories.add("Aiko is allergic to shellfish", tags=["aiko"])
        second = database.memories.add("Aiko is  allergic to shellfish\n", tags=["food", "AIKO"])
        assert second.id == first.id
        assert second.reinforced == 1
        assert second.tags == ("aiko", "food")
        assert database.memories.count() == 1

    def test_in_another_base_is_another_memory(self, database):
        database.memories.add("same", kb="a")
        database.memories.add("same", kb="b")
        assert database.memories.count() == 2

    def test_after_deletion_is_added_anew(self, database):
        gone = database.memories.add("comes back")
        database.memories.trash(gone.id)
        assert database.memories.add("comes back").id != gone.id

    def test_within_one_call(self, database):
        made = database.memories.add_many([{"content": "twice"}, {"content": "twice"}, {"content": "once"}])
        assert [memory.content for memory in made] == ["twice", "twice", "once"]
        assert database.memories.count() == 2


class TestKeys:
    def test_are_unique_among_live_memories_of_a_base(self, database):
        database.memories.add("dark", key="theme")
        with pytest.raises(Conflict, match="key exists"):
            database.memories.add("light", key="theme")
        database.memories.add("light", key="theme", kb="other")
        assert database.memories.count() == 2

    def test_are_free_again_after_deletion(self, database):
        old = database.memories.add("dark", key="theme")
        database.memories.trash(old.id)
        database.memories.add("light", key="theme")
        with pytest.raises(Conflict):
            database.memories.restore(old.id)


class TestManyAtOnce:
    def test_are_one_changeset(self, database):
        made = database.memories.add_many({"content": f"note {n}"} for n in range(1000))
        assert len(made) == database.memories.count() == 1000
        (changeset,) = database.history.list()
        assert len(changeset.rows["memories"].added) == 1000
        database.history.undo()
        assert database.memories.count() == 0
        database.history.redo()
        assert database.memories.count() == 1000

    def test_a_bad_one_leaves_none(self, database):
        with pytest.raises(UserError, match="Memory 700"):
            database.memories.add_many({"content": "" if n == 700 else f"note {n}"} for n in range(1, 1000))
        assert database.memories.count() == 0

    def test_a_key_in_use_leaves_none(self, database):
        database.memories.add("first", key="k")
        records = [{"content": f"note {n}"} for n in range(900)] + [{"content": "second", "key": "k"}]
        with pytest.raises(Conflict):
            database.memories.add_many(records)
        assert database.memories.count() == 1
        assert len(database.history.list()) == 1

    def test_rows_of_a_dead_process_are_taken_out(self, database, reopen, monkeypatch):
        from reverie.store import staging

        def die(*args, **kwargs):
            raise SystemExit

        monkeypatch.setattr(staging, "LEASE", timedelta(0))
        monkeypatch.setattr(staging, "_drop_ranges", die)
        monkeypatch.setattr(staging, "discard", lambda *args: None)
        with pytest.raises(SystemExit):
            database.memories.add_many({"content": f"note {n}"} for n in range(900))
        monkeypatch.undo()
        assert database.memories.count() == 0
        again = reopen()
        assert again.memories.count() == 0
        assert again.history.list() == []
        with again.readers.read() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() == 0

    def test_a_text_stored_meanwhile_is_not_kept_twice(self, database, monkeypatch):
        from reverie.store.staging import Stage

        show = Stage.show

        def show_after_another(self, *args, **kwargs):
            monkeypatch.setattr(Stage, "show", show)
            database.memories.add("note 5", tags=["theirs"], author="agent:a")
            return self.show(*args, **kwargs)

        monkeypatch.setattr(Stage, "show", show_after_another)
        made = database.memories.add_many({"content": f"note {n}"} for n in range(900))
        assert made[5].author == "agent:a"
        assert made[5].reinforced == 1
        assert database.memories.count() == 900

    def test_what_is_staged_is_seen_by_nobody(self, database, monkeypatch):
        from reverie.store.staging import Stage

        show = Stage.show
        seen = []

        def look_first(self, *args, **kwargs):
            seen.append(
                (database.memories.count(), database.memories.facets().total, database.memories.ids())
            )
            every = range(1, 2_000)
            seen.append(database.sought_memories.keep(every, MemoryFilter()))
            return show(self, *args, **kwargs)

        monkeypatch.setattr(Stage, "show", look_first)
        made = database.memories.add_many({"content": f"note {n}"} for n in range(900))
        assert seen == [(0, 0, []), set()]
        assert len(made) == database.memories.count() == 900


class TestEditing:
    def test_changes_only_what_is_named(self, database):
        memory = database.memories.add("one", tags=["t"], importance=0.9)
        edited = database.memories.update(memory.id, content="two")
        assert (edited.content, edited.tags, edited.importance) == ("two", ("t",), 0.9)
        assert edited.created_at == memory.created_at
        assert edited.updated_at > memory.updated_at

    def test_to_the_same_value_is_no_change(self, database):
        memory = database.memories.add("one")
        database.memories.update(memory.id, content="one")
        assert len(database.history.list()) == 1

    def test_of_an_unknown_memory_is_refused(self, database):
        with pytest.raises(NotFound, match="ffffffffffff"):
            database.memories.update("ffffffffffff", content="x")

    def test_many_get_and_lose_tags_of_their_own(self, database):
        ids = [database.memories.add(f"n{n}", tags=[f"own{n}", "Old"]).id for n in range(3)]
        changed = database.memories.update_many(ids, add_tags=["new"], remove_tags=["old"])
        assert [memory.tags for memory in changed] == [(f"own{n}", "new") for n in range(3)]
        assert len(database.history.list(author="person")) == 4

    def test_a_version_can_be_restored(self, database):
        memory = database.memories.add("first", tags=["a"])
        database.memories.update(memory.id, content="second", tags=["b"])
        database.memories.update(memory.id, content="third")
        versions = database.memories.history(memory.id)
        assert [version.changeset.kind for version in versions] == [
            "edit memory",
            "edit memory",
            "add memory",
        ]
        restored = database.memories.restore_version(memory.id, versions[-1].changeset.id)
        assert (restored.content, restored.tags) == ("first", ("a",))
        database.history.undo()
        assert database.memories.get(memory.id).content == "third"


class TestTrash:
    def test_hides_and_gives_back(self, database):
        memory = database.memories.add("going")
        assert database.memories.trash(memory.id) == 1
        assert database.memories.list() == []
        assert database.memories.get(memory.id).state is State.TRASHED
        assert database.memories.restore(memory.id) == 1
        assert database.memories.get(memory.id).state is State.ACTIVE

    def test_reports_how_many_went(self, database):
        ids = [database.memories.add(f"row {n}").id for n in range(1050)]
        assert database.memories.trash(*ids) == 1050
        assert database.memories.count() == 0

    def test_of_an_unknown_one_moves_nothing(self, database):
        memory = database.memories.add("stays")
        with pytest.raises(NotFound):
            database.memories.trash(memory.id, "000000000000")
        assert database.memories.count() == 1


class TestNarrowing:
    @pytest.fixture
    def filled(self, database):
        add = database.memories.add
        add(
            "a",
            category="projects",
            tags=["Red"],
            kind="fact",
            importance=0.9,
            created_at=datetime(2024, 1, 1, tzinfo=UTC),
        )
        add(
            "b", category="projects/apollo", tags=["red", "blue"], created_at=datetime(2024, 2, 1, tzinfo=UTC)
        )
        add(
            "c",
            category="projects-old",
            tags=["blue"],
            muted=True,
            created_at=datetime(2024, 3, 1, tzinfo=UTC),
        )
        add(
            "d",
            kb="other",
            pinned=True,
            expires_at=now() - timedelta(seconds=1),
            created_at=datetime(2024, 4, 1, tzinfo=UTC),
        )
        return database.memories

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (MemoryFilter(), "cba"),
            (MemoryFilter(expired=None), "dcba"),
            (MemoryFilter(expired=True), "d"),
            (MemoryFilter(category="projects"), "ba"),
            (MemoryFilter(tags=("RED",)), "ba"),
            (MemoryFilter(tags=("red", "blue")), "b"),
            (MemoryFilter(without_tags=("red",)), "c"),
            (MemoryFilter(without_categories=("projects",)), "c"),
            (MemoryFilter(kinds=(Kind.FACT,)), "a"),
            (MemoryFilter(without_kinds=(Kind.FACT,)), "cb"),
            (MemoryFilter(muted=False), "ba"),
            (MemoryFilter(kb="other", expired=None), "d"),
            (MemoryFilter(kb="nowhere"), ""),
            (MemoryFilter(min_importance=0.8), "a"),
            (MemoryFilter(since=datetime(2024, 2, 1, tzinfo=UTC)), "cb"),
            (MemoryFilter(until=datetime(2024, 2, 1, tzinfo=UTC)), "a"),
            (MemoryFilter(states=(State.TRASHED,)), ""),
        ],
    )
    def test_lists_ids_counts_and_facets_agree(self, filled, wanted, found):
        assert "".join(memory.content for memory in filled.list(wanted)) == found
        assert [m.content for m in filled.get_many(filled.ids(wanted))] == list(found)
        assert filled.count(wanted) == filled.facets(wanted).total == len(found)

    def test_facets_count_by_value(self, filled):
        facets = filled.facets()
        assert facets.tags == {"Red": 2, "blue": 2}
        assert facets.categories == {"projects": 1, "projects/apollo": 1, "projects-old": 1}

    def test_sorts(self, filled):
        assert [m.content for m in filled.list(sort=Sort.OLDEST)] == ["a", "b", "c"]
        assert [m.content for m in filled.list(sort=Sort.IMPORTANCE)] == ["a", "c", "b"]


ODD = ["\ud83d", 5, 1.5, b"x", object(), {"a": 1}, [[1]], float("nan"), 10**30]
FIELDS = "content kb category key tags importance kind source created_at metadata summary entities topics pinned muted"
INSTANTS = "created_at updated_at expires_at valid_from valid_until"


@pytest.mark.parametrize(
    "field", [*FIELDS.split(), "provenance", "session", "state", "id", *INSTANTS.split()]
)
def test_any_value_in_any_field_is_taken_or_refused_with_a_word(database, field):
    """And what is taken can be read back, by this and by the next one."""
    kept = database.memories.add("the one that is edited")
    for number, value in enumerate([*ODD, None, "", "a\0b"]):
        refusals = (UserError, TypeError) if field == "kb" else UserError  # a list is no name at all
        with contextlib.suppress(refusals):
            made = database.memories.add(**{"content": f"text {number}", field: value})
            assert database.memories.get(made.id) == made
        if field not in ("id", "kb"):
            with contextlib.suppress(UserError):
                database.memories.update(kept.id, **{field: value})
    assert database.memories.list(MemoryFilter(states=tuple(State), expired=None))


@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC), datetime.max]
)
def test_an_instant_at_the_end_of_the_calendar_is_refused(database, moment):
    # It can't be shown in each zone's local time.
    with pytest.raises(UserError, match="created_at"):
        database.memories.add("x y", created_at=moment)


def test_half_an_emoji_is_no_id_and_no_bug(database):
    for act in (database.memories.get, database.memories.trash, database.memories.history):
        with pytest.raises(UserError):
            act("\ud83d")
    with pytest.raises(UserError):
        database.memories.list(MemoryFilter(kb="\udcff"))
    assert database.memories.add("x y", kb="a\udcff").kb == "a\ufffd"


def test_tags_that_are_alike_once_cleaned_are_one(database):
    assert database.memories.add("x y", tags=["\ud83d", "\0"]).tags == ("\ufffd",)


def test_a_number_that_json_has_no_word_for_is_refused(database):
    with pytest.raises(UserError, match="metadata"):
        database.memories.add("x y", metadata={"x": float("nan")})
