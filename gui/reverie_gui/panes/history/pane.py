"""The pane of the history: changes by day at the left, what each did at the right."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from reverie_gui.bridge.changes import Changed
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.models.tree_model import Node
from reverie_gui.panes.base import matching
from reverie_gui.panes.history.detail import ChangeView
from reverie_gui.panes.history.lines import (
    GROUPS,
    Line,
    Listed,
    Page,
    Wanted,
    is_memory_id,
    load_lines,
    load_page,
    touched_by,
)
from reverie_gui.panes.history.view import (
    HistoryDelegate,
    HistoryList,
    HistoryModel,
    describe,
    row_look,
)
from reverie_gui.panes.list_pane import ListPane
from reverie_gui.widgets.hints import KeyHints
from reverie_gui.widgets.list_detail import ListDetail
from reverie_gui.widgets.query_split import split
from reverie_gui.widgets.query_words import quoted, signs
from reverie_gui.wording import capital, number

_REFRESH = 80  # milliseconds: an ingest of many files writes often
_AFFECTED = 500  # changes whose state is read again after an undo; above that all begins anew


class HistoryPane(ListPane):
    """The field narrows to ``author:``, to words in a line, or to one memory by its id."""

    searches: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...] | None] = ("author:person", "author:agent", "author:dream")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.placeholder = self.tr("Search changes, Ctrl+F")  # type: ignore[misc]
        self._wanted = Wanted()
        self._query = ""
        self._listed = Listed()
        self._before: int | None = None
        self._loading = False
        self._began = False
        self._affected: set[int] = set()
        self._erased = False
        self.model = HistoryModel(context.tasks, lambda _ids: [], lambda each: each.key, describe, self)
        self.model.more_wanted.connect(self._load_more)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_REFRESH)
        self._later.timeout.connect(self._read_again)
        self._build()
        # Not by ``tables``: any table may change, and emptying the trash changes none that is logged.
        context.changes.changed.connect(self._changed)

    def _build(self) -> None:
        context = self.context
        delegate = HistoryDelegate(context.theme, lambda line: row_look(line, self._marks()))
        listed = HistoryList(self.model, delegate)
        listed.setAccessibleName(self.tr("Changes"))
        listed.picked.connect(self._picked)
        listed.opened.connect(self._opened)
        hints = KeyHints(
            [
                ("J K", self.tr("next, previous")),
                (self.tr("Enter"), self.tr("what it changed")),
                ("U", self.tr("undo this")),
                ("H", self.tr("undo to here")),
            ]
        )
        self.set_parts(ListDetail("history", listed, hints, context.theme, context.settings))
        self.detail = ChangeView(context)
        self.detail.memory_wanted.connect(self.memory_wanted)
        self.detail.pane_wanted.connect(self.pane_wanted)
        self.parts.right.addWidget(self.detail)
        self.bind_keys()

    # What the window asks.

    def search(self, query: str) -> None:
        if self._began and query == self._query:
            return
        self._query = query
        parts = split(query)
        ignored = parts.others("author")
        self.parts.say_problem(
            self.tr("Left out, changes have no such thing: {terms}").format(terms=", ".join(ignored))
            if ignored
            else ""
        )
        words, by_id = parts.words, is_memory_id(parts.words)
        self._wanted = Wanted(
            "" if by_id else words,
            parts.values("author"),
            parts.values("author", minus=True),
            words if by_id else "",
        )
        self._begin()

    def activated(self) -> None:
        self._show_facets()
        self._tell_status()
        if self._affected or self._erased:
            self._later.start()

    def stops(self) -> list[QWidget]:
        return [self.list, self.detail.undo] if self.detail.isVisible() else [self.list]

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [
            (self.tr("Undo this"), "U", self._undo_this),
            (self.tr("Undo to here…"), "H", self._undo_to),
        ]

    def escape(self) -> None:
        if self.detail.question.isVisible():
            self.detail.question.withdraw()
        else:
            super().escape()

    def complete(self, key: str, prefix: str) -> list[tuple[str, int]]:
        return matching(dict.fromkeys((*GROUPS, *self._listed.agents), -1), prefix) if key == "author" else []

    # Reading.

    def _marks(self) -> tuple[str, ...]:
        return (self._wanted.words,) if self._wanted.words else ()

    def _begin(self) -> None:
        """Reads from the newest change on; old lines stay until the new ones are here."""
        self._began = True
        self._affected.clear()
        self._before = None
        self._load(None)

    def _load_more(self) -> None:
        if not self._loading and self._before is not None:
            self._load(self._before)

    def _load(self, before: int | None) -> None:
        context, wanted = self.context, self._wanted
        listed = Listed() if before is None else self._listed

        def work(task: Task[None]) -> tuple[Page, Listed]:
            page = load_page(context, wanted, before, task)
            return page, listed.with_older(page.lines)

        self._loading = True
        context.tasks.run(
            work, on_done=self._take, on_failed=self._failed, channel="history/page", owner=self
        )

    def _take(self, found: tuple[Page, Listed]) -> None:
        page, listed = found
        self._loading = False
        self._wanted = page.wanted
        self._before = page.before
        self._show(listed)
        if page.fresh:
            self.list.scrollToTop()
        if not page.lines and page.before is not None:
            self._load(page.before)  # looked through many that do not match: further down
        elif self._affected:
            self._later.start()

    def _failed(self, error: Exception) -> None:
        self._loading = False
        self.show_banner(self.context.notices.worded(error, retry=self._begin))

    def _show(self, listed: Listed) -> None:
        self._listed = listed
        self.model.has_more = self._before is not None
        self.model.set_ids(listed.ids, listed.fresh)
        self.list.viewport().update()
        if listed.lines and not self.list.selected_ids():
            self.list.select_row(0)
        done = self._before is None
        filled = bool(listed.lines) or not done
        self.parts.show_list(filled, alone=not filled and not self._query)
        if not listed.lines and done:
            self._say_empty()
        self._show_facets()
        self._tell_status()
        self._show_selected()

    def _say_empty(self) -> None:
        if self._query:
            self.parts.empty.say(
                self.tr("No change matches {query}").format(query=self._query),
                self.tr("Other authors and other words may have some."),
                self.tr("Show all changes"),
                lambda: self.query_wanted.emit(""),
            )
        else:
            self.parts.empty.say(
                self.tr("No changes yet"),
                self.tr("What you, agents and dreams change is listed here, and can be undone."),
            )

    # Changes of the vault.

    def _changed(self, changed: Changed) -> None:
        if not self._began:
            return
        for change in changed.changesets:
            if change.id:
                self._affected.add(change.id)
                self._affected.update(int(each["id"]) for each in change.detail.get("undoes") or ())
            elif change.touched("memories") or change.touched("changes"):
                self._erased = True  # from the trash, or by age: what changes say of them has changed too
        if self.isVisible() and (self._affected or self._erased) and not self._later.isActive():
            self._later.start()

    def _read_again(self) -> None:
        """What is new, and what was undone or stands again."""
        if self._loading:
            return  # comes back when that is done
        affected = touched_by(self._listed.lines, self._affected)
        if self._erased or self._wanted.memory or len(affected) > _AFFECTED:
            self._erased = False
            self._begin()
            return
        self._affected.clear()
        context, wanted, listed = self.context, self._wanted, self._listed
        floor = listed.lines[-1].id if listed.lines and self._before is not None else 0

        def work(task: Task[None]) -> Listed:
            page = load_page(context, wanted, None, task)
            seen = {line.id for line in page.lines}
            older = (line for line in load_lines(context, affected - seen) if wanted.takes(line))
            return listed.merged(line for line in (*page.lines, *older) if line.id >= floor)

        self._loading = True
        context.tasks.run(
            work, on_done=self._merged, on_failed=self._failed, channel="history/page", owner=self
        )

    def _merged(self, listed: Listed) -> None:
        self._loading = False
        self._show(listed)
        if self._affected or self._erased:
            self._later.start()

    # Showing.

    def _show_facets(self) -> None:
        head = Node(self.tr("Author"))
        titles = {
            "person": self.tr("You"),
            "agent": self.tr("Agents"),
            "dream": self.tr("Dreams"),
            "ingest": self.tr("Inbox"),
            "import": self.tr("Imports"),
            "retention": self.tr("Retention"),
        }
        for group in GROUPS:
            node = head.add(Node(titles[group], f"author:{group}"))
            if group == "agent":
                for author in self._listed.agents:
                    node.add(Node(author.partition(":")[2], f"author:{quoted(author)}"))
        self.facets.emit([head], signs(self._query))

    def _tell_status(self) -> None:
        count = number(len(self._listed.lines))
        words = self.tr("the last {n} changes") if self._before is not None else self.tr("{n} changes")
        if len(self._listed.lines) == 1 and self._before is None:
            words = self.tr("1 change")
        said = words.format(n=count)
        self.parts.count.setText(capital(said))
        self.status.emit(said)

    def _picked(self, ids: list[str]) -> None:
        if ids:
            self._show_selected()
        else:
            self.parts.show_right()

    def _show_selected(self) -> None:
        ids = self.list.selected_ids()
        value = self.model.known(ids[0]) if ids else None
        if isinstance(value, Line):
            self.detail.show_line(value)
            self.parts.show_right(self.detail)

    def _opened(self, _change: str) -> None:
        self.parts.cover(True)
        if not self.parts.narrow:
            self.detail.undo.setFocus()

    def _undo_this(self) -> None:
        if self.list.selected_ids():
            self.parts.cover(True)
            self.detail.undo_this()

    def _undo_to(self) -> None:
        if self.list.selected_ids():
            self.parts.cover(True)
            self.detail.ask_undo_to()
