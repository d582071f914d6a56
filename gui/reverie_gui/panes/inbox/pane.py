"""The inbox: the queue with its states, what came of each file, and the folders that are watched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QPoint
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie_gui.bridge.changes import Changed
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.drops import load_of
from reverie_gui.models.tree_model import Node
from reverie_gui.operations.inbox import add_files, ignore_items, paste_text, retry_items
from reverie_gui.panes.base import Primary, matching
from reverie_gui.panes.inbox.detail import ItemDetail, SeveralItems
from reverie_gui.panes.inbox.folders import WatchedFolders
from reverie_gui.panes.inbox.loading import Queue, load_queue
from reverie_gui.panes.inbox.words import (
    MAY_IGNORE,
    MAY_RETRY,
    TERMS,
    describe,
    row_look,
    state_word,
    summary,
)
from reverie_gui.panes.list_pane import ListPane
from reverie_gui.panes.reloading import Reloading
from reverie_gui.widgets.grouped_list import GroupedDelegate, GroupedList, GroupedModel
from reverie_gui.widgets.hints import KeyHints
from reverie_gui.widgets.list_detail import ListDetail
from reverie_gui.widgets.looks import button
from reverie_gui.widgets.query_words import quoted, signs

_OFFERED = 200  # values given to the list at once; more are fetched as they are seen


class InboxPane(ListPane):
    tables: ClassVar[tuple[str, ...]] = ("inbox_items", "watched_folders", "memories")
    searches: ClassVar[bool] = True
    placeholder: ClassVar[str] = str(QT_TRANSLATE_NOOP("InboxPane", "Find a file, Ctrl+F"))
    examples: ClassVar[tuple[str, ...] | None] = ("is:failed", "is:waiting")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._kb = context.settings.text("kb") or None
        self._query = ""
        self._queue: Queue | None = None
        self._wanted_id = ""
        self._reload = Reloading(context, self._begin_load, self._show_queue, self)
        self.model = GroupedModel(context.tasks, self._fetch, lambda item: item.id, describe, self)
        self.model.loaded.connect(self._show_selected)
        self._build()

    # Building.

    def _build(self) -> None:
        theme, settings = self.context.theme, self.context.settings
        listed = GroupedList(self.model, GroupedDelegate(theme, row_look))
        listed.setAccessibleName(self.tr("Inbox"))
        listed.picked.connect(self._picked)
        listed.opened.connect(self._opened)
        listed.menu_wanted.connect(self._menu)
        hints = KeyHints(
            [
                ("J K", self.tr("next, previous")),
                ("Enter", self.tr("open its memories")),
                ("R", self.tr("read again")),
                ("I", self.tr("ignore")),
                ("O", self.tr("open its folder")),
                ("Ctrl+V", self.tr("paste")),
                ("Ctrl+O", self.tr("add files")),
            ]
        )
        self.set_parts(ListDetail("inbox", listed, hints, theme, settings))
        self.paste_text = button(self.tr("Paste"), self.paste, "link")
        self.paste_text.setToolTip(self.tr("Add the text or the files of the clipboard (Ctrl+V)"))
        self.parts.head.addWidget(self.paste_text)
        self.folders = WatchedFolders(self.context)
        self.parts.foot.addWidget(self.folders)
        self._build_right()
        self.bind_keys()
        self.setTabOrder(self.list, self.paste_text)

    def _build_right(self) -> None:
        self.detail = ItemDetail(self.context)
        self.detail.memory_wanted.connect(self.memory_wanted)
        self.detail.memories_wanted.connect(self._open_memories)
        self.detail.item_wanted.connect(self.show_item)
        self.several = SeveralItems(self.retry, self.ignore)
        for page in (self.detail, self.several):
            self.parts.right.addWidget(page)

    # What the window asks.

    def primary(self) -> Primary | None:
        return Primary(self.tr("Add files…"), self.choose_files, self.tr("Choose files to read (Ctrl+O)"))

    def search(self, query: str) -> None:
        self._query = query
        self._reload.now()

    def activated(self) -> None:
        if self._queue is not None:
            self._show_facets(self._queue)
            self._tell_status(self._queue)

    def refresh(self, changed: Changed) -> None:
        self._reload.soon()

    def delete(self) -> None:
        self.ignore()

    def complete(self, key: str, prefix: str) -> list[tuple[str, int]]:
        counts = self._queue.counts if self._queue else {}
        known = {word: counts.get(state, 0) for state, word in TERMS.items()}
        return matching(known, prefix) if key == "is" else []

    def set_kb(self, kb: str) -> None:
        self._kb = kb or None
        self._reload.now()

    def stops(self) -> list[QWidget]:
        if self.parts.right.currentWidget() is not self.detail:
            return [self.list, self.folders.add]
        item = self.detail.item
        first = self.detail.open if item is None or item.state not in MAY_RETRY else self.detail.retry
        if item is not None and item.state is ItemState.TOO_LARGE:
            first = self.detail.first
        return [self.list, self.folders.add, first]

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [
            (self.tr("Read again"), "R", self.retry),
            (self.tr("Ignore"), "I", self.ignore),
            (self.tr("Open its folder"), "O", self.detail.open_folder),
        ]

    # Acting.

    def choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Add files"))
        if names:
            add_files(context=self.context, paths=[Path(name) for name in names], kb=self._target())

    def paste(self) -> None:
        """What the clipboard holds: files, else text."""
        load = load_of(QGuiApplication.clipboard().mimeData())
        if load.paths:
            add_files(context=self.context, paths=load.paths, kb=self._target())
        elif load.text.strip():
            paste_text(context=self.context, text=load.text, kb=self._target())
        else:
            self.context.notices.toast(self.tr("The clipboard holds no text and no files"))

    def retry(self) -> None:
        """Reads what is selected again; of a file that is too large, its first part."""
        items = [item for item in self._selected() if item.state in MAY_RETRY]
        large = [item.id for item in items if item.state is ItemState.TOO_LARGE]
        retry_items(context=self.context, items=large, override=Override.FIRST_PART)
        retry_items(
            context=self.context, items=[item.id for item in items if item.state is not ItemState.TOO_LARGE]
        )

    def ignore(self) -> None:
        items = [item.id for item in self._selected() if item.state in MAY_IGNORE]
        if items:
            ignore_items(context=self.context, items=items)

    def show_item(self, item: str) -> None:
        """Selects an item; the query is given up where it leaves the item out."""
        if self.list.select_ids([item], item):
            self.list.scrollTo(self.list.currentIndex())
            return
        self._wanted_id = item
        self.query_wanted.emit("")
        self._reload.now()

    def _target(self) -> str:
        return self._kb or "default"

    def _selected(self) -> list[InboxItem]:
        items = self._queue.items if self._queue else {}
        return [items[each] for each in self.list.selected_ids() if each in items]

    # Answers.

    def _begin_load(self) -> Callable[[Task[Any]], Queue]:
        context, kb, query = self.context, self._kb, self._query
        before = self._queue.items if self._queue else {}
        return lambda _task: load_queue(context, kb, query, before)

    def _fetch(self, ids: list[str]) -> list[InboxItem]:
        items = self._queue.items if self._queue else {}
        return [items[each] for each in ids if each in items]

    def _show_queue(self, queue: Queue) -> None:
        first = self._queue is None
        self._queue = queue
        row_before = self.list.currentIndex().row()
        had = self.list.selected_ids()
        self.model.refresh([item.id for item in queue.changed[_OFFERED:]])
        self.model.set_groups(queue.groups, queue.changed[:_OFFERED])
        if self._wanted_id and self.list.select_ids([self._wanted_id], self._wanted_id):
            self.list.scrollTo(self.list.currentIndex())
            self._wanted_id = ""
        elif not self.list.selected_ids() and (had or first):
            self.list.select_row(max(row_before, 0))
        self.folders.show_folders(queue.watched)
        self._show_problem(queue)
        self._show_empty(queue)
        self._show_facets(queue)
        self._tell_status(queue)
        self._show_selected()

    def _show_problem(self, queue: Queue) -> None:
        strange = ", ".join(queue.narrowing.strange)
        self.parts.say_problem(
            self.tr("Left out, as it means nothing here: {terms}").format(terms=strange) if strange else ""
        )

    def _show_empty(self, queue: Queue) -> None:
        self.parts.show_list(bool(self.model.count()), alone=not self.model.count() and not queue.narrowing)
        if self.model.count():
            return
        if queue.narrowing:
            self.parts.empty.say(
                self.tr("Nothing matches {query}").format(query=queue.query),
                self.tr("Files are found by their name, and by their state such as is:failed."),
                self.tr("Clear search"),
                lambda: self.query_wanted.emit(""),
            )
        else:
            self.parts.empty.say(
                self.tr("Inbox is clear"),
                self.tr("Drop files anywhere in this window."),
                self.tr("Add files…"),
                self.choose_files,
                primary=True,
            )

    def _show_facets(self, queue: Queue) -> None:
        head = Node(self.tr("State"))
        for state, word in TERMS.items():
            head.add(Node(state_word(state), f"is:{quoted(word)}", queue.counts.get(state, 0)))
        self.facets.emit([head] if queue.items else [], signs(queue.query))

    def _tell_status(self, queue: Queue) -> None:
        words = summary(queue.counts)
        self.parts.count.setText(words or self.tr("Nothing here"))
        selected = len(self.list.selected_ids())
        parts = [self.tr("{n} selected").format(n=selected)] if selected > 1 else []
        self.status.emit(" · ".join([*parts, words] if words else parts))

    # Selection.

    def _picked(self, ids: list[str]) -> None:
        if self._queue is not None:
            self._tell_status(self._queue)
        if not ids:
            self.parts.show_right()
        self._show_selected()

    def _show_selected(self) -> None:
        items = self._selected()
        if len(items) > 1:
            self.several.show_items(items)
            self.parts.show_right(self.several)
        elif items:
            self.detail.show_item(items[0])
            self.parts.show_right(self.detail)

    def _opened(self, item: str) -> None:
        """Enter: the detail where it is hidden, else what came of it."""
        if self.parts.narrow:
            self.parts.cover(True)
            return
        known = self._queue.items.get(item) if self._queue else None
        if known is not None and known.memories:
            self._open_memories(known)
        elif known is not None and known.duplicate_of is not None:
            self.show_item(known.duplicate_of)

    def _open_memories(self, item: InboxItem) -> None:
        if len(item.memories) == 1 or '"' in item.name:
            self.memory_wanted.emit(item.memories[0])  # the search language knows no quote inside of a value
        else:
            self.pane_wanted.emit("memories", f"source:{quoted(item.name)}")

    def _menu(self, at: QPoint) -> None:
        items = self._selected()
        if not items:
            return
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        one = items[0] if len(items) == 1 else None
        if one is not None and one.memories:
            menu.addAction(self.tr("Open its memories\tEnter"), lambda: self._open_memories(one))
        if one is not None and one.state is ItemState.TOO_LARGE:
            menu.addAction(self.detail.first.text(), self.detail.first.click)
            menu.addAction(self.detail.anyway.text(), self.detail.anyway.click)
        elif any(item.state in MAY_RETRY for item in items):
            menu.addAction(self.tr("Read again\tR"), self.retry)
        if any(item.state in MAY_IGNORE for item in items):
            menu.addAction(self.tr("Ignore\tI"), self.ignore)
        if one is not None:
            menu.addSeparator()
            menu.addAction(self.tr("Open file"), self.detail.open_file)
            menu.addAction(self.tr("Open its folder\tO"), self.detail.open_folder)
        menu.popup(at)

    # What Qt asks.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        else:
            super().keyPressEvent(event)
