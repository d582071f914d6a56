"""A question in its place: what would happen, Cancel (which has the focus), and the act with its count."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from reverie_gui.widgets.looks import button, column, label, row, set_look


class AskPanel(QFrame):
    """Hidden until ``ask``. Signals: ``answered(bool)`` whether the person went on; the panel is hidden then."""

    answered = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "raised")
        self.title = label(style="base_strong", wrap=True)
        self.text = label(style="base", look="meta", wrap=True)
        self.go = button("", lambda: self._answer(True), "danger")
        self.stay = button(self.tr("Cancel"), lambda: self._answer(False))
        self.stay.setAutoDefault(True)
        self._act: Callable[[], object] | None = None
        self._back: QWidget | None = None
        self.setLayout(
            column(
                self.title, self.text, 8, row(-1, self.stay, self.go, gap=8), margins=(16, 12, 16, 12), gap=4
            )
        )
        self.hide()

    def ask(self, title: str, text: str, verb: str, act: Callable[[], object]) -> None:
        """``verb`` is on the button, with its count: "Erase 41 memories"."""
        self._back = self.window().focusWidget()
        self._act = act
        self.title.setText(title)
        self.text.setText(text)
        self.text.setVisible(bool(text))
        self.go.setText(verb)
        self.setAccessibleName(f"{title} {text}")
        self.show()
        self.stay.setFocus(Qt.FocusReason.OtherFocusReason)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def withdraw(self) -> None:
        """What was asked about is no longer there."""
        if not self.isHidden():
            self._answer(False)

    def _answer(self, yes: bool) -> None:
        act, self._act = self._act, None
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        self.hide()
        if had_focus and self._back is not None and self._back.isVisible():
            self._back.setFocus()
        self._back = None
        if yes and act is not None:
            act()
        self.answered.emit(yes)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._answer(False)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.go.hasFocus():
            self._answer(True)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.stay.hasFocus():
            self._answer(False)
        else:
            super().keyPressEvent(event)
