"""The pane of memories in a real window on a real vault."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.memory import Kind, MemoryFilter, State
from reverie_gui.app import Session
from reverie_gui.panes.memories.pane import MemoriesPane
from reverie_gui.widgets.link import LinkLine

Opened = Callable[[], Session]

TEXTS = [
    ("The Berlin office closes at eight", "fact", ["office"], "work/offices"),
    ("Prefers window seats on short flights", "preference", ["travel"], "user/travel"),
    ("Never deploy on Fridays", "anti-pattern", ["release"], "work/release"),
    ("Moved to the new host on 3 June", "timeline", ["office", "mail"], "work/infrastructure"),
]


@pytest.fixture
def pane(vault: Vault, opened: Opened, qtbot: QtBot) -> MemoriesPane:
    for content, kind, tags, category in TEXTS:
        vault.memories.add(content, kind=kind, tags=tags, category=category)
    session = opened()
    found = session.window.pane("memories")
    assert isinstance(found, MemoriesPane)
    qtbot.waitUntil(lambda: found.model.rowCount() == 4)
    return found


def settle(session: Session, qtbot: QtBot) -> None:
    qtbot.wait(20)
    qtbot.waitUntil(session.tasks.idle)


def test_an_empty_vault_says_what_to_do(opened: Opened, qtbot: QtBot) -> None:
    session = opened()
    pane = session.window.pane("memories")
    assert isinstance(pane, MemoriesPane)
    qtbot.waitUntil(lambda: not pane.parts.is_filled)
    assert "No memories yet" in pane.parts.empty.accessibleName()


def test_an_empty_vault_offers_one_primary_action_and_keeps_no_room_for_a_detail(
    opened: Opened, vault: Vault, qtbot: QtBot
) -> None:
    session = opened()
    pane = session.window.pane("memories")
    assert isinstance(pane, MemoriesPane)
    qtbot.waitUntil(lambda: not pane.parts.is_filled and pane.parts.empty.is_primary)
    assert session.window.toolbar.primary.isHidden()
    assert not pane.parts.right.isVisible()
    assert not session.window.search.hasFocus()
    vault.memories.add("The first one")
    qtbot.waitUntil(lambda: pane.detail.isVisible() and pane.detail.title.text() == "The first one")
    assert not session.window.toolbar.primary.isHidden()
    session.window.undo()
    qtbot.waitUntil(lambda: not pane.parts.is_filled and not pane.parts.right.isVisible())
    settle(session, qtbot)


def test_a_first_memory_is_written_beside_the_empty_list(
    opened: Opened, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    opened()
    pane = session.window.pane("memories")
    assert isinstance(pane, MemoriesPane)
    qtbot.waitUntil(lambda: not pane.parts.is_filled)
    qtbot.keyClick(pane.parts.empty, Qt.Key.Key_Return)
    qtbot.waitUntil(pane.detail.editor.hasFocus)
    qtbot.keyClicks(pane.detail.editor, "Lena is vegetarian")
    pane.detail.editor.save()
    qtbot.waitUntil(lambda: pane.parts.is_filled)
    assert pane.detail.is_editing()
    qtbot.keyClick(pane.detail.editor, Qt.Key.Key_Escape)
    settle(session, qtbot)


@pytest.mark.parametrize("name", ["insights", "inbox", "dreams", "history", "trash", "settings"])
def test_no_pane_opens_what_the_search_field_offers(
    opened: Opened, session: Session, name: str, qtbot: QtBot
) -> None:
    opened()
    session.window.open_pane(name)
    settle(session, qtbot)
    assert not session.window.search.hasFocus()
    assert not session.window.search.hide_popovers()


def test_a_search_that_loses_the_selection_shows_its_first_hit(
    pane: MemoriesPane, session: Session, qtbot: QtBot
) -> None:
    pane.list.selectAll()
    session.window.search.set_query("kind:fact nothing-of-this")
    qtbot.waitUntil(lambda: not pane.parts.is_filled, timeout=8000)
    session.window.search.set_query("kind:fact")
    qtbot.waitUntil(lambda: pane.detail.title.text() == "The Berlin office closes at eight")
    qtbot.waitUntil(lambda: len(pane.list.selected_ids()) == 1)
    settle(session, qtbot)


def test_the_newest_is_shown_first_with_its_detail(
    pane: MemoriesPane, session: Session, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    assert pane.detail.memory is not None
    assert pane.detail.memory.content == "Moved to the new host on 3 June"
    assert "4 of 4" in session.window.status.left()
    qtbot.waitUntil(lambda: session.window.sidebar.count("memories") == 4)


def test_search_by_words_and_by_terms(pane: MemoriesPane, session: Session, qtbot: QtBot) -> None:
    search = session.window.search
    search.set_query("kind:preference")
    qtbot.waitUntil(lambda: pane.model.rowCount() == 1)
    search.set_query("berlin")
    qtbot.waitUntil(lambda: pane._found is not None and pane._found.query == "berlin")
    qtbot.waitUntil(lambda: pane.model.rowCount() >= 1)
    first = pane.model.known(pane.model.ids[0])
    assert first.content == "The Berlin office closes at eight"
    search.set_query("kind:fact zzzz")
    qtbot.waitUntil(lambda: not pane.parts.is_filled, timeout=8000)
    assert "Nothing matches kind:fact zzzz" in pane.parts.empty.accessibleName()
    search.set_query("")
    qtbot.waitUntil(lambda: pane.model.rowCount() == 4)


def test_a_facet_narrows_and_excludes(pane: MemoriesPane, session: Session, qtbot: QtBot) -> None:
    facets = session.window.sidebar.facets
    qtbot.waitUntil(lambda: facets.model().rowCount() > 0)
    facets.chosen.emit("kind:fact", False, False)
    assert session.window.search.text() == "kind:fact"
    qtbot.waitUntil(lambda: pane.model.rowCount() == 1)
    facets.chosen.emit("kind:fact", True, False)
    assert session.window.search.text() == "-kind:fact"
    qtbot.waitUntil(lambda: pane.model.rowCount() == 3)


def test_of_a_category_and_a_source_the_next_one_chosen_takes_the_place(
    pane: MemoriesPane, session: Session, qtbot: QtBot
) -> None:
    chosen = session.window.sidebar.facet_chosen
    chosen.emit("category:work/offices", False, False)
    chosen.emit("category:user/travel", False, False)
    assert session.window.search.text() == "category:user/travel"
    chosen.emit("category:user/travel", False, False)
    assert session.window.search.text() == ""
    settle(session, qtbot)


def test_a_search_is_saved_in_the_sidebar_and_forgotten(
    pane: MemoriesPane, session: Session, qtbot: QtBot
) -> None:
    window = session.window

    def listed() -> list[str]:
        tree = window.sidebar.facets.model()
        heads = [tree.index(row, 0) for row in range(tree.rowCount())]
        return [
            str(tree.index(row, 0, head).data())
            for head in heads
            if head.data() == "Saved searches"
            for row in range(tree.rowCount(head))
        ]

    window.search.set_query("tag:office berlin")
    window.commands.actions["save"].trigger()
    window.search.set_query("kind:fact")
    window.commands.actions["save"].trigger()
    assert listed() == ["tag:office berlin", "kind:fact"]
    window.sidebar.facet_chosen.emit("saved:tag:office berlin", False, False)
    assert window.search.text() == "tag:office berlin"
    window.open_pane("trash")
    assert listed() == ["tag:office berlin", "kind:fact"]
    window.open_pane("history")
    assert listed() == []
    window.open_pane("memories")
    window.sidebar.facet_chosen.emit("saved:kind:fact", True, False)
    assert listed() == ["tag:office berlin"]
    window.commands.actions["save"].trigger()
    assert listed() == []
    settle(session, qtbot)


def test_editing_in_place_is_one_undo_step(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    memory = pane.detail.memory
    assert memory is not None
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_E)
    qtbot.waitUntil(pane.detail.editor.hasFocus)
    pane.detail.editor.setPlainText("Moved again on 4 June")
    qtbot.keyClick(pane.detail.editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: vault.memories.get(memory.id).content == "Moved again on 4 June")
    qtbot.waitUntil(lambda: pane.detail.title.text() == "Moved again on 4 June")
    qtbot.waitUntil(lambda: session.window.commands.actions["undo"].text() == "Undo edit memory")
    session.window.undo()
    qtbot.waitUntil(lambda: pane.detail.title.text() == "Moved to the new host on 3 June")
    qtbot.waitUntil(lambda: session.window.commands.actions["redo"].text() == "Redo edit memory")
    session.window.redo()
    qtbot.waitUntil(lambda: pane.detail.title.text() == "Moved again on 4 June")


def test_delete_asks_nothing_selects_the_next_and_can_be_undone(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    pane.list.select_row(1)
    first, second, third, _ = pane.model.ids
    session.window.commands.actions["delete"].trigger()
    qtbot.waitUntil(lambda: pane.model.rowCount() == 3)
    assert vault.memories.get(second).state is State.TRASHED
    assert pane.list.selected_ids() == [third]
    qtbot.waitUntil(lambda: session.window.toast.text() == "Memory deleted")
    qtbot.mouseClick(session.window.toast._button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.model.rowCount() == 4)
    assert list(pane.model.ids)[:2] == [first, second]


def test_another_process_writes_and_the_list_follows(pane: MemoriesPane, vault: Vault, qtbot: QtBot) -> None:
    with Vault.open(vault.path) as other:
        made = other.memories.add("Written elsewhere")
        qtbot.waitUntil(lambda: pane.model.rowCount() == 5, timeout=3000)
        other.memories.update(made.id, content="Changed elsewhere")
        qtbot.waitUntil(
            lambda: getattr(pane.model.known(made.id), "content", "") == "Changed elsewhere", timeout=3000
        )


def test_a_new_memory_is_written_and_selected(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    session.window.commands.actions["new"].trigger()
    editor = pane.detail.editor
    qtbot.waitUntil(editor.hasFocus)
    qtbot.keyClicks(editor, "Lena is vegetarian")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: vault.memories.count(MemoryFilter()) == 5)
    qtbot.waitUntil(
        lambda: pane.detail.memory is not None and pane.detail.memory.content == "Lena is vegetarian"
    )
    qtbot.waitUntil(lambda: pane.list.selected_ids() == [pane.detail.memory.id])  # type: ignore[union-attr]


def test_an_empty_new_memory_leaves_nothing(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    session.window.new_memory()
    qtbot.waitUntil(pane.detail.editor.hasFocus)
    qtbot.keyClick(pane.detail.editor, Qt.Key.Key_Escape)
    settle(session, qtbot)
    assert vault.memories.count(MemoryFilter()) == 4


def test_several_are_tagged_at_once(pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot) -> None:
    session.window.commands.actions["all"].trigger()
    assert pane.parts.right.currentWidget() is pane.bulk
    assert pane.bulk.title.text() == "4 memories selected"
    settle(session, qtbot)
    qtbot.keyClicks(pane.bulk.tags.entry, "all,")
    qtbot.waitUntil(lambda: vault.memories.count(MemoryFilter(tags=("all",))) == 4)
    settle(session, qtbot)
    assert len(pane.list.selected_ids()) == 4


@pytest.mark.parametrize("act", ["pin by key", "mute by key", "kind", "expiry", "category", "delete"])
def test_what_is_done_to_several_is_one_undo_step(
    act: str, pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    def stored() -> list[tuple[object, ...]]:
        ids = [memory.id for memory in before]
        return [
            (m.pinned, m.muted, m.kind, m.expires_at is None, m.category, m.state)
            for m in vault.memories.get_many(ids)
        ]

    pane.list.select_ids(list(pane.model.ids)[:3])
    settle(session, qtbot)
    before = vault.memories.get_many(list(pane.model.ids))
    was = stored()
    if act == "pin by key":
        qtbot.keyClick(pane.list, Qt.Key.Key_P)
        wanted = [(True, *each[1:]) for each in was[:3]]
    elif act == "mute by key":
        qtbot.keyClick(pane.list, Qt.Key.Key_M)
        wanted = [(each[0], True, *each[2:]) for each in was[:3]]
    elif act == "kind":
        pane.bulk.kind.click()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        next(each for each in menu.actions() if each.text() == "Note").trigger()
        menu.close()
        wanted = [(*each[:2], Kind.NOTE, *each[3:]) for each in was[:3]]
    elif act == "expiry":
        pane.bulk.expires.click()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        next(each for each in menu.actions() if each.text() == "In a week").trigger()
        menu.close()
        wanted = [(*each[:3], False, *each[4:]) for each in was[:3]]
    elif act == "category":
        pane.bulk.category.setText("work/moved")
        pane.bulk.category.editingFinished.emit()
        wanted = [(*each[:4], "work/moved", each[5]) for each in was[:3]]
    else:
        session.window.commands.actions["delete"].trigger()
        wanted = [(*each[:5], State.TRASHED) for each in was[:3]]
    qtbot.waitUntil(lambda: stored() == [*wanted, was[3]])
    settle(session, qtbot)
    session.window.undo()
    qtbot.waitUntil(lambda: stored() == was)
    settle(session, qtbot)


def test_when_a_memory_expires_is_chosen_in_its_detail(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    memory = pane.detail.memory
    assert memory is not None
    assert pane.detail.expires.text() == "Never"
    pane.detail.expires.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(each for each in menu.actions() if each.text() == "In a day").trigger()
    menu.close()
    qtbot.waitUntil(lambda: vault.memories.get(memory.id).expires_at is not None)
    qtbot.waitUntil(lambda: pane.detail.expires.text().startswith("in "))
    settle(session, qtbot)


def test_a_refused_category_is_told_beside_the_fields(
    pane: MemoriesPane, session: Session, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    pane.detail.category.chosen.emit("not a category!")
    qtbot.waitUntil(lambda: not pane.detail.problem.isHidden())
    assert "not a category!" in pane.detail.problem.text()
    assert pane.detail.category.text() == "work/infrastructure"


def test_flags_tags_and_importance_are_stored(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    assert pane.detail.memory is not None
    each = pane.detail.memory.id
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: vault.memories.get(each).pinned)
    pane.detail.importance.setValue(90)
    qtbot.waitUntil(lambda: vault.memories.get(each).importance == 0.9, timeout=3000)
    pane.detail.tags.changed.emit(["one"])
    qtbot.waitUntil(lambda: vault.memories.get(each).tags == ("one",))
    settle(session, qtbot)


def test_the_trash_restores(pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot) -> None:
    first = pane.model.ids[0]
    vault.memories.trash(first)
    session.window.open_pane("trash")
    trash = session.window.pane("trash")
    assert isinstance(trash, MemoriesPane)
    qtbot.waitUntil(lambda: list(trash.model.ids) == [first])
    trash.list.setFocus()
    qtbot.keyClick(trash.list, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: vault.memories.get(first).state is State.ACTIVE)
    qtbot.waitUntil(lambda: trash.model.rowCount() == 0)
    settle(session, qtbot)


def test_rows_have_names_for_screen_readers(pane: MemoriesPane, qtbot: QtBot) -> None:
    text = pane.model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("Preference, Prefers window seats on short flights, just now")


def test_closing_keeps_what_is_being_written(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    memory = pane.detail.memory
    assert memory is not None
    pane.detail.edit()
    pane.detail.editor.setPlainText("The last words")
    session.vault = None  # the fixture's, which closes it later
    session.window.close()
    assert vault.memories.get(memory.id).content == "The last words"


def test_what_is_written_pause_by_pause_is_one_undo_step(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    memory = pane.detail.memory
    assert memory is not None
    pane.detail.edit()
    for words in (" and", " again on", " 5 June"):
        qtbot.keyClicks(pane.detail.editor, words)
        pane.detail.editor.save()  # what a pause does
        settle(session, qtbot)
    assert vault.memories.get(memory.id).content == f"{memory.content} and again on 5 June"
    assert [each.changeset.kind for each in vault.memories.history(memory.id)] == [
        "edit memory",
        "add memory",
    ]
    session.window.undo()
    qtbot.waitUntil(lambda: vault.memories.get(memory.id).content == memory.content)
    assert not pane.detail.is_editing()


def test_a_new_memory_is_one_undo_step_however_long_it_took_to_write(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    session.window.new_memory()
    for words in ("Lena", " is", " vegetarian"):
        qtbot.keyClicks(pane.detail.editor, words)
        pane.detail.editor.save()
    qtbot.waitUntil(lambda: any(m.content == "Lena is vegetarian" for m in vault.memories.list()))
    session.window.undo()
    qtbot.waitUntil(lambda: vault.memories.count(MemoryFilter()) == len(TEXTS))


def test_undo_in_the_middle_of_writing_stores_first_and_takes_back_the_whole(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    memory = pane.detail.memory
    assert memory is not None
    pane.detail.edit()
    qtbot.keyClicks(pane.detail.editor, " not stored yet")
    session.window.undo()
    qtbot.waitUntil(lambda: bool(vault.history.redoable()))
    assert vault.memories.get(memory.id).content == memory.content
    session.window.redo()
    qtbot.waitUntil(lambda: vault.memories.get(memory.id).content == f"{memory.content} not stored yet")


def test_all_that_was_written_is_there_after_closing_in_a_hurry(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    session.window.new_memory()
    for words in ("Closing", " in", " a hurry"):
        qtbot.keyClicks(pane.detail.editor, words)
        pane.detail.editor.save()
    session.vault = None  # the fixture's, which closes it later
    session.window.close()
    assert [m.content for m in vault.memories.list() if m.content.startswith("Clo")] == ["Closing in a hurry"]


def test_metadata_is_edited_as_json(pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: pane.detail.memory is not None)
    memory = pane.detail.memory
    assert memory is not None
    field = pane.detail.meta
    field._begin()
    field._editor.setPlainText("{not json")
    field.finish()
    assert not pane.detail.problem.isHidden()
    field._editor.setPlainText('{"channel": "mail", "file": {"pages": 2}}')
    field.finish()
    wanted = {"channel": "mail", "file": {"pages": 2}}
    qtbot.waitUntil(lambda: vault.memories.get(memory.id).metadata == wanted)
    qtbot.waitUntil(lambda: field._lines.text() == "channel: mail\nfile.pages: 2")
    settle(session, qtbot)


def test_nothing_found_says_what_there_is_without_a_term(
    pane: MemoriesPane, session: Session, qtbot: QtBot
) -> None:
    session.window.search.set_query("kind:fact tag:travel")
    qtbot.waitUntil(lambda: "1 matches without tag:travel" in pane.parts.empty.accessibleName())
    pane.parts.empty._run()
    assert session.window.search.text() == "kind:fact"
    settle(session, qtbot)


def test_similar_memories_are_shown_once_the_selection_rests(
    pane: MemoriesPane, vault: Vault, qtbot: QtBot
) -> None:
    near = vault.memories.add("The Berlin office closes at nine on Thursdays")
    vault.index.wait()
    shown = next(
        each for each in vault.memories.list() if each.content == "The Berlin office closes at eight"
    )
    pane.show_memory(shown.id)
    qtbot.waitUntil(lambda: pane.detail.memory is not None and pane.detail.memory.id == shown.id)

    qtbot.waitUntil(pane.detail.similar.isVisible)

    (link,) = pane.detail.similar.findChildren(LinkLine)
    link.click()
    qtbot.waitUntil(lambda: pane.detail.memory is not None and pane.detail.memory.id == near.id)


def test_the_detail_says_why_a_memory_was_found_and_marks_the_words(
    pane: MemoriesPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    made = vault.memories.add(
        "Offices\n\nThe office in Oslo closes at six 🎉. The office in Porto never closes."
    )
    session.window.search.set_query("office closing 🎉")
    qtbot.waitUntil(lambda: pane.model.rowCount() < 5 and pane.model.known(made.id) is not None)
    pane.show_memory(made.id)
    qtbot.waitUntil(lambda: pane.detail.found.isVisible() and "Oslo" in pane.detail.text.toPlainText())
    assert pane.detail.found.text().startswith("Holds “Offices”, “office”, “closes”, “🎉”")
    marked = [each.cursor.selectedText() for each in pane.detail.text.extraSelections()]
    assert marked == ["office", "closes", "🎉", "office", "closes"]
    session.window.search.set_query("")
    qtbot.waitUntil(pane.detail.found.isHidden)
    assert pane.detail.text.extraSelections() == []
