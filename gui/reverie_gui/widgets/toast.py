"""A word about what was done, at the bottom of the content, with at most one action."""

from collections.abc import Callable

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QEvent, QPoint, QPropertyAnimation, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QEnterEvent
from PySide6.QtWidgets import QFrame, QWidget

from reverie_gui.theme.tokens import MOTION, SIZES
from reverie_gui.widgets.looks import button, float_above, label, row, set_look

_RISE = 8


class ToastView(QFrame):
    """One at a time: the newest replaces. Stays 6 s, longer under the pointer or the focus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        set_look(self, "toast")
        self._text = label(look="toast")
        self._button = button("", self._run, "inverse")
        self._act: Callable[[], object] | None = None
        self.setLayout(row(self._text, self._button, margins=(16, 0, 8, 0), gap=12))
        self.setFixedHeight(SIZES.toast)
        float_above(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setDuration(MOTION.slide)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.motion = True
        self.hide()
        parent.installEventFilter(self)

    def show_toast(self, text: str, action: str = "", act: Callable[[], object] | None = None) -> None:
        self._text.setText(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._act = act
        self.setAccessibleName(text)
        self.adjustSize()
        self.setFixedHeight(max(SIZES.toast, self._text.sizeHint().height() + 16))
        self.show()
        self.raise_()
        self._move(animated=self.motion)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        self._timer.start(MOTION.toast_shown)

    def text(self) -> str:
        return self._text.text() if self.isVisible() else ""

    def _move(self, animated: bool) -> None:
        area = self._area
        place = QPoint((area.width() - self.width()) // 2, area.height() - self.height() - 16)
        if animated:
            self._slide.stop()
            self._slide.setStartValue(place + QPoint(0, _RISE))
            self._slide.setEndValue(place)
            self._slide.start()
        elif self._slide.state() != QAbstractAnimation.State.Running:
            self.move(place)

    def _run(self) -> None:
        act = self._act
        self.hide()
        if act is not None:
            act()

    def eventFilter(self, watched, event) -> bool:  # type: ignore[no-untyped-def]
        if watched is self._area and event.type() == QEvent.Type.Resize and self.isVisible():
            self._move(animated=False)
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        if self.isVisible() and not self._button.hasFocus():
            self._timer.start(MOTION.toast_shown)

    def hideEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._timer.stop()
        super().hideEvent(event)

    def keyPressEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
