"""The line at the foot: what is shown at the left; how the vault is, and what runs, at the right."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from reverie_gui.bridge.tasks import Task, Tasks
from reverie_gui.theme.fonts import scaled
from reverie_gui.theme.icons import icon
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import MOTION, SIZES
from reverie_gui.widgets.looks import label, row, set_look, shrinkable, tool


class _Bar(QWidget):
    """How far a task is, 4 px high. Qt's own bar paints at once with each value, 25 ms a time; this one when it suits."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share: float | None = None
        self.setFixedSize(120, 4)
        self.setAccessibleName(self.tr("Progress"))

    def show_share(self, share: float | None) -> None:
        """0..1, or None where it is not known."""
        self._share = share
        self.setAccessibleDescription("" if share is None else f"{share:.0%}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(look.track))
        if self._share is not None:
            done = round(self.width() * min(1.0, max(0.0, self._share)))
            painter.fillRect(0, 0, done, self.height(), QColor(look.accent))
        painter.end()


class StatusBar(QFrame):
    """Signals: ``cancelled(Task)`` the person stopped what is shown."""

    cancelled = Signal(object)

    def __init__(self, theme: Theme, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "status")
        self._theme = theme
        self._tasks = tasks
        self._shown: Task[object] | None = None
        self._left = label(style="meta", look="meta")
        shrinkable(self._left)
        self._work = label(style="meta", look="meta")
        self._bar = _Bar(theme)
        self._stop = tool(self.tr("Stop"), self._cancel)
        self._stop.setMinimumSize(SIZES.target, 24)
        self._index = label(style="meta", look="meta")
        self._saved = label(style="meta", look="meta")
        line = row(margins=(12, 0, 12, 0), gap=8)
        line.addWidget(self._left, 1)
        for item in (self._work, self._bar, self._stop, self._index, self._saved):
            line.addWidget(item)
        self.setLayout(line)
        self.restyle()
        self._late = QTimer(self)  # what is done in 300 ms is not told
        self._late.setSingleShot(True)
        self._late.setInterval(MOTION.busy_after)
        self._late.timeout.connect(self._show_work)
        tasks.reported.connect(self._report)
        theme.changed.connect(self._paint)
        self._paint()
        self._show_work()
        self.set_saved(True)

    def restyle(self) -> None:
        self.setFixedHeight(max(SIZES.status, scaled(16) + 12))

    def set_left(self, text: str) -> None:
        self._left.setText(text)
        self._left.setAccessibleName(text)

    def left(self) -> str:
        return self._left.text()

    def set_saved(self, saved: bool) -> None:
        self._saved.setText(self.tr("Saved") if saved else self.tr("Saving…"))

    def set_index(self, text: str, why: str = "") -> None:
        """E.g. "Index 12 behind", "" while it is up to date; ``why`` is the tooltip."""
        self._index.setText(text)
        self._index.setToolTip(why)
        self._index.setVisible(bool(text))

    def work(self) -> str:
        """What the bar says is running ("" if nothing)."""
        return self._work.text() if not self._work.isHidden() else ""

    def _report(self, task: object) -> None:
        if self._bar.isHidden():
            if not self._late.isActive() and self._labelled():
                self._late.start()
        else:
            self._show_work()

    def _labelled(self) -> list[Task[object]]:
        return [task for task in self._tasks.running if task.label]

    def _show_work(self) -> None:
        running = self._labelled()
        self._shown = running[0] if running else None
        for item in (self._work, self._bar, self._stop):
            item.setVisible(bool(running))
        if self._shown is None:
            return
        task = self._shown
        if task.cancelled():
            text = self.tr("Stopping…")
        elif task.total > 0:
            text = self.tr("{label} {done} of {total}").format(
                label=task.label, done=task.done, total=task.total
            )
        else:
            text = task.label
        if len(running) > 1:
            text += self.tr(" (and {n} more)").format(n=len(running) - 1)
        self._work.setText(text)
        self._work.setToolTip(task.what)
        self._bar.show_share(task.done / task.total if task.total > 0 else None)

    def _cancel(self) -> None:
        if self._shown is not None:
            self.cancelled.emit(self._shown)
            self._shown.cancel()

    def _paint(self) -> None:
        self._stop.setIcon(icon("close", self._theme.palette.text_2, size=12))
