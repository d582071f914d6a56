"""The settings of an open vault act at once, whichever process changed them."""

import os
import time
from pathlib import Path

import pytest

from reverie import Vault, settings
from reverie.errors import UserError
from reverie.settings import LiveSettings, access, live


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def held(tmp_path: Path, told: list[str]) -> LiveSettings:
    return LiveSettings(tmp_path, lambda: told.append("changed"))


def later(held: LiveSettings) -> None:
    """As if the last look had been a second ago."""
    held._looked -= live.LOOK_EVERY_S


def test_own_change_acts_at_once(held: LiveSettings, told: list[str]) -> None:
    held.change("dream.batch", 30)
    assert held.now().dream.batch == 30
    held.reset(None)
    assert held.held.dream.batch == 20
    assert told == ["changed", "changed"]


def test_another_s_change_is_seen_within_a_second(
    tmp_path: Path, held: LiveSettings, told: list[str]
) -> None:
    settings.change(tmp_path, "dream.batch", 30)
    assert held.now().dream.batch == 20  # looked at a moment ago
    later(held)
    assert held.now().dream.batch == 30
    settings.reset(tmp_path)
    assert held.look().dream.batch == 20
    (tmp_path / "settings.toml").unlink()
    later(held)
    assert held.now() == settings.Settings()
    assert told == ["changed", "changed"]


def test_the_file_is_read_only_where_it_changed(
    tmp_path: Path, held: LiveSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path | None] = []
    load = access.load

    def counted(folder: Path | None = None) -> settings.Settings:
        read.append(folder)
        return load(folder)

    monkeypatch.setattr(access, "load", counted)
    for _ in range(3):
        later(held)
        held.now()
    assert read == []
    settings.change(tmp_path, "dream.batch", 30)
    for _ in range(3):
        later(held)
        held.now()
    assert read == [tmp_path]


def test_what_is_held_touches_no_file(tmp_path: Path, held: LiveSettings) -> None:
    settings.change(tmp_path, "dream.batch", 30)
    later(held)
    assert held.held.dream.batch == 20


def test_a_damaged_file_leaves_what_held_and_is_told_to_who_asks(
    tmp_path: Path, held: LiveSettings, told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    held.change("dream.batch", 30)
    (tmp_path / "settings.toml").write_text("[dream\n", encoding="utf-8")
    for _ in range(3):
        later(held)
        assert held.now().dream.batch == 30
    assert len(caplog.records) == 1
    for _ in range(2):
        with pytest.raises(UserError, match="line 1"):
            held.look()
    (tmp_path / "settings.toml").write_text("[dream]\nbatch = 40\n", encoding="utf-8")
    assert held.look().dream.batch == 40
    assert told == ["changed", "changed"]


def test_retention_does_nothing_by_a_damaged_file(tmp_path: Path) -> None:
    with Vault.open(tmp_path) as vault:
        memory = vault.memories.add("kept")
        vault.memories.trash(memory.id)
        vault.change_setting("retention.trash_days", 1)
        (tmp_path / "settings.toml").write_text("[retention]\ntrash_days = 0\n[dream\n", encoding="utf-8")
        with pytest.raises(UserError, match="line 3"):
            vault.apply_retention()
        assert vault.memories.get(memory.id)


def test_retention_is_off_by_itself_and_obeys_the_setting(tmp_path: Path) -> None:
    with Vault.open(tmp_path) as vault:
        memory = vault.memories.add("old")
        vault.memories.trash(memory.id)

        def age(connection: object) -> None:
            for table, column in (("operations", "at"), ("memories", "updated_at")):
                connection.exec_driver_sql(  # type: ignore[attr-defined]
                    f"UPDATE {table} SET {column} = {column} - {40 * 86_400_000_000}"
                )

        vault._database.writer.derive([], age)
        assert vault.apply_retention().trash.memories == 0
        settings.change(tmp_path, "retention.trash_days", 41)  # another process
        assert vault.apply_retention().trash.memories == 0
        vault.change_setting("retention.trash_days", 39)
        vault.change_setting("retention.history_days", 39)
        report = vault.apply_retention()
        assert report.trash.memories == 1
        assert report.changesets == 0  # the images of what was erased went with it


def test_the_least_closeness_acts_on_the_next_search(tmp_path: Path) -> None:
    with Vault.open(tmp_path) as vault:
        vault.memories.add("Prefers window seats on trains, and an aisle seat on planes.")
        vault.index.wait()
        asked = "Which seats do they like when they travel by train?"
        assert vault.search(asked, mode="semantic")
        vault.change_setting("search.cosine_threshold", 0.99)
        assert vault.search(asked, mode="semantic") == []
        assert vault.search("window", mode="hybrid")[0].relevance > 0  # above a paraphrase: no division by it
        settings.change(tmp_path, "search.cosine_threshold", 0.0)  # another process
        vault.reload_settings()
        assert vault.search(asked, mode="semantic")


def test_a_worker_that_sleeps_long_hears_of_a_shorter_sleep(tmp_path: Path) -> None:
    settings.change(tmp_path, "ingest.watch_interval_s", 3600)
    with Vault.open(tmp_path) as vault:
        vault.inbox.start()
        time.sleep(0.3)  # asleep for an hour by now
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        note = folder / "note.txt"
        note.write_text("A note that lies in a folder nobody tells of.", encoding="utf-8")
        os.utime(note, (time.time() - 60,) * 2)
        vault._database.inbox.watch(str(folder), "default")  # as another process would: no event, no wake
        assert vault.inbox.items() == []
        vault.change_setting("ingest.watch_interval_s", 0.5)
        until = time.monotonic() + 20
        while not vault.inbox.items() and time.monotonic() < until:
            time.sleep(0.05)
        assert [item.name for item in vault.inbox.items()] == ["note.txt"]
