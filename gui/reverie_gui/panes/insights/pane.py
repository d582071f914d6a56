"""The pane of insights: claims at the left, what each stands on at the right."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QMenu, QWidget

from reverie.i18n import ngettext
from reverie_gui.bridge.changes import Changed
from reverie_gui.context import Context
from reverie_gui.models.id_list_model import IdListModel
from reverie_gui.models.tree_model import Node
from reverie_gui.operations.dreams import dream_now
from reverie_gui.operations.insights import restore_insights, trash_insights
from reverie_gui.panes.base import matching
from reverie_gui.panes.insights.claims import (
    TRASHED,
    Claim,
    FoundClaims,
    describe,
    find_claims,
    load_claims,
    look,
)
from reverie_gui.panes.insights.detail import InsightDetail
from reverie_gui.panes.list_pane import ListPane
from reverie_gui.widgets.hints import KeyHints
from reverie_gui.widgets.list_detail import ListDetail
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.looks import button, column, label
from reverie_gui.widgets.query_split import split
from reverie_gui.widgets.query_words import quoted, signs
from reverie_gui.widgets.row_delegate import RowDelegate
from reverie_gui.wording import number

_REFRESH = 60  # milliseconds: a dream writes once, an ingest often


class InsightsPane(ListPane):
    """Words in the field are looked for in the claims; ``is:trashed`` shows those that were deleted."""

    tables: ClassVar[tuple[str, ...]] = ("insights", "insight_sources", "memories")
    searches: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...] | None] = ("is:trashed",)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.placeholder = self.tr("Search insights, Ctrl+F")  # type: ignore[misc]
        self._query = ""
        self._found: FoundClaims | None = None
        self.model = IdListModel(
            context.tasks,
            lambda ids: load_claims(context, ids),
            lambda claim: claim.insight.id,
            describe,
            self,
        )
        self.model.loaded.connect(self._show_selected)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_REFRESH)
        self._later.timeout.connect(self._ask)
        self._build()

    def _build(self) -> None:
        context = self.context
        delegate = RowDelegate(context.theme, lambda claim: look(claim, self._marks()))
        listed = ListView(self.model, delegate)
        listed.setAccessibleName(self.tr("Insights"))
        listed.picked.connect(self._picked)
        listed.opened.connect(self._opened)
        listed.menu_wanted.connect(self._menu)
        hints = KeyHints(
            [
                ("J K", self.tr("next, previous")),
                (self.tr("Enter"), self.tr("to its memories")),
                (self.tr("Del"), self.tr("delete")),
                ("R", self.tr("restore")),
            ]
        )
        self.set_parts(ListDetail("insights", listed, hints, context.theme, context.settings))
        self.detail = InsightDetail(context)
        self.detail.memory_wanted.connect(self.memory_wanted)
        self.detail.pane_wanted.connect(self.pane_wanted)
        self.several = _Several(self)
        for page in (self.detail, self.several):
            self.parts.right.addWidget(page)
        self.bind_keys()

    # What the window asks.

    def search(self, query: str) -> None:
        self._query = query
        self._ask()

    def activated(self) -> None:
        if self._found is not None:
            self._show_facets(self._found)
            self._tell_status()

    def refresh(self, changed: Changed) -> None:
        delta = changed.rows("insights")
        self.model.refresh([*delta.changed, *delta.added])
        if changed.touched("memories"):
            self.detail.refresh_memories()
        if not self._later.isActive():
            self._later.start()

    def set_kb(self, _kb: str) -> None:
        self._ask()

    def stops(self) -> list[QWidget]:
        return [self.list, self.detail.evidence] if self.detail.isVisible() else [self.list]

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [(self.tr("Restore"), "R", self.restore)]

    def delete(self) -> None:
        if self._found is not None and not self._found.in_trash:
            trash_insights(context=self.context, insights=self.list.selected_ids())

    def restore(self) -> None:
        if self._found is not None and self._found.in_trash:
            restore_insights(context=self.context, insights=self.list.selected_ids())

    def complete(self, key: str, prefix: str) -> list[tuple[str, int]]:
        return matching({TRASHED: self._found.trashed}, prefix) if key == "is" and self._found else []

    # Asking.

    def _marks(self) -> tuple[str, ...]:
        return (self._found.words,) if self._found and self._found.words else ()

    def _ask(self) -> None:
        context, query = self.context, self._query
        parts = split(query)
        in_trash = TRASHED in parts.values("is")
        context.tasks.run(
            lambda task: find_claims(context, query, parts.words, in_trash, task),
            on_done=self._show_found,
            channel="insights/found",
            owner=self,
        )

    def _show_found(self, found: FoundClaims) -> None:
        other = self._found is None or self._found.query != found.query
        self._found = found
        ignored = split(found.query).others("is")
        self.parts.say_problem(
            self.tr("Left out, insights have no such thing: {terms}").format(terms=", ".join(ignored))
            if ignored
            else ""
        )
        self.model.set_ids(found.ids, found.values)
        self.list.viewport().update()
        if found.ids and other and not self.list.selected_ids():
            self.list.select_row(0)
        self.parts.show_list(bool(found.ids), alone=not found.ids and not found.query)
        if not found.ids:
            self._say_empty(found)
        self._show_facets(found)
        self._tell_status()
        self._show_selected()

    def _say_empty(self, found: FoundClaims) -> None:
        say = self.parts.empty.say
        if found.words:
            say(
                self.tr("No insight says {query}").format(query=f"“{found.words}”"),
                self.tr("Try another word, or fewer."),
                self.tr("Clear search"),
                lambda: self.query_wanted.emit(f"is:{TRASHED}" if found.in_trash else ""),
            )
        elif found.in_trash:
            say(
                self.tr("No insight was deleted"),
                "",
                self.tr("Show all insights"),
                lambda: self.query_wanted.emit(""),
            )
        else:
            kb = self.context.settings.text("kb") or "default"
            say(
                self.tr("No insights yet"),
                self.tr("They appear after a dream that finds what several memories have in common."),
                self.tr("Run a dream"),
                lambda: dream_now(context=self.context, kb=kb),
                primary=True,
            )

    def _show_facets(self, found: FoundClaims) -> None:
        if not found.trashed and not found.in_trash:
            self.facets.emit([], {})
            return
        head = Node(self.tr("State"))
        head.add(Node(self.tr("In the trash"), f"is:{quoted(TRASHED)}", found.trashed))
        self.facets.emit([head], signs(found.query))

    def _tell_status(self) -> None:
        found = self._found
        if found is None:
            return
        count = len(found.ids)
        of = self.tr("{count} of {total}").format(count=number(count), total=number(found.total))
        words = ngettext("{n} insight", "{n} insights", count).format(n=number(count))
        self.parts.count.setText(of if found.words else words)
        selected = len(self.list.selected_ids())
        parts = [self.tr("{n} selected").format(n=number(selected))] if selected else []
        self.status.emit(" · ".join([*parts, of]))

    # Selection.

    def _picked(self, ids: list[str]) -> None:
        self._tell_status()
        if len(ids) > 1:
            self.several.show_ids(ids, bool(self._found and self._found.in_trash))
            self.parts.show_right(self.several)
        elif ids:
            self._show_selected()
        else:
            self.parts.show_right()

    def _show_selected(self) -> None:
        ids = self.list.selected_ids()
        if len(ids) != 1:
            return
        claim: Claim | None = self.model.known(ids[0])
        if claim is not None:
            self.detail.show_claim(claim)
            self.parts.show_right(self.detail)

    def _opened(self, _insight: str) -> None:
        self.parts.cover(True)
        self.detail.evidence.setFocus()

    def _menu(self, at: QPoint) -> None:
        if not self.list.selected_ids() or self._found is None:
            return
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if self._found.in_trash:
            menu.addAction(self.tr("Restore\tR"), self.restore)
        else:
            menu.addAction(self.tr("Delete\tDel"), self.delete)
        menu.popup(at)


class _Several(QWidget):
    """The right side while several are selected."""

    def __init__(self, pane: InsightsPane) -> None:
        super().__init__()
        self._title = label(style="title")
        self._delete = button(self.tr("Delete"), pane.delete)
        self._restore = button(self.tr("Restore"), pane.restore)
        layout = column(self._title, 12, margins=(32, 24, 32, 32))
        for act in (self._delete, self._restore):
            layout.addWidget(act)
        layout.addStretch(1)
        self.setLayout(layout)
        for act in (self._delete, self._restore):
            act.setMaximumWidth(160)

    def show_ids(self, ids: list[str], in_trash: bool) -> None:
        words = ngettext("{n} insight selected", "{n} insights selected", len(ids))
        self._title.setText(words.format(n=number(len(ids))))
        self._delete.setVisible(not in_trash)
        self._restore.setVisible(in_trash)
