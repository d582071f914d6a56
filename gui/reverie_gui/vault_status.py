"""Keeps the numbers of the sidebar and the state of the index in the status bar up to date."""

from PySide6.QtCore import QObject, QTimer

from reverie.domain.index import IndexStatus
from reverie.i18n import ngettext
from reverie_gui.bridge.changes import Changed
from reverie_gui.context import Context
from reverie_gui.panes import PANES, PaneSpec
from reverie_gui.widgets.sidebar import Sidebar
from reverie_gui.widgets.status_bar import StatusBar
from reverie_gui.wording import number

_WAIT = 120  # milliseconds: counts may come a little after the rows
_POLL = 1000  # milliseconds, only while the index is behind: it says so to nobody


class VaultStatus(QObject):
    """Counts again what a change may have changed."""

    def __init__(self, context: Context, sidebar: Sidebar, status: StatusBar, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._sidebar, self._status = context, sidebar, status
        self._wanted: set[str] = {spec.id for spec in PANES}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT)
        self._timer.timeout.connect(self._count)
        self._poll = QTimer(self)
        self._poll.setSingleShot(True)
        self._poll.setInterval(_POLL)
        self._poll.timeout.connect(self._look_at_index)
        context.changes.changed.connect(self._changed)
        self._timer.start()
        self._load_kbs()

    def _changed(self, changed: Changed) -> None:
        self._wanted |= {spec.id for spec in PANES if changed.touched(*spec.tables)}
        if not self._timer.isActive():
            self._timer.start()
        if changed.touched("kbs", "knowledge_bases"):
            self._load_kbs()

    def _count(self) -> None:
        wanted, self._wanted = self._wanted, set()
        for spec in PANES:
            if spec.id in wanted and spec.count is not None:
                self._count_one(spec)
        self._look_at_index()

    def _count_one(self, spec: PaneSpec) -> None:
        context, count = self._context, spec.count
        if count is None:
            return

        def done(found: int | None) -> None:
            self._sidebar.set_count(spec.id, found, spec.strong and bool(found))

        context.tasks.run(lambda _task: count(context), on_done=done, channel=f"count/{spec.id}", owner=self)

    def _look_at_index(self) -> None:
        index = self._context.vault.index
        self._context.tasks.run(
            lambda _task: IndexStatus(index.pending(), problem="" if index.state == "ready" else index.state),
            on_done=self._show_index,
            on_failed=lambda _error: (
                None
            ),  # the index is derived: its state is told by Health, never in the way
            channel="index/state",
            owner=self,
        )

    def _show_index(self, found: IndexStatus) -> None:
        if found.problem:
            self._status.set_index(self.tr("Search by keyword only"), found.problem)
        elif found.pending:
            words = ngettext("Index {n} behind", "Index {n} behind", found.pending)
            self._status.set_index(
                words.format(n=number(found.pending)), self.tr("Being made ready for search by meaning")
            )
            self._poll.start()
        else:
            self._status.set_index("")

    def _load_kbs(self) -> None:
        vault = self._context.vault
        self._context.tasks.run(
            lambda _task: [kb.name for kb in vault.kbs.list()],
            on_done=self._show_kbs,
            channel="kbs",
            owner=self,
        )

    def _show_kbs(self, names: list[str]) -> None:
        titles = {"": self.tr("All knowledge bases"), **{name: name for name in names}}
        self._sidebar.set_kbs(titles, self._context.settings.text("kb"))
