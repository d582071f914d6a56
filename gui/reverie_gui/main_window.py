"""The window: toolbar, sidebar, the panes, status bar; and what moves between them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFileDialog, QMainWindow, QWidget

from reverie.domain.memory import Memory
from reverie_gui.appearance import Appearance
from reverie_gui.bridge.notices import Banner, Notices, Toast
from reverie_gui.bridge.tasks import Tasks
from reverie_gui.commands import Commands
from reverie_gui.context import Context
from reverie_gui.drops import Load, load_of
from reverie_gui.operations.dreams import dream_now
from reverie_gui.operations.history import redo, undo
from reverie_gui.operations.inbox import add_files, paste_text
from reverie_gui.operations.transfer import export_json
from reverie_gui.pane_stack import PaneStack
from reverie_gui.panes import PANES, PaneSpec
from reverie_gui.panes.base import Pane
from reverie_gui.preferences import Preferences
from reverie_gui.searching import Searching
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES
from reverie_gui.trail import Trail
from reverie_gui.undo_names import Names, UndoNames
from reverie_gui.vault_status import VaultStatus
from reverie_gui.widgets.banner import BannerView
from reverie_gui.widgets.drop_overlay import DropOverlay
from reverie_gui.widgets.looks import column
from reverie_gui.widgets.palette import Choice, CommandPalette
from reverie_gui.widgets.shortcuts_card import ShortcutsCard
from reverie_gui.widgets.sidebar import Entry, Sidebar
from reverie_gui.widgets.splitter import Splitter
from reverie_gui.widgets.status_bar import StatusBar
from reverie_gui.widgets.toast import ToastView
from reverie_gui.widgets.toolbar import Toolbar
from reverie_gui.window_commands import edit_commands, file_commands, go_commands, view_commands


class MainWindow(QMainWindow):
    """Built and shown before the vault is open; ``attach`` fills it.

    Signals: ``closing()`` the person closes it: stop tasks, then the vault.
    """

    closing = Signal()

    def __init__(self, theme: Theme, tasks: Tasks, notices: Notices, settings: Preferences) -> None:
        super().__init__()
        self._theme, self._tasks, self._notices, self._settings = theme, tasks, notices, settings
        self._context: Context | None = None
        self._trail = Trail()
        self._sidebar_wanted = settings.flag("sidebar", True)
        self.setWindowTitle("Reverie")
        self.setMinimumSize(*SIZES.window_min)
        self.setAcceptDrops(True)
        self._build()
        self._build_commands()
        notices.toasted.connect(self._toast)
        notices.bannered.connect(self._show_banner)
        notices.cleared.connect(self.banner.hide)
        tasks.failed.connect(lambda _task, error: notices.failure(error))
        settings.changed.connect(self._preferred)
        self._restore_geometry()

    # Building.

    def _build(self) -> None:
        self.toolbar = Toolbar(self._theme)
        self.search = self.toolbar.search
        self.sidebar = Sidebar(self._theme)
        self.sidebar.set_entries(Entry(s.id, s.name, s.icon, gap=s.gap) for s in PANES)
        self.stack = PaneStack(self._settings)
        self.searching = Searching(self.search, self.stack, self._settings, self)
        self.banner = BannerView(self._theme)
        content = QWidget()
        layout = column(self.banner)
        layout.addWidget(self.stack, 1)
        content.setLayout(layout)
        content.setMinimumWidth(SIZES.list_min)
        self.splitter = Splitter("window", [SIZES.sidebar, 1056], self._theme, self._settings)
        self.splitter.addWidget(self.sidebar)
        self.splitter.addWidget(content)
        self.sidebar.fold(False)
        self.splitter.restore()
        self.status = StatusBar(self._theme, self._tasks)
        outer = column(self.toolbar)
        outer.addWidget(self.splitter, 1)
        outer.addWidget(self.status)
        whole = QWidget()
        whole.setLayout(outer)
        self.setCentralWidget(whole)
        self.toast = ToastView(content)
        self.overlay = DropOverlay(self._theme, whole)
        self.palette_box = CommandPalette(self._theme, whole)
        self._connect()

    def _connect(self) -> None:
        self.search.left_down.connect(self._enter_list)
        self.search.escaped.connect(self._escape)
        self.searching.asked.connect(self._trail.replace)
        self.toolbar.undo.clicked.connect(self.undo)
        self.toolbar.primary.clicked.connect(self._primary)
        self.sidebar.pane_chosen.connect(self.open_pane)
        self.sidebar.kb_chosen.connect(self._choose_kb)
        self.sidebar.facet_chosen.connect(lambda term, minus, _add: self.searching.narrow(term, minus=minus))
        self.stack.status.connect(self.status.set_left)
        self.searching.facets.connect(self.sidebar.set_facets)
        self.stack.primary_changed.connect(self._show_primary)
        self.stack.pane_wanted.connect(self.open_pane)
        self.stack.memory_wanted.connect(self._show_memory)
        self.splitter.splitterMoved.connect(lambda *_: self._align())
        self.palette_box.asked.connect(self._look_up)

    def _build_commands(self) -> None:
        self.commands = Commands(self)
        add = self.commands.add_all
        add(file_commands(self))
        add(edit_commands(self))
        self.commands.add_panes(self.open_pane)
        add(view_commands(self))
        self.commands.add_themes(self.choose_theme, self._theme.choice)
        add(go_commands(self))
        actions = self.commands.actions
        actions["sidebar"].setChecked(self._sidebar_wanted)
        actions["density"].setChecked(self._settings.compact)
        self._show_undo(Names())
        self.commands.menu("edit").aboutToShow.connect(self._offer_pane_commands)

    # The vault.

    def attach(self, context: Context) -> None:
        """The vault is open: shows its first pane."""
        self._context = context
        context.changes.changed.connect(self.stack.refresh)
        self._appearance = Appearance(context, self)
        self._undo_names = UndoNames(context, self)
        self._undo_names.changed.connect(self._show_undo)
        self._vault_status = VaultStatus(context, self.sidebar, self.status, self)
        self.open_pane(self._first_pane().id)
        self._enter_list()  # single keys work from the start, and no popover opens over the first sight

    def preload(self) -> None:
        """Imports the code of the pane that ``attach`` will show."""
        self._first_pane().load()

    def _first_pane(self) -> PaneSpec:
        kept = self._settings.text("pane", PANES[0].id)
        return next((spec for spec in PANES if spec.id == kept), PANES[0])

    def detach(self) -> None:
        """No more calls into the vault."""
        if self._context is not None:
            self._context.changes.changed.disconnect(self.stack.refresh)
            self._context = None

    @property
    def context(self) -> Context | None:
        return self._context

    def pane(self, name: str) -> Pane | None:
        """A pane that was opened before."""
        return self.stack.known(name)

    @property
    def _pane(self) -> Pane | None:
        return self.stack.pane

    # Panes.

    def open_pane(self, name: str, query: str | None = None) -> None:
        """Shows a pane, with its own last query or with the one that is given."""
        spec = next((spec for spec in PANES if spec.id == name), None)
        if spec is None or self._context is None:
            return
        pane = self.stack.open(spec, self._context)
        self._settings.set("pane", name)
        self.sidebar.select(name)
        self.toolbar.set_title(spec.name)
        self.status.set_left("")
        self._show_primary()
        self.toolbar.set_searchable(pane.searches, pane.placeholder or self.tr("Search memories, Ctrl+F"))
        self.searching.enter(pane, name, query)
        self.stack.catch_up()
        if not self.sidebar.isAncestorOf(self.focusWidget() or pane):
            pane.focus_list()  # else the focus of the pane that went falls to the search field
        self._trail.visit(name, self.searching.query(name))
        self._show_trail()

    def _show_primary(self) -> None:
        pane = self._pane
        primary = pane.primary() if pane is not None and not pane.offers_primary() else None
        self.toolbar.set_primary(primary.text if primary else "", primary.tip if primary else "")

    def _primary(self) -> None:
        primary = self._pane.primary() if self._pane else None
        if primary is not None:
            primary.act()

    def _enter_list(self) -> None:
        if self._pane is not None:
            self._pane.focus_list()

    def _escape(self) -> None:
        if self._pane is not None:
            self._pane.escape()

    def _choose_kb(self, name: str) -> None:
        self._settings.set("kb", name)
        self.stack.set_kb(name)

    # Commands.

    def undo(self) -> None:
        context = self._context
        if context is not None and self._pane is not None:
            self._pane.end_editing(lambda: undo(context=context))

    def redo(self) -> None:
        context = self._context
        if context is not None and self._pane is not None:
            self._pane.end_editing(lambda: redo(context=context))

    def new_memory(self) -> None:
        """Opens an empty memory in the pane of memories."""
        self.open_pane("memories")
        new = getattr(self._pane, "new", None)
        if new is not None:
            new()

    def choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Add files"))
        self.add_files([Path(name) for name in names])

    def add_files(self, paths: Sequence[Path]) -> None:
        if self._context is not None and paths:
            add_files(context=self._context, paths=paths, kb=self._kb())

    def paste(self) -> None:
        """What the clipboard holds becomes memories."""
        self._take(load_of(QGuiApplication.clipboard().mimeData()))

    def dream(self) -> None:
        if self._pane is not None and self._pane.dream():
            return
        if self._context is not None:
            dream_now(context=self._context, kb=self._kb())

    def choose_export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export to JSON"), "reverie.json", self.tr("JSON (*.json)")
        )
        if name and self._context is not None:
            export_json(context=self._context, path=Path(name))

    def choose_theme(self, choice: str) -> None:
        self._settings.set("theme", choice)
        self._theme.choose(self._settings.theme)

    def toggle_density(self) -> None:
        self._settings.set("compact", not self._settings.compact)

    def _preferred(self, name: str) -> None:
        """A preference was changed, by a menu or in the pane of settings: it acts at once."""
        actions = self.commands.actions
        if name == "theme":
            self._theme.choose(self._settings.theme)
            actions[f"theme/{self._settings.theme}"].setChecked(True)
        elif name == "compact":
            actions["density"].setChecked(self._settings.compact)

    def toggle_sidebar(self) -> None:
        self._sidebar_wanted = not self._sidebar_wanted
        self._settings.set("sidebar", self._sidebar_wanted)
        self.commands.actions["sidebar"].setChecked(self._sidebar_wanted)
        self._fit()

    def show_shortcuts(self) -> None:
        here = self._pane.keys() if self._pane else []
        ShortcutsCard([(self.toolbar.title.text(), here), *self.commands.keys()], self)

    def open_palette(self) -> None:
        choices = [
            Choice(text, keys, act.trigger, act.isEnabled()) for text, keys, act in self.commands.listed()
        ]
        self.palette_box.open(choices)

    def back(self) -> None:
        if self._pane is not None and self._pane.back():
            return
        self._go(self._trail.back())

    def forward(self) -> None:
        self._go(self._trail.forward())

    def _go(self, place: tuple[str, str] | None) -> None:
        if place is not None:
            self.open_pane(*place)

    def _show_trail(self) -> None:
        self.commands.actions["back"].setEnabled(self._trail.has_back or self.stack.narrow)
        self.commands.actions["forward"].setEnabled(self._trail.has_forward)

    def zoom(self, step: float) -> None:
        scale = round(self._theme.scale + step, 2) if step else 1.0
        self._theme.set_text_scale(scale)
        self._settings.set("scale", self._theme.scale)
        self._align()

    def delete(self) -> None:
        if self._pane is not None:
            self._pane.delete()

    def select_all(self) -> None:
        if self._pane is not None:
            self._pane.select_all()

    def _offer_pane_commands(self) -> None:
        """The single-key commands of the pane, at the end of the Edit menu."""
        menu = self.commands.menu("edit")
        for act in menu.actions():
            if act.property("of-pane"):
                menu.removeAction(act)
                act.deleteLater()
        offered = self._pane.commands() if self._pane else []
        for place, (text, key, act_now) in enumerate(offered):
            if place == 0:
                menu.addSeparator().setProperty("of-pane", True)
            act = menu.addAction(f"{text}\t{key}", act_now)
            act.setProperty("of-pane", True)

    def _look_up(self, words: str) -> None:
        context = self._context
        if context is None:
            return

        def show(memory: Memory) -> Callable[[], None]:
            return lambda: self._show_memory(memory.id)

        def done(hits: list[Memory]) -> None:
            found = [Choice(hit.title[:80], self.tr("memory"), show(hit)) for hit in hits]
            self.palette_box.add_found(words, found)

        context.tasks.run(
            lambda _task: [hit.memory for hit in context.vault.search(words, limit=6, mode="keyword")],
            on_done=done,
            channel="palette",
            owner=self,
        )

    def _show_memory(self, memory: str) -> None:
        self.open_pane("memories")
        show = getattr(self._pane, "show_memory", None)
        if show is not None:
            show(memory)

    def _kb(self) -> str:
        return self._settings.text("kb") or "default"

    def _take(self, load: Load) -> None:
        if self._context is None:
            return
        if load.paths:
            self.add_files(load.paths)
        elif load.text.strip():
            paste_text(context=self._context, text=load.text, kb=self._kb())
        else:
            self._notices.toast(self.tr("The clipboard holds no text and no files"))

    # Notices.

    def _toast(self, toast: Toast) -> None:
        self.toast.show_toast(toast.text, toast.action, toast.act)

    def _show_banner(self, banner: Banner) -> None:
        text = " ".join(part.rstrip(".") + "." for part in (banner.detail, banner.hint) if part)
        self.banner.show_banner(
            banner.title, text, tone=banner.tone, action=banner.action, act=banner.act, details=banner.details
        )

    def _show_undo(self, names: Names) -> None:
        undo_text = self.tr("Undo {act}").format(act=names.undo) if names.undo else self.tr("Nothing to undo")
        self.toolbar.set_undo(undo_text, bool(names.undo))
        undo_act, redo_act = self.commands.actions["undo"], self.commands.actions["redo"]
        undo_act.setText(undo_text if names.undo else self.tr("Undo"))
        undo_act.setEnabled(bool(names.undo))
        redo_act.setText(self.tr("Redo {act}").format(act=names.redo) if names.redo else self.tr("Redo"))
        redo_act.setEnabled(bool(names.redo))

    # Sizes.

    def _fit(self) -> None:
        """Folds what has no room, and unfolds it again."""
        folded = self.width() < SIZES.fold_sidebar or not self._sidebar_wanted
        if folded != self.sidebar.folded:
            self.sidebar.fold(folded)
            if folded:
                self.splitter.setSizes([SIZES.sidebar_icons, self.width()])
            else:
                self.splitter.restore()
        self.stack.set_narrow(self.width() < SIZES.fold_detail)
        self._align()

    def _align(self) -> None:
        self.toolbar.align(0 if self.sidebar.folded else self.sidebar.width())

    def _restore_geometry(self) -> None:
        kept = self._settings.data("geometry")
        if kept.isEmpty() or not self.restoreGeometry(kept):
            self.resize(*SIZES.window)

    def cycle(self, step: int) -> None:
        """F6: search, sidebar, list, detail."""
        stops: list[QWidget] = [self.search, self.sidebar.list]
        if not self.sidebar.facets.isHidden():
            stops.append(self.sidebar.facets)
        if self._pane is not None:
            stops += self._pane.stops()
        stops = [stop for stop in stops if stop.isVisible()]
        focus = self.focusWidget()
        here = next(
            (i for i, stop in enumerate(stops) if focus and (stop is focus or stop.isAncestorOf(focus))), -1
        )
        if stops:
            stops[(here + step) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)

    # What Qt asks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().showEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        elif event.text() == "/" and not event.modifiers():
            self.searching.focus()
        elif event.text() == "?":
            self.show_shortcuts()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        load = load_of(event.mimeData())
        if load and self._context is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.overlay.offer(load.offer)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.overlay.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.overlay.hide()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._take(load_of(event.mimeData()))

    def closeEvent(self, event: QCloseEvent) -> None:
        self.stack.save()
        self._settings.set_data("geometry", self.saveGeometry())
        self._settings.save()
        self.hide()
        self.closing.emit()
        super().closeEvent(event)
