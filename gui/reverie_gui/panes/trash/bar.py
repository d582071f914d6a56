"""The strip over the trash: what it is, "Empty trash…", the question, the work, the receipt."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from reverie.i18n import ngettext
from reverie_gui.bridge.changes import Changed
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.operations.trash import Emptied, empty_trash
from reverie_gui.panes.trash.contents import (
    Contents,
    count,
    how_much,
    left_lines,
    look_closer,
    receipt_lines,
    what_else,
)
from reverie_gui.theme.icons import icon, pixmap
from reverie_gui.widgets.ask_panel import AskPanel
from reverie_gui.widgets.looks import button, column, frame, label, row, set_look, shrinkable, tool
from reverie_gui.wording import number

_LATER = 100  # milliseconds


class TrashBar(QWidget):
    """``shown`` says how many memories a search leaves in the list (None: there is no search)."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._contents = Contents()
        self._task: Task[Emptied] | None = None
        self.kb: str | None = context.settings.text("kb") or None
        self.shown: int | None = None
        self._build()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER)
        self._later.timeout.connect(self.count)
        context.theme.changed.connect(self._paint)
        context.tasks.reported.connect(self._progress)
        self._paint()
        self.count()

    def _build(self) -> None:
        self.words = label(style="meta", look="meta")
        shrinkable(self.words)
        self.empty = button(self.tr("Empty trash…"), self.ask, "danger")
        line = row(margins=(16, 8, 16, 8), gap=8)
        line.addWidget(self.words, 1)
        line.addWidget(self.empty)
        self.question = AskPanel()
        self.work = self._build_work()
        self.receipt = self._build_receipt()
        self._under = column(self.question, self.work, self.receipt)
        self.setLayout(column(frame(column(line, self._under), "header")))
        self.question.answered.connect(lambda _yes: self._fit())
        self._fit()

    def _fit(self) -> None:
        """Room around what stands under the line, none where nothing does."""
        shown = any(not part.isHidden() for part in (self.question, self.work, self.receipt))
        self._under.setContentsMargins(16, 0, 16, 12 if shown else 0)

    def _build_work(self) -> QWidget:
        self.working = label(style="base")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Erasing"))
        self.stop = button(self.tr("Stop"), self._stop)
        line = row(gap=12, margins=(0, 4, 0, 12))
        line.addWidget(self.working)
        line.addWidget(self.bar, 1)
        line.addWidget(self.stop)
        made = QWidget()
        made.setLayout(line)
        made.hide()
        return made

    def _build_receipt(self) -> QFrame:
        self._sign = label()
        self.receipt_title = label(style="base_strong", wrap=True)
        self.receipt_text = label(style="base", wrap=True, select=True)
        self.receipt_left = label(style="base", look="warn", wrap=True, select=True)
        self.close_receipt = tool(self.tr("Dismiss"), self._dismiss)
        words = column(self.receipt_title, self.receipt_text, self.receipt_left, gap=2)
        line = row(margins=(12, 8, 8, 8), gap=8)
        line.addLayout(column(self._sign, -1, margins=(0, 2, 0, 0)))
        line.addLayout(words, 1)
        line.addLayout(column(self.close_receipt, -1))
        made = QFrame()
        made.setLayout(line)
        set_look(made, "raised")
        made.hide()
        return made

    def _dismiss(self) -> None:
        self.receipt.hide()
        self._fit()
        self.empty.setFocus()

    # What lies in the trash.

    def changed(self, changed: Changed) -> None:
        """The vault changed: counts again a little later."""
        if changed.touched("memories", "insights") and not self._later.isActive():
            self._later.start()

    def set_kb(self, kb: str | None) -> None:
        self.kb = kb
        self.question.withdraw()
        self.count()

    def count(self) -> None:
        context, kb = self._context, self.kb
        context.tasks.run(
            lambda _task: count(context, kb), on_done=self._show_count, channel="trash/count", owner=self
        )

    def _show_count(self, contents: Contents) -> None:
        self._contents = contents
        self.words.setText(self.tr("What you delete waits here until you empty the trash."))
        self.empty.setEnabled(bool(contents) and self._task is None)
        self.empty.setToolTip("" if contents else self.tr("The trash is empty"))
        if not contents:
            self.question.withdraw()

    # Emptying it.

    def ask(self) -> None:
        """Looks what would go, then asks in the pane."""
        context, kb = self._context, self.kb
        self.receipt.hide()
        context.tasks.run(
            lambda task: look_closer(context, kb, task),
            on_done=self._asked,
            channel="trash/ask",
            owner=self,
        )

    def _asked(self, contents: Contents) -> None:
        self._contents = contents
        if not contents:
            return
        much = how_much(contents)
        self.question.ask(
            self.tr("Erase {much} for good?").format(much=much),
            what_else(contents, self.shown),
            self.tr("Erase {much}").format(much=much),
            lambda: self._empty(contents),
        )
        self._fit()

    def _empty(self, contents: Contents) -> None:
        self.empty.setEnabled(False)
        self.bar.setRange(0, 0)
        self.working.setText(self.tr("Erasing…"))
        self.work.show()
        self.stop.setEnabled(True)
        self.stop.setFocus()  # the button that had it can't be used now
        self._fit()
        self._task = empty_trash(
            context=self._context, kb=contents.kb, on_done=self._done, on_failed=self._failed
        )

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self.stop.setEnabled(False)
            self.working.setText(self.tr("Stopping…"))

    def _progress(self, task: object) -> None:
        if task is self._task and self._task is not None and self._task.total and not self._task.cancelled():
            self.bar.setRange(0, self._task.total)
            self.bar.setValue(self._task.done)
            self.working.setText(
                self.tr("Erasing {done} of {total}").format(
                    done=number(self._task.done), total=number(self._task.total)
                )
            )

    def _done(self, emptied: Emptied) -> None:
        had_focus = self.stop.hasFocus()
        self._end()
        stopped = emptied.receipt is None
        lines = receipt_lines(emptied)
        self.receipt_title.setText(self.tr("Stopped") if stopped else self.tr("The trash was emptied"))
        self.receipt_text.setText("\n".join(lines))
        left = left_lines(emptied)
        words = ngettext("{n} thing could not be erased:", "{n} things could not be erased:", len(left))
        self.receipt_left.setText("\n".join((words.format(n=number(len(left))), *left)))
        self.receipt_left.setVisible(bool(left))
        self._tone = "warn" if left or stopped else "ok"
        self._paint()
        self.receipt.setAccessibleName(" ".join((self.receipt_title.text(), *lines, *left)))
        self.receipt.show()
        self._fit()
        if had_focus:
            self.close_receipt.setFocus()
        QAccessible.updateAccessibility(QAccessibleEvent(self.receipt, QAccessible.Event.Alert))

    def _failed(self, error: Exception) -> None:
        self._end()
        self._context.notices.failure(error, retry=self.ask)

    def _end(self) -> None:
        self._task = None
        self.work.hide()
        self._fit()
        self.count()

    _tone = "ok"

    def _paint(self) -> None:
        look = self._context.theme.palette
        self._sign.setPixmap(pixmap("check" if self._tone == "ok" else "warn", getattr(look, self._tone)))
        self.close_receipt.setIcon(icon("close", look.text_2))
