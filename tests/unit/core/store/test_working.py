"""Scratch entries stand under their keys for as long as they should live, and leave nothing behind."""

import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from reverie import Vault
from reverie.domain.clock import now, to_micros
from reverie.errors import UserError
from reverie.settings import Working
from reverie.store.working import WorkingMemory

CORE = Path(__file__).resolve().parents[4] / "core"


@pytest.fixture
def working(database):
    return WorkingMemory(database.writer, database.readers)


@pytest.fixture
def expire(database):
    """Lets the time to live of a key be over at this moment."""

    def end(key):
        database.writer.derive(
            [],
            lambda connection: connection.exec_driver_sql(
                "UPDATE working_memory SET expires_at = ? WHERE key = ?", (to_micros(now()), key)
            ),
        )

    return end


def keys(entries):
    return [entry.key for entry in entries]


def stored(database):
    with database.readers.read() as connection:
        return list(connection.exec_driver_sql("SELECT key FROM working_memory ORDER BY key").scalars())


class TestSaving:
    def test_an_entry_comes_back_as_it_was_given(self, working):
        entry = working.save(
            "session/abc/draft", "Dear Ada,\n…", ttl_minutes=90, category="mail/out", tags=["#Urgent", "Ada"]
        )
        assert working.get("session/abc/draft") == entry
        assert (entry.key, entry.namespace) == ("session/abc/draft", "session/abc")
        assert (entry.value, entry.category, entry.tags) == ("Dear Ada,\n…", "mail/out", ("Urgent", "Ada"))
        assert entry.expires_at - entry.stored_at == timedelta(minutes=90)

    def test_it_lives_for_five_minutes_where_nothing_is_said(self, working):
        entry = working.save("draft", "")
        assert entry.expires_at - entry.stored_at == timedelta(minutes=5)
        assert (entry.namespace, entry.value, entry.category, entry.tags) == ("", "", "", ())

    def test_the_same_key_again_takes_its_place(self, working):
        first = working.save("a/b/c", "one", category="x", tags=["t"], ttl_minutes=1)
        second = working.save("a/b/c", "two")
        assert working.list() == [second]
        assert (second.value, second.category, second.tags) == ("two", "", ())
        assert second.expires_at > first.expires_at

    @pytest.mark.parametrize("spelling", ["/a/b c/d", "a//b  c/d/", " a / b\nc / d "])
    def test_spellings_of_one_path_are_one_key(self, working, spelling):
        working.save(spelling, "x")
        assert keys(working.list("a/b c/")) == ["a/b c/d"]
        assert working.get(spelling) is not None
        assert working.delete(spelling)

    def test_what_can_not_be_stored_is_replaced(self, working):
        entry = working.save("a/\ud83d", "NUL \0\r\nend", tags=["\ud800"])
        assert (entry.value, entry.tags) == ("NUL \ufffd\nend", ("\ufffd",))
        assert working.get("a/\ud83d") == entry

    @pytest.mark.parametrize("key", ["", " ", "/", " // ", "k" * 501])
    def test_a_key_that_is_none_is_refused(self, working, key):
        with pytest.raises(UserError, match="key"):
            working.save(key, "x")

    @pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf"), 10**9])
    def test_a_time_to_live_that_is_none_is_refused(self, working, minutes):
        with pytest.raises(UserError, match="minutes"):
            working.save("a", "x", ttl_minutes=minutes)
        assert working.list() == []


class TestRoom:
    @pytest.fixture
    def small(self, database):
        return WorkingMemory(database.writer, database.readers, lambda: Working(max_entries_per_namespace=2))

    @pytest.mark.parametrize(
        ("held", "more"),
        [
            (["session/a/1", "session/a/2"], "session/a/3"),
            (["session/a/1", "session/a/deep/2"], "session/a/deep/er/3"),
            (["session/1", "session/2"], "session/3"),
            (["1", "2"], "3"),
        ],
    )
    def test_one_entry_too_many_is_refused_and_not_stored(self, small, held, more):
        for key in held:
            small.save(key, "x")
        with pytest.raises(UserError, match=r"full.*2 entries.*not stored"):
            small.save(more, "x")
        assert set(keys(small.list())) == set(held)

    def test_what_is_there_may_be_replaced_and_elsewhere_there_is_room(self, small):
        for key in ("session/a/1", "session/a/2", "session/ab/1", "session/b/1", "session/1"):
            small.save(key, "x")
        assert small.save("session/a/2", "y").value == "y"
        assert small.save("session/2", "x")

    def test_what_has_expired_takes_no_room(self, small, expire):
        small.save("session/a/1", "x")
        small.save("session/a/2", "x")
        expire("session/a/1")
        small.save("session/a/3", "x")
        assert keys(small.list()) == ["session/a/3", "session/a/2"]

    def test_the_settings_of_the_vault_hold_at_once(self, tmp_path):
        with Vault.open(tmp_path / "v") as vault:
            vault.change_setting("working.max_entries_per_namespace", 1)
            vault.change_setting("working.default_ttl_minutes", 7)
            entry = vault.working.save("s/a/1", "x")
            assert entry.expires_at - entry.stored_at == timedelta(minutes=7)
            with pytest.raises(UserError, match="full"):
                vault.working.save("s/a/2", "x")


class TestExpiry:
    def test_from_that_instant_on_an_entry_is_not_there(self, working, expire):
        working.save("a/b", "x")
        expire("a/b")
        assert working.get("a/b") is None
        assert working.list() == []
        assert not working.delete("a/b")

    @pytest.mark.parametrize(
        "write",
        [
            lambda working: working.save("new", "x"),
            lambda working: working.delete("new"),
            lambda working: working.delete_under("new"),
            lambda working: working.sweep(),
        ],
        ids=["save", "delete", "delete_under", "sweep"],
    )
    def test_any_write_removes_what_has_expired(self, working, database, expire, write):
        for key in ("old", "older", "living"):
            working.save(key, "x")
        expire("old")
        expire("older")
        write(working)
        assert set(stored(database)) - {"new"} == {"living"}

    def test_a_sweep_tells_how_many_went(self, working, expire):
        working.save("a", "x")
        assert working.sweep() == 0
        expire("a")
        assert working.sweep() == 1

    def test_the_retention_of_a_vault_sweeps(self, tmp_path):
        with Vault.open(tmp_path / "v") as vault:
            vault.working.save("a", "x", ttl_minutes=1e-6)
            vault.working.save("b", "x")
            vault.apply_retention()
            assert stored(vault._database) == ["b"]


class TestListing:
    @pytest.fixture
    def filled(self, working):
        working.save("session/a/mail", "1", category="email", tags=["Inbox", "unread"])
        working.save("session/ab/mail", "2", category="email/out", tags=["inbox"])
        working.save("session/a", "3", category="emails")
        working.save("patrol/heartbeat/alert", "4")
        return working

    def test_newest_first_and_what_was_replaced_counts_as_new(self, filled):
        filled.save("session/a", "5")
        assert keys(filled.list()) == [
            "session/a",
            "patrol/heartbeat/alert",
            "session/ab/mail",
            "session/a/mail",
        ]

    def test_a_prefix_means_whole_segments(self, filled):
        assert keys(filled.list("session/a")) == ["session/a", "session/a/mail"]
        assert keys(filled.list("session/a/")) == ["session/a", "session/a/mail"]
        assert filled.list("sess") == []

    def test_a_prefix_is_literal(self, filled):
        assert filled.list("session/_") == []
        assert filled.list("%") == []

    def test_by_category_with_what_stands_below_it_and_by_all_tags(self, filled):
        assert keys(filled.list(category="email")) == ["session/ab/mail", "session/a/mail"]
        assert keys(filled.list(tags=["INBOX"])) == ["session/ab/mail", "session/a/mail"]
        assert keys(filled.list(tags=["inbox", "#Unread"])) == ["session/a/mail"]
        assert filled.list("patrol", category="email") == []


class TestDeleting:
    def test_one_by_its_key(self, working):
        working.save("a/b", "x")
        working.save("a/b/c", "x")
        assert working.delete("a/b")
        assert not working.delete("a/b")
        assert keys(working.list()) == ["a/b/c"]

    def test_all_under_a_path(self, working):
        for key in ("a", "a/b", "a/b/c", "ab"):
            working.save(key, "x")
        assert working.delete_under("a") == 3
        assert keys(working.list()) == ["ab"]
        assert working.delete_under("") == 1


class TestBesideTheRest:
    def test_nothing_stands_in_the_history(self, working, database):
        working.save("a", "x")
        working.save("a", "y")
        working.delete("a")
        assert database.history.list() == []

    def test_another_process_sees_it_and_hears_of_it(self, working, reopen):
        heard = threading.Event()
        other = reopen()
        other.events.subscribe(lambda changes: changes.touched("working_memory") and heard.set())
        entry = working.save("a/b", "x")
        assert heard.wait(10)
        assert WorkingMemory(other.writer, other.readers).get("a/b") == entry

    def test_it_is_there_after_a_restart(self, tmp_path):
        with Vault.open(tmp_path / "v") as vault:
            entry = vault.working.save("a/b", "x")
        with Vault.open(tmp_path / "v") as vault:
            assert vault.working.list() == [entry]

    def test_an_export_does_not_hold_it(self, tmp_path):
        with Vault.open(tmp_path / "v") as vault:
            vault.working.save("a/b", "very secret scratch")
            vault.export(tmp_path / "dump.json")
        assert "very secret scratch" not in (tmp_path / "dump.json").read_text(encoding="utf-8")

    def test_two_processes_at_once_lose_nothing_and_keep_the_limit(self, tmp_path):
        code = (
            "import sys\nfrom reverie import Vault\nfrom reverie.errors import UserError\n"
            "with Vault.open(sys.argv[1]) as vault:\n"
            "    for n in range(30):\n"
            "        vault.working.save(f'own/{sys.argv[2]}/{n}', 'x')\n"
            "        try:\n"
            "            vault.working.save(f'shared/s/{sys.argv[2]}-{n}', 'x')\n"
            "        except UserError:\n"
            "            pass\n"
        )
        Vault.open(tmp_path / "v").close()
        running = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(tmp_path / "v"), name], env={"PYTHONPATH": str(CORE)}
            )
            for name in ("p", "q")
        ]
        assert [each.wait(60) for each in running] == [0, 0]
        with Vault.open(tmp_path / "v") as vault:
            assert len(vault.working.list("own")) == 60
            assert len(vault.working.list("shared/s")) == 50
