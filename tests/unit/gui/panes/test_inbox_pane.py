"""The pane of the inbox, over a real vault."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie_gui.app import Session
from reverie_gui.panes.inbox.detail import breakable
from reverie_gui.panes.inbox.pane import InboxPane
from reverie_gui.panes.inbox.words import line, row_look, summary

Opened = Callable[[], Session]


def put(vault: Vault, name: str, state: ItemState = ItemState.WAITING, **fields: object) -> InboxItem:
    """An item in a state, written through the store."""
    store = vault.inbox._items
    size = int(str(fields.pop("size", 1200)))
    item = store.add(kb=str(fields.pop("kb", "default")), name=name, path=f"inbox/default/{name}", size=size)
    if state is not ItemState.WAITING or fields:
        store.change(item.id, state=state, **fields)
    return store.get(item.id)


def shown(session: Session, qtbot: QtBot) -> InboxPane:
    session.window.open_pane("inbox")
    pane = session.window.pane("inbox")
    assert isinstance(pane, InboxPane)
    qtbot.waitUntil(session.tasks.idle)
    return pane


def rows(pane: InboxPane) -> list[str]:
    """Names in order, headings in capitals."""
    found = []
    for row in range(pane.model.rowCount()):
        value = pane.model.value(row)
        found.append(value.title.upper() if pane.model.is_head(row) else value.name)
    return found


def test_empty_it_says_what_to_do(opened: Opened, qtbot: QtBot) -> None:
    pane = shown(opened(), qtbot)
    assert pane.parts.empty.accessibleName() == "Inbox is clear. Drop files anywhere in this window."
    assert not pane.parts.is_filled
    primary = pane.primary()
    assert primary is not None
    assert primary.text == "Add files…"


def test_items_stand_in_groups(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    put(vault, "b.pdf", ItemState.READING, progress=0.4, claimed_until=2**52)
    put(vault, "a.txt")
    put(vault, "c.pdf", ItemState.FAILED, reason="No text in this PDF.", hint="Try the original.")
    put(vault, "d.txt", ItemState.IGNORED)
    pane = shown(opened(), qtbot)
    assert rows(pane) == ["NEED YOU", "c.pdf", "IN WORK", "b.pdf", "a.txt", "FINISHED", "d.txt"]
    assert pane.parts.count.text() == "2 in work · 1 needs you · 1 finished"


def test_a_failure_tells_why_and_can_be_tried_again(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    item = put(vault, "c.pdf", ItemState.FAILED, reason="No text in this PDF.", hint="Try the original.")
    session = opened()
    pane = shown(session, qtbot)
    detail = pane.detail
    assert (detail.state.text(), detail.reason.text(), detail.hint.text()) == (
        "Failed",
        "No text in this PDF.",
        "Try the original.",
    )
    detail.retry.click()
    qtbot.waitUntil(lambda: vault.inbox.get(item.id).attempts == 1)
    qtbot.waitUntil(session.tasks.idle)
    qtbot.waitUntil(lambda: "is not there" in detail.reason.text())  # what the test wrote has no file


def test_too_large_offers_a_part_and_all(
    opened: Opened, vault: Vault, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(vault, "log.txt", ItemState.TOO_LARGE, size=31_000_000)
    asked: list[Override] = []
    monkeypatch.setattr(
        "reverie_gui.panes.inbox.detail.retry_item", lambda *, context, item, override: asked.append(override)
    )
    pane = shown(opened(), qtbot)
    assert pane.detail.first.text() == "First 10 MB"
    assert pane.detail.anyway.text() == "Read it all (31 MB)"
    assert pane.detail.retry.isHidden()
    pane.detail.first.click()
    pane.detail.anyway.click()
    assert asked == [Override.FIRST_PART, Override.ANYWAY]


def test_what_came_of_a_text_opens_in_memories(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    item = vault.inbox.paste("The studio is closed on Mondays. The key lies under the blue stone.")
    vault.inbox.run()
    done = vault.inbox.get(item.id)
    assert done.state is ItemState.DONE
    session = opened()
    pane = shown(session, qtbot)
    qtbot.waitUntil(lambda: not pane.detail.made.isHidden())
    assert pane.detail.state.text() == "Added"
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_Return)
    qtbot.waitUntil(session.tasks.idle)
    memories = session.window.pane("memories")
    assert session.window.stack.currentWidget() is memories
    qtbot.waitUntil(lambda: memories.detail.memory is not None)  # type: ignore[union-attr]
    assert memories.detail.memory.id == done.memories[0]  # type: ignore[union-attr]


def test_several_memories_open_by_their_source(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    pane = shown(opened(), qtbot)
    item = put(vault, "my notes.md", ItemState.DONE)
    made = InboxItem(**{**{f: getattr(item, f) for f in item.__slots__}, "memories": ("a" * 12, "b" * 12)})
    with qtbot.waitSignal(pane.pane_wanted) as told:
        pane._open_memories(made)
    assert told.args == ["memories", 'source:"my notes.md"']


def test_already_known_leads_to_its_match(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    first = put(vault, "minutes.txt", ItemState.DONE)
    copy = put(vault, "copy.txt", ItemState.KNOWN, reason="The same content was added", duplicate_of=first.id)
    session = opened()
    pane = shown(session, qtbot)
    pane.list.select_ids([copy.id], copy.id)
    qtbot.waitUntil(lambda: pane.detail.twin.text() == "Show “minutes.txt”")
    pane.detail.twin.click()
    assert pane.list.selected_ids() == [first.id]


def test_a_match_that_the_query_leaves_out_is_shown_all_the_same(
    opened: Opened, vault: Vault, qtbot: QtBot
) -> None:
    first = put(vault, "minutes.txt", ItemState.DONE)
    put(vault, "copy.txt", ItemState.KNOWN, duplicate_of=first.id)
    session = opened()
    pane = shown(session, qtbot)
    session.window.search.set_query("is:known")
    qtbot.waitUntil(lambda: rows(pane) == ["FINISHED", "copy.txt"])
    pane.show_item(first.id)
    qtbot.waitUntil(lambda: pane.list.selected_ids() == [first.id])
    assert session.window.search.text() == ""


def test_facets_and_words_narrow(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    put(vault, "report.pdf", ItemState.FAILED)
    put(vault, "letter.txt", ItemState.FAILED)
    put(vault, "report.txt")
    session = opened()
    pane = shown(session, qtbot)
    session.window.search.set_query("is:failed report")
    qtbot.waitUntil(lambda: rows(pane) == ["NEED YOU", "report.pdf"])
    assert pane.complete("is", "f") == [("failed", 1)]
    session.window.search.set_query("kind:fact report")
    qtbot.waitUntil(lambda: not pane.parts.problem.isHidden())
    assert "kind:fact" in pane.parts.problem.text()
    session.window.search.set_query("nothing of the kind")
    qtbot.waitUntil(lambda: not pane.parts.is_filled)
    assert pane.parts.empty.accessibleName().startswith("Nothing matches nothing of the kind.")


def test_changes_come_by_themselves_and_keep_the_selection(
    opened: Opened, vault: Vault, qtbot: QtBot
) -> None:
    item = put(vault, "b.pdf", ItemState.READING, progress=0.1, claimed_until=2**52)
    pane = shown(opened(), qtbot)
    assert pane.detail.state.text() == "Reading 10 %"
    vault.inbox._items.change(item.id, progress=0.6)
    qtbot.waitUntil(lambda: pane.detail.state.text() == "Reading 60 %")
    vault.inbox._items.change(item.id, state=ItemState.FAILED, reason="It broke.")
    qtbot.waitUntil(lambda: pane.detail.state.text() == "Failed")
    assert pane.list.selected_ids() == [item.id]
    put(vault, "new.txt")
    qtbot.waitUntil(lambda: "new.txt" in rows(pane))
    assert pane.list.selected_ids() == [item.id]


def test_keys_act_on_the_selection(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    one, two = put(vault, "a.txt"), put(vault, "b.txt", ItemState.FAILED)
    session = opened()
    pane = shown(session, qtbot)
    pane.list.setFocus()
    pane.select_all()
    assert pane.parts.right.currentWidget() is pane.several
    assert pane.several.head.text() == "2 files selected"
    qtbot.keyClick(pane.list, Qt.Key.Key_I)
    qtbot.waitUntil(lambda: vault.inbox.get(one.id).state is ItemState.IGNORED)
    qtbot.waitUntil(lambda: vault.inbox.get(two.id).state is ItemState.IGNORED)
    pane.escape()
    assert pane.parts.right.currentWidget() is pane.parts.nothing


def test_paste_takes_the_text_of_the_clipboard(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    session = opened()
    pane = shown(session, qtbot)
    QGuiApplication.clipboard().setText("Bread is baked on Fridays, and the oven needs an hour.")
    pane.setFocus()
    qtbot.keyClick(pane, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: vault.inbox.counts().get(ItemState.DONE, 0) == 1, timeout=20_000)
    qtbot.waitUntil(session.tasks.idle)
    QGuiApplication.clipboard().clear()
    pane.paste()
    assert session.window.toast.text() == "The clipboard holds no text and no files"


def test_files_are_chosen(
    opened: Opened, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = shown(opened(), qtbot)
    file = tmp_path / "a.txt"
    taken: list[Path] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(file)], ""))
    monkeypatch.setattr(
        "reverie_gui.panes.inbox.pane.add_files", lambda *, context, paths, kb: taken.extend(paths)
    )
    pane.choose_files()
    assert taken == [file]


def test_folders_are_watched_and_let_go(
    opened: Opened, vault: Vault, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "watched"
    folder.mkdir()
    session = opened()
    pane = shown(session, qtbot)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    pane.folders.choose()
    qtbot.waitUntil(lambda: pane.folders.folders() == [str(folder)])
    assert vault.inbox.watched() == [(str(folder), "default")]
    stop = pane.folders.findChildren(type(pane.folders.add))[-1]
    assert stop.accessibleName() == f"Stop watching {folder}"
    stop.click()
    qtbot.waitUntil(lambda: pane.folders.folders() == [])
    assert vault.inbox.watched() == []


def test_in_a_narrow_window_the_detail_covers_the_list(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    put(vault, "a.txt")
    session = opened()
    session.window.resize(820, 600)
    pane = shown(session, qtbot)
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_Return)
    assert not pane.list.isVisible()
    assert pane.detail.isVisible()
    assert session.window.focusWidget() is pane.parts.sides.to_list
    assert pane.back()
    assert pane.list.isVisible()


def test_the_sidebar_counts_what_needs_the_person(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    put(vault, "a.txt", ItemState.FAILED)
    put(vault, "b.txt")
    session = opened()
    qtbot.waitUntil(lambda: session.window.sidebar.count("inbox") == 1)


@pytest.mark.parametrize(
    ("state", "fields", "words"),
    [
        (ItemState.WAITING, {}, "Waiting"),
        (ItemState.READING, {"progress": 0.42}, "Reading 42 %"),
        (ItemState.READING, {}, "Reading…"),
        (ItemState.DONE, {}, "Added; none of its memories is left"),
        (ItemState.FAILED, {"reason": "It broke."}, "Failed: It broke."),
        (ItemState.KNOWN, {"reason": "As “a”"}, "Already known: As “a”"),
        (ItemState.IGNORED, {}, "Ignored"),
    ],
)
def test_states_in_words(vault: Vault, state: ItemState, fields: dict[str, object], words: str) -> None:
    item = put(vault, "a.txt", state, **fields)
    assert line(item) == words
    look = row_look(item)
    assert (look.share is not None) == (state is ItemState.READING)


def test_the_summary_leaves_out_what_is_none() -> None:
    assert summary({ItemState.FAILED: 2, ItemState.DONE: 1_200}) == "2 need you · 1,200 finished"
    assert summary({}) == ""


def test_a_path_is_shown_from_the_persons_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    plain = breakable(tmp_path / "Reverie" / "inbox").replace("\u200b", "").replace("\\", "/")
    assert plain == "~/Reverie/inbox"
    elsewhere = tmp_path.parent / "elsewhere"
    assert breakable(elsewhere).replace("\u200b", "") == str(elsewhere)
