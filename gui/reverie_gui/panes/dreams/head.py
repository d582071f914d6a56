"""The line over a dream's steps: how it ended, and the way back."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QWidget

from reverie.domain.dream import DreamRun, RunState
from reverie_gui.bridge.tasks import Task
from reverie_gui.panes.dreams.words import RunView, run_line, when
from reverie_gui.widgets.looks import button, column, label, row, set_look
from reverie_gui.wording import exact, memories


class RunHead(QFrame):
    """Hidden while no dream is chosen."""

    def __init__(
        self, undo: Callable[[], object], stop: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        set_look(self, "header")
        self.what = label(style="base_strong", wrap=True)
        self.state = label(style="base", look="meta", wrap=True)
        self.undo = button(self.tr("Undo this dream"), undo)
        self.undo.setToolTip(self.tr("Take back all that it changed; Redo brings it back"))
        self.stop = button(self.tr("Stop"), stop)
        self.stop.setToolTip(self.tr("Stop dreaming; nothing is changed then"))
        line = row(margins=(32, 12, 32, 12), gap=16)
        line.addLayout(column(self.what, self.state), 1)
        line.addWidget(self.undo)
        line.addWidget(self.stop)
        self.setLayout(line)
        self.hide()

    def show_run(self, view: RunView, task: Task[DreamRun] | None) -> None:
        """``task`` is this window's own dream, which can be stopped."""
        run = view.run
        running = run.state is RunState.RUNNING
        self.what.setText(f"{when(run)} · {run_line(view)}")
        self.what.setToolTip(exact(run.started_at))
        self.state.setText(self._sentence(view, task))
        self.state.setVisible(bool(self.state.text()))
        self.undo.setVisible(view.stands)
        self.stop.setVisible(running and task is not None)
        self.setAccessibleName(f"{self.what.text()}. {self.state.text()}")
        self.show()

    def _sentence(self, view: RunView, task: Task[DreamRun] | None) -> str:
        run = view.run
        if run.state is RunState.RUNNING:
            return task.what if task is not None else self.tr("Going on in another window or program.")
        if run.state is not RunState.DONE:
            return ""
        read = self.tr("Read {memories}.").format(memories=memories(run.counts.get("read", 0)))
        if view.undone:
            words = self.tr("Undone: all that it changed was taken back.")
        elif run.operation is None:
            words = self.tr("It changed nothing.")
        else:
            words = self.tr("Applied at once, as one step that can be undone.")
        return " ".join(part for part in (read, words, run.reason) if part)
