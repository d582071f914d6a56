"""The pane of settings in a real window on a real vault."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie import settings as core_settings
from reverie.errors import UserError
from reverie.settings import Secret, Settings, access, describe
from reverie.settings.declare import NO_SECRET, read_group, setting
from reverie.settings.groups import DECLARED, GROUPS
from reverie_gui.app import Session
from reverie_gui.panes.settings.controls import Choice, Entry, Switch, Told
from reverie_gui.panes.settings.pane import SettingsPane
from reverie_gui.panes.settings.row import SettingRow
from reverie_gui.panes.settings.words import groups, warning
from reverie_gui.widgets.list_view import ListView

Opened = Callable[[], Session]
Shown = Callable[[], SettingsPane]


@pytest.fixture
def shown(opened: Opened, qtbot: QtBot) -> Shown:
    def show() -> SettingsPane:
        session = opened()
        session.window.open_pane("settings")
        found = session.window.pane("settings")
        assert isinstance(found, SettingsPane)
        return found

    return show


@dataclass(frozen=True, slots=True)
class Peer:
    """A group as one that sends texts out will have it."""

    endpoint: str = setting("", title="Endpoint", help="Where texts go", dangerous=True)
    api_key: Secret = setting(NO_SECRET, title="API key", help="Key for it")
    model: str = setting("", title="Model", help="Name of the model")


@dataclass(frozen=True, slots=True)
class WithPeer(Settings):
    peer: Peer = field(default_factory=Peer)


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GROUPS, "peer", (Peer, "Peer"))
    for info in read_group("peer", Peer):
        monkeypatch.setitem(DECLARED, info.key, info)
    monkeypatch.setattr(access, "Settings", WithPeer)


def row(pane: SettingsPane, key: str) -> SettingRow:
    return next(each for each in pane.rows if each.info.key == key)


def type_in(each: SettingRow, text: str, qtbot: QtBot) -> None:
    line = each.control.entry
    line.setFocus()
    line.selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_every_declared_setting_has_a_row(shown: Shown, session: Session) -> None:
    pane = shown()
    assert {each.info.key for each in pane.rows} == {info.key for info in describe()}
    assert all(each.control.entry.accessibleName() for each in pane.rows)
    assert pane.page.column.maximumWidth() == 560
    assert session.window.status.left() == f"{len(pane.rows)} settings"


def test_what_is_dangerous_comes_last() -> None:
    made = groups()
    assert made[-1].dangerous
    assert not any(group.dangerous for group in made[:-1])


def test_a_number_is_applied_and_can_be_reset(
    shown: Shown, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane = shown()
    words = row(pane, "ingest.chunk_words")
    assert not words.reset.isVisible()
    type_in(words, "300", qtbot)
    qtbot.waitUntil(lambda: vault.settings.ingest.chunk_words == 300)
    qtbot.waitUntil(words.reset.isVisible)
    assert "200" in words.reset.toolTip()
    words.reset.click()
    qtbot.waitUntil(lambda: vault.settings.ingest.chunk_words == 200)
    qtbot.waitUntil(lambda: not words.reset.isVisible())
    assert words.control.entry.text() == "200"  # type: ignore[attr-defined]


def test_the_toast_takes_a_change_back(shown: Shown, vault: Vault, session: Session, qtbot: QtBot) -> None:
    pane = shown()
    vault.change_setting("ingest.chunk_words", 250)
    pane.activated()
    with qtbot.waitSignal(session.notices.toasted) as toasted:
        type_in(row(pane, "ingest.chunk_words"), "300", qtbot)
    toasted.args[0].act()
    qtbot.waitUntil(lambda: vault.settings.ingest.chunk_words == 250)


@pytest.mark.parametrize("text", ["12", "many", "99999999", ""])
def test_a_wrong_number_is_told_in_its_place(text: str, shown: Shown, vault: Vault, qtbot: QtBot) -> None:
    pane = shown()
    words = row(pane, "ingest.chunk_words")
    words.control.entry.setText(text)  # type: ignore[attr-defined]
    words.control._tell()  # type: ignore[attr-defined]
    assert words.problem.isVisible()
    assert "40" in words.problem.text()
    assert words.control.entry.property("invalid") == "true"
    assert vault.settings.ingest.chunk_words == 200
    words.control.entry.setText("120")  # type: ignore[attr-defined]
    words.control._tell()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: vault.settings.ingest.chunk_words == 120)
    assert not words.problem.isVisible()


def test_what_loses_data_is_asked_first(shown: Shown, vault: Vault, qtbot: QtBot) -> None:
    pane = shown()
    days = row(pane, "retention.history_days")
    type_in(days, "30", qtbot)
    assert days.question.isVisible()
    assert days.question.go.text() == "Remove after 30 days"
    assert days.question.stay.hasFocus()
    assert vault.settings.retention.history_days == 0
    days.question.stay.click()
    assert days.control.entry.text() == "0"  # type: ignore[attr-defined]
    type_in(days, "30", qtbot)
    days.question.go.click()
    qtbot.waitUntil(lambda: vault.settings.retention.history_days == 30)
    type_in(days, "0", qtbot)  # back to what loses nothing: no question
    assert not days.question.isVisible()
    qtbot.waitUntil(lambda: vault.settings.retention.history_days == 0)


def test_what_acts_nowhere_yet_is_not_offered(shown: Shown) -> None:
    keys = {each.info.key for each in shown().rows}
    assert not any(key.startswith("embedding.") for key in keys)
    assert not keys & {"ingest.max_media_mb", "dream.interval_minutes"}


@pytest.mark.usefixtures("peer")
def test_sending_texts_out_is_asked_first() -> None:
    info = next(info for info in describe() if info.key == "peer.endpoint")
    asked = warning(info, "http://example.org/v1")
    assert asked is not None
    assert "http://example.org/v1" in asked[0]
    assert warning(info, "") is None


def test_theme_density_and_letters_act_at_once(
    shown: Shown, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane = shown()
    theme = row(pane, "appearance.theme").control
    assert isinstance(theme, Choice)
    theme.entry.setCurrentIndex(theme.entry.findData("dark"))  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: session.theme.choice == "dark")
    assert vault.settings.appearance.theme == "dark"
    assert session.window.commands.actions["theme/dark"].isChecked()
    density = row(pane, "appearance.density").control
    density.entry.setCurrentIndex(density.entry.findData("compact"))  # type: ignore[attr-defined]
    memories = session.window.pane("memories")
    assert memories is not None
    listed = memories.findChild(ListView)
    assert listed is not None
    qtbot.waitUntil(lambda: listed._delegate.compact)
    letters = row(pane, "appearance.single_letter_keys").control
    assert isinstance(letters, Switch)
    letters.entry.setChecked(False)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: not listed.letters)
    session.window.open_pane("history")  # made later: the same
    qtbot.waitUntil(lambda: not session.window.pane("history").list.letters)  # type: ignore[union-attr]


def test_the_menu_changes_the_same_setting(
    shown: Shown, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane = shown()
    session.window.commands.actions["theme/dark"].trigger()
    qtbot.waitUntil(lambda: vault.settings.appearance.theme == "dark")
    control = row(pane, "appearance.theme").control
    assert control.entry.currentData() == "dark"  # type: ignore[attr-defined]
    session.window.commands.actions["density"].trigger()
    qtbot.waitUntil(lambda: vault.settings.appearance.density == "compact")


def test_the_vault_s_looks_are_taken_over(vault: Vault, opened: Opened, session: Session) -> None:
    vault.change_setting("appearance.theme", "dark")
    opened()
    assert session.theme.choice == "dark"


@pytest.mark.usefixtures("peer")
def test_the_environment_is_shown_and_not_changed(
    monkeypatch: pytest.MonkeyPatch, vault: Vault, shown: Shown
) -> None:
    monkeypatch.setenv("REVERIE_DREAM__BATCH", "33")
    monkeypatch.setenv("REVERIE_PEER__API_KEY", "sk-very-secret")
    vault.change_setting("ingest.chunk_words", 210)  # loads the settings again
    pane = shown()
    batch = row(pane, "dream.batch")
    assert isinstance(batch.control, Told)
    assert batch.control.entry.text() == "33 memories"  # type: ignore[attr-defined]
    assert "REVERIE_DREAM__BATCH" in batch.origin.text()
    assert not batch.reset.isVisible()
    key = row(pane, "peer.api_key")
    assert isinstance(key.control, Told)
    assert key.control.entry.text() == "Set"  # type: ignore[attr-defined]
    assert not any("sk-very" in label.text() for label in pane.findChildren(QLabel))
    assert isinstance(row(pane, "ingest.max_text_mb").control, Entry)


def test_the_field_finds_settings(shown: Shown, session: Session, qtbot: QtBot) -> None:
    pane = shown()
    search = session.window.search
    search.set_query("text file")
    qtbot.waitUntil(
        lambda: [each.info.key for each in pane.rows if each.isVisible()] == ["ingest.max_text_mb"]
    )
    assert session.window.status.left().startswith("1 of ")
    search.set_query("DARK")
    qtbot.waitUntil(lambda: row(pane, "appearance.theme").isVisible())
    search.set_query("zebra")
    qtbot.waitUntil(pane.empty.isVisible)
    search.set_query("")
    qtbot.waitUntil(lambda: all(each.isVisible() for each in pane.rows))


def test_a_file_that_can_t_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, shown: Shown, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane = shown()

    def refuse(key: str, value: object) -> None:
        raise UserError("The disk is full", hint="Free some space")

    # Not by damaging the file: whoever else looks at it tells that too, in the banner, and rightly.
    monkeypatch.setattr(vault, "change_setting", refuse)
    words = row(pane, "ingest.chunk_words")
    type_in(words, "300", qtbot)
    qtbot.waitUntil(words.problem.isVisible)
    assert "disk is full" in words.problem.text()
    assert not session.window.banner.title()


def test_what_another_program_changed_is_shown_when_the_pane_comes_up(
    shown: Shown, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane = shown()
    session.window.open_pane("memories")
    core_settings.change(vault.path, "ingest.chunk_words", 321)
    core_settings.change(vault.path, "appearance.theme", "dark")
    session.window.open_pane("settings")
    line = row(pane, "ingest.chunk_words").control.entry
    qtbot.waitUntil(lambda: line.text() == "321")  # type: ignore[attr-defined]
    assert row(pane, "ingest.chunk_words").reset.isVisible()
    assert row(pane, "appearance.theme").control.entry.currentData() == "dark"  # type: ignore[attr-defined]
    assert session.theme.choice == "dark"
    qtbot.waitUntil(session.tasks.idle)
    assert vault.settings.appearance.theme == "dark"


def test_a_file_that_another_program_damaged_is_told_when_the_pane_comes_up(
    shown: Shown, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane = shown()
    session.window.open_pane("memories")
    (vault.path / "settings.toml").write_text("[ingest\n", encoding="utf-8")
    session.window.open_pane("settings")
    qtbot.waitUntil(lambda: "damaged at line 1" in session.window.banner.title())
    assert row(pane, "ingest.chunk_words").control.entry.text() == "200"  # type: ignore[attr-defined]
