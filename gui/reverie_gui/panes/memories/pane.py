"""The pane of memories: search and list, detail."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from reverie.domain.memory import Facets, Kind, Memory, MemoryFilter, Sort
from reverie.domain.search import Hit
from reverie.i18n import ngettext
from reverie_gui.bridge.changes import Changed
from reverie_gui.context import Context
from reverie_gui.models.id_list_model import IdListModel
from reverie_gui.models.tree_model import Node, path_tree
from reverie_gui.operations.memories import edit_memories, restore_memories, trash_memories
from reverie_gui.panes.base import Primary, matching, nodes_for
from reverie_gui.panes.list_pane import ListPane
from reverie_gui.panes.memories.bulk import BulkDetail
from reverie_gui.panes.memories.detail import MemoryDetail
from reverie_gui.panes.memories.results import Found, Results
from reverie_gui.panes.memories.row import describe, looks
from reverie_gui.theme.icons import icon
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.expiry_menu import ExpiryMenu
from reverie_gui.widgets.hints import KeyHints
from reverie_gui.widgets.list_detail import ListDetail
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.looks import set_look
from reverie_gui.widgets.query_words import Term, quoted, signs, terms, toggled
from reverie_gui.widgets.row_delegate import RowDelegate
from reverie_gui.wording import kind_word, memories, number

_REFRESH, _REFRESH_MAX = 60, 2000  # milliseconds after a change until the list asks again
_REST = (
    3  # times as long as the last answer took: an ingest into 100,000 memories must leave room for the window
)
_TAGS = 12
_FLAGS = ("pinned", "muted", "superseded", "trashed", "unconsolidated", "expired")


class MemoriesPane(ListPane):
    """Class attributes for panes that show a part: ``name`` of its settings, ``base`` of each query."""

    tables: ClassVar[tuple[str, ...]] = ("memories", "memory_tags", "memory_links", "insights")
    searches: ClassVar[bool] = True
    name: ClassVar[str] = "memories"
    base: ClassVar[MemoryFilter] = MemoryFilter()
    trashed: ClassVar[bool] = False

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._query = ""
        self._found: Found | None = None
        self._hits: dict[str, Hit] = {}
        self._facets = Facets()
        self._wanted_id = ""
        self.results = Results(context, self.name, self.base, self)
        self.results.kb = context.settings.text("kb") or None
        kept = context.settings.text(f"sort/{self.name}", Sort.NEWEST.value)
        self.results.sort = Sort(kept) if kept in set(Sort) else Sort.NEWEST
        self.results.found.connect(self._show_found)
        self.results.counted.connect(self._show_facets)
        self.model = IdListModel(
            context.tasks,
            lambda ids: context.vault.memories.get_many(ids),
            lambda memory: memory.id,
            describe,
            self,
        )
        self.model.loaded.connect(self._show_selected)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.results.again)
        self._build()
        context.theme.changed.connect(self._paint)
        self._paint()

    # Building.

    def _build(self) -> None:
        theme, settings = self.context.theme, self.context.settings
        look = looks(lambda: self._hits, lambda: self._found.marks if self._found else ())
        listed = ListView(self.model, RowDelegate(theme, look))
        listed.setAccessibleName(self.tr("Memories"))
        listed.picked.connect(self._picked)
        listed.opened.connect(self._opened)
        listed.menu_wanted.connect(self._menu)
        self.set_parts(ListDetail(self.name, listed, self._build_hints(), theme, settings))
        self._build_sort()
        self.parts.head.addWidget(self.sort)
        self._build_right()
        self.bind_keys()

    def _build_sort(self) -> None:
        self.sort = QToolButton()
        set_look(self.sort, "sort")
        self.sort.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sort.setMinimumHeight(SIZES.target)
        self.sort.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.sort.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.sort.setIconSize(QSize(12, 12))
        self.sort.setMenu(self._sort_menu())
        self.sort.setToolTip(self.tr("Order"))

    def _build_hints(self) -> KeyHints:
        return KeyHints(
            [
                ("J K", self.tr("next, previous")),
                ("E", self.tr("edit")),
                ("T", self.tr("tag")),
                ("P", self.tr("pin")),
                (self.tr("Del"), self.tr("delete")),
                ("Ctrl+N", self.tr("new memory")),
                ("Ctrl+K", self.tr("all commands")),
            ]
        )

    def _build_right(self) -> None:
        self.detail = MemoryDetail(self.context)
        self.detail.memory_wanted.connect(self.show_memory)
        self.detail.pane_wanted.connect(self.pane_wanted)
        self.detail.made.connect(self.show_memory)
        self.detail.left.connect(self._editing_left)
        self.bulk = BulkDetail(self.context, trashed=self.trashed)
        for page in (self.detail, self.bulk):
            self.parts.right.addWidget(page)

    def _sort_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for text, sort in (
            (self.tr("Best match"), None),
            (self.tr("Newest first"), Sort.NEWEST),
            (self.tr("Oldest first"), Sort.OLDEST),
            (self.tr("Last changed"), Sort.UPDATED),
            (self.tr("Most important"), Sort.IMPORTANCE),
            (self.tr("Category"), Sort.CATEGORY),
        ):
            act = QAction(text, self)
            act.setCheckable(True)
            act.setData(sort)
            group.addAction(act)
            menu.addAction(act)
            act.triggered.connect(lambda _on=False, sort=sort: self._set_sort(sort))
        self._sorts = group
        return menu

    # What the window asks.

    def primary(self) -> Primary | None:
        return Primary(self.tr("New memory"), self.new, self.tr("Write a memory (Ctrl+N)"))

    def new(self) -> None:
        """Opens an empty memory in the detail."""
        self.list.clearSelection()
        self.parts.show_right(self.detail)
        self.parts.cover(True)
        self.detail.start_new()

    def search(self, query: str) -> None:
        self._query = query
        self.results.ask(query)

    def activated(self) -> None:
        if self._found is not None:
            self._show_facets(self._facets)
            self._tell_status()

    def refresh(self, changed: Changed) -> None:
        delta = changed.rows("memories")
        self.model.refresh([*delta.changed, *changed.rows("memory_tags").changed])
        if self.parts.right.currentWidget() is self.bulk:
            self.bulk.refresh()
        if not self._later.isActive():
            took = self._found.milliseconds if self._found else 0
            self._later.start(max(_REFRESH, min(_REFRESH_MAX, _REST * took)))

    def stops(self) -> list[QWidget]:
        shown = self.parts.right.currentWidget()
        target: QWidget = self.detail.text if shown is self.detail else self.bulk.tags.entry
        return [self.list, target] if shown in (self.detail, self.bulk) else [self.list]

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [
            (self.tr("Edit text"), "E", self._edit),
            (self.tr("Add tag"), "T", self._tag),
            (self.tr("Pin or unpin"), "P", self._pin),
            (self.tr("Mute or unmute"), "M", self._mute),
            (self.tr("Open source file"), "O", self._open_source),
        ]

    def set_kb(self, kb: str) -> None:
        self.results.kb = kb or None
        self.results.again()

    def delete(self) -> None:
        trash_memories(context=self.context, memories=self.list.selected_ids())

    def save(self) -> None:
        self.detail.save()

    def end_editing(self, then: Callable[[], object]) -> None:
        self.detail.end_editing(then)

    def complete(self, key: str, prefix: str) -> list[tuple[str, int]]:
        known = {
            "kind": {kind.value: self._facets.kinds.get(kind.value, 0) for kind in Kind},
            "tag": self._facets.tags,
            "category": self._facets.categories,
            "source": self._facets.sources,
            "is": dict.fromkeys(_FLAGS, -1),
        }
        return matching(known.get(key, {}), prefix)

    def show_memory(self, memory: str) -> None:
        """Selects a memory, or shows it beside the list if the list does not hold it."""
        if self.list.select_ids([memory], memory):
            self.list.scrollTo(self.list.currentIndex())
            return
        self._wanted_id = memory
        context = self.context
        context.tasks.run(
            lambda _task: context.vault.memories.get(memory),
            on_done=self._show_one,
            channel="memory/one",
            owner=self,
        )

    # Answers.

    def _show_found(self, found: Found) -> None:
        fresh = self._found is None or self._found.query != found.query
        self._found = found
        self._hits = dict(found.hits)
        self.parts.say_problem(" ".join(found.problems))
        self.model.set_ids(found.ids, found.values)
        self.list.viewport().update()
        if self._wanted_id and self.list.select_ids([self._wanted_id], self._wanted_id):
            self._wanted_id = ""
        elif fresh and found.ids and not self.list.selected_ids() and not self.detail.is_editing():
            self.list.select_row(0)
        self._paint_sort()
        self._tell_status()
        self._show_empty(found)
        self._show_selected()

    def _show_empty(self, found: Found) -> None:
        if found.ids:
            self.parts.show_list(True)
            return
        if not found.final:
            return  # the answer by meaning is on its way: nothing is said yet
        self.parts.show_list(False, alone=not found.query)
        if not found.query:
            self._say_nothing_yet()
            return
        narrowing = terms(found.query)
        if narrowing:
            self._say_nothing_matches(found.query, narrowing[-1])
            return
        self._offer_clear(found.query)

    def _say_nothing_matches(self, query: str, last: Term) -> None:
        """Offers to drop the last term, and says how many there are without it as soon as that is known."""
        term = query[last.start : last.end]
        without = toggled(query, term.lstrip("-"), minus=last.minus)
        title = self.tr("Nothing matches {query}").format(query=query)
        offer = self.tr("Drop {term}").format(term=term)

        def drop() -> None:
            self.query_wanted.emit(without)

        def counted(count: int) -> None:
            if self._found is None or self._found.query != query:
                return
            if not count:
                self._offer_clear(query)
                return
            words = ngettext("{n} matches without {term}.", "{n} match without {term}.", count)
            self.parts.empty.say(title, words.format(n=number(count), term=term), offer, drop)

        self.parts.empty.say(title, "", offer, drop)
        self.results.count(without, counted)

    def _offer_clear(self, query: str) -> None:
        self.parts.empty.say(
            self.tr("Nothing matches {query}").format(query=query),
            self.tr("Try other words, or fewer."),
            self.tr("Clear search"),
            lambda: self.query_wanted.emit(""),
        )

    def _say_nothing_yet(self) -> None:
        self.parts.empty.say(
            self.tr("No memories yet"),
            self.tr("Agents add them as they work. You can also write one or drop in a file."),
            self.tr("New memory"),
            self.new,
            primary=True,
        )

    def _show_facets(self, facets: Facets) -> None:
        self._facets = facets
        self.detail.set_known(facets.tags, facets.categories)
        self.bulk.set_known(list(facets.tags), list(facets.categories))
        kinds = Node(self.tr("Kind"))
        for kind in Kind:
            kinds.add(
                Node(kind_word(kind), f"kind:{kind.value}", facets.kinds.get(kind.value, 0), kind.value)
            )
        heads = [kinds] if facets.total or self._query else []
        if facets.categories:
            head = Node(self.tr("Category"))
            for node in path_tree(facets.categories, "category", quoted):
                head.add(node)
            heads.append(head)
        for title, values, key in (
            (self.tr("Tags"), facets.tags, "tag"),
            (self.tr("Source"), facets.sources, "source"),
        ):
            made = nodes_for(title, values, lambda value, key=key: f"{key}:{quoted(value)}", _TAGS)  # type: ignore[misc]
            if made is not None:
                heads.append(made)
        self.facets.emit(heads, signs(self._query))

    def _tell_status(self) -> None:
        found = self._found
        if found is None:
            return
        count = len(found.ids)
        of = self.tr("{count} of {total}").format(count=number(count), total=number(found.total))
        self.parts.count.setText(of if found.query else memories(count))
        selected = self.list.selected_count()
        parts = [self.tr("{n} selected").format(n=number(selected))] if selected else []
        parts += [of, self.tr("{n} ms").format(n=found.milliseconds)]
        self.status.emit(" · ".join(parts))

    # Selection.

    def _picked(self, ids: list[str]) -> None:
        self._tell_status()
        if len(ids) > 1:
            self.bulk.show_ids(ids)
            self.parts.show_right(self.bulk)
        elif ids:
            self._show_selected()
        elif not self.detail.is_editing():
            self.parts.show_right()

    def _show_selected(self) -> None:
        ids = self.list.selected_ids()
        if len(ids) != 1:
            return
        self.detail.show_found(self._hits.get(ids[0]))
        memory = self.model.known(ids[0])
        if memory is not None and memory != self.detail.memory:
            self._show_one(memory)
        elif memory is not None:
            self.parts.show_right(self.detail)

    def _show_one(self, memory: Memory) -> None:
        self.detail.show_memory(memory)
        self.parts.show_right(self.detail)

    def _opened(self, _memory: str) -> None:
        self.parts.cover(True)
        if not self.parts.narrow:
            self._edit()

    def _edit(self) -> None:
        if self.list.selected_count() == 1:
            self.parts.cover(True)
            self.detail.edit()

    def _tag(self) -> None:
        selected = self.list.selected_count()
        if selected == 1:
            self.parts.cover(True)
            self.detail.edit_tags()
        elif selected:
            self.bulk.tags.entry.setFocus()

    def _pin(self) -> None:
        self._selected_page().toggle_pin()

    def _mute(self) -> None:
        self._selected_page().toggle_mute()

    def _selected_page(self) -> MemoryDetail | BulkDetail:
        """What acts on the selection: on one memory, or on all of several."""
        return self.bulk if self.list.selected_count() > 1 else self.detail

    def _open_source(self) -> None:
        if self.list.selected_count() == 1:
            self.detail.open_source()

    def _editing_left(self) -> None:
        if self.detail.memory is None:
            self.parts.show_right()
            self.parts.cover(False)
        if self.detail.isAncestorOf(self.focusWidget() or self) or self.focusWidget() is None:
            self.list.setFocus()

    def _menu(self, at: QPoint) -> None:
        ids = self.list.selected_ids()
        if not ids:
            return
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        one = len(ids) == 1
        if one:
            menu.addAction(self.tr("Edit\tE"), self._edit)
        menu.addAction(self.tr("Tag…\tT"), self._tag)
        if one:
            memory = self.model.known(ids[0])
            pinned, muted = bool(memory and memory.pinned), bool(memory and memory.muted)
            menu.addAction(self.tr("Unpin\tP") if pinned else self.tr("Pin\tP"), self._pin)
            menu.addAction(self.tr("Unmute\tM") if muted else self.tr("Mute\tM"), self._mute)
        else:
            menu.addAction(self.tr("{act}\tP").format(act=self.bulk.pin.text()), self._pin)
            menu.addAction(self.tr("{act}\tM").format(act=self.bulk.mute.text()), self._mute)
        expiry = ExpiryMenu(menu)
        expiry.chosen.connect(
            lambda moment: edit_memories(context=self.context, memories=ids, expires_at=moment)
        )
        menu.addMenu(expiry)
        menu.addSeparator()
        if self.trashed:
            menu.addAction(self.tr("Restore"), lambda: restore_memories(context=self.context, memories=ids))
        else:
            menu.addAction(self.tr("Delete\tDel"), self.delete)
        menu.popup(at)

    # Order.

    def _set_sort(self, sort: Sort | None) -> None:
        self.results.by_match = sort is None
        if sort is not None:
            self.results.sort = sort
            self.context.settings.set(f"sort/{self.name}", sort.value)
        self.results.again()

    def _paint_sort(self) -> None:
        words = bool(self._found and self._found.words)
        shown: Sort | None = None if words and self.results.by_match else self.results.sort
        for act in self._sorts.actions():
            act.setChecked(act.data() == shown)
            if act.data() is None:
                act.setEnabled(words)
            if act.data() == shown:
                self.sort.setText(act.text())
                self.sort.setAccessibleName(self.tr("Order: {order}").format(order=act.text()))

    def _paint(self) -> None:
        look = self.context.theme.palette
        self.sort.setIcon(icon("chevron-down", look.text_2, size=12))
