"""The panes of a window: each made when it is first opened, and told of what concerns it."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget

from reverie_gui.bridge.changes import Changed
from reverie_gui.context import Context
from reverie_gui.drops import leave_drops_to_window
from reverie_gui.panes import PaneSpec
from reverie_gui.panes.base import Pane
from reverie_gui.preferences import Preferences
from reverie_gui.widgets.list_view import ListView


class PaneStack(QStackedWidget):
    """Signals are those of ``Pane``, from the pane that is shown; of others only ``pane_wanted`` and ``memory_wanted``."""

    status = Signal(str)
    facets = Signal(list, dict)
    query_wanted = Signal(str)
    search_wanted = Signal()
    primary_changed = Signal()
    pane_wanted = Signal(str, str)
    memory_wanted = Signal(str)

    def __init__(self, settings: Preferences) -> None:
        super().__init__()
        self._settings = settings
        self._panes: dict[str, Pane] = {}
        self._stale: dict[str, list[Changed]] = {}
        self._narrow = False
        self.pane: Pane | None = None
        self.pane_id = ""
        settings.changed.connect(self._preferred)
        self._minutes = QTimer(self)  # "2h" becomes "3h": one timer for all lists
        self._minutes.setInterval(60_000)
        self._minutes.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._minutes.timeout.connect(self._repaint_ages)
        self._minutes.start()

    def known(self, name: str) -> Pane | None:
        """A pane that was opened before."""
        return self._panes.get(name)

    def open(self, spec: PaneSpec, context: Context) -> Pane:
        """Shows a pane; what changed while it was hidden waits for ``catch_up``."""
        pane = self._panes.get(spec.id) or self._make(spec, context)
        self.pane, self.pane_id = pane, spec.id
        self.setCurrentWidget(pane)
        pane.set_narrow(self._narrow)
        return pane

    def catch_up(self) -> None:
        """Tells the shown pane what changed while it was hidden, and that it is shown."""
        if self.pane is not None:
            for changed in self._stale.pop(self.pane_id, []):
                self.pane.refresh(changed)
            self.pane.activated()

    def refresh(self, changed: Changed) -> None:
        """What changed in the vault: to the shown pane now, to the others when they are shown."""
        for name, pane in self._panes.items():
            if not changed.touched(*pane.tables):
                continue
            if pane is self.pane:
                pane.refresh(changed)
            else:
                self._stale.setdefault(name, []).append(changed)

    def set_narrow(self, narrow: bool) -> None:
        if narrow != self._narrow:
            self._narrow = narrow
            if self.pane is not None:
                self.pane.set_narrow(narrow)

    @property
    def narrow(self) -> bool:
        return self._narrow

    def set_kb(self, name: str) -> None:
        """Another knowledge base was chosen; "" is all of them."""
        for pane in self._panes.values():
            pane.set_kb(name)

    def save(self) -> None:
        """The window is about to close."""
        for pane in self._panes.values():
            pane.save()

    def _make(self, spec: PaneSpec, context: Context) -> Pane:
        pane = spec.make(context)
        for own, ours in (
            (pane.status, self.status),
            (pane.facets, self.facets),
            (pane.query_wanted, self.query_wanted),
            (pane.search_wanted, self.search_wanted),
            (pane.primary_changed, self.primary_changed),
        ):
            own.connect(lambda *told, ours=ours: ours.emit(*told) if pane is self.pane else None)
        pane.pane_wanted.connect(self.pane_wanted)
        pane.memory_wanted.connect(self.memory_wanted)
        pane.set_compact(self._settings.compact)
        self._set_letters(pane)
        leave_drops_to_window(pane)
        self._panes[spec.id] = pane
        self.addWidget(pane)
        return pane

    def _preferred(self, name: str) -> None:
        for pane in self._panes.values():
            if name == "compact":
                pane.set_compact(self._settings.compact)
            elif name == "letters":
                self._set_letters(pane)

    def _set_letters(self, pane: Pane) -> None:
        for each in pane.findChildren(ListView):
            each.letters = self._settings.flag("letters", True)

    def _repaint_ages(self) -> None:
        if self.pane is not None and self.isVisible():
            for view in self.pane.findChildren(QAbstractItemView):
                view.viewport().update()
