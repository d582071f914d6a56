"""A plain text editor as high as its text, that saves by itself."""

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from reverie_gui.theme.fonts import font
from reverie_gui.theme.tokens import MOTION
from reverie_gui.widgets.looks import set_look

_MIN_LINES = 5
_LONG_AWAY = 60_000  # milliseconds in other windows, after which writing begins anew


class BodyEditor(QPlainTextEdit):
    """Markdown as it is written.

    Signals: ``saved(str)`` with a changed text: 800 ms after the last key, on leaving, on Ctrl+Enter;
    ``left()`` when the person is done (Esc, Ctrl+Enter or the focus went elsewhere); ``resumed()`` when they come
    back from other windows after a minute: what they write now is another act.
    """

    saved = Signal(str)
    left = Signal()
    resumed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "editor")
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Text of the memory, Markdown"))
        self.setFont(font("body"))
        self._base = ""
        self._away = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(MOTION.autosave)
        self._timer.timeout.connect(self.save)
        self.textChanged.connect(self._edited)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

    def restyle(self) -> None:
        self.setFont(font("body"))
        self._fit()

    @property
    def base(self) -> str:
        """The text as it is stored."""
        return self._base

    def begin(self, text: str) -> None:
        """Starts editing a text."""
        self._base = text
        self.setFont(font("body"))
        self.blockSignals(True)
        self.setPlainText(text)
        self.blockSignals(False)
        self._timer.stop()
        self._fit()

    def save(self) -> None:
        self._timer.stop()
        text = self.toPlainText()
        if text != self._base and text.strip():
            self._base = text
            self.saved.emit(text)

    def finish(self) -> None:
        self.save()
        self.left.emit()

    def _edited(self) -> None:
        self._timer.start()

    def _fit(self) -> None:
        lines = max(_MIN_LINES, int(self.document().size().height()))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 24)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.accept()  # single keys, Ctrl+Z and Esc are the editor's while it has the focus
            if not event.modifiers() & (
                Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            ):
                return True
            if event.key() in (Qt.Key.Key_Z, Qt.Key.Key_Y, Qt.Key.Key_A):
                return True
            event.ignore()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        done = (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        )
        if event.key() == Qt.Key.Key_Escape or done:
            self.finish()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        elsewhere = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if event.reason() in elsewhere:
            self.save()
            self._away.start()
        else:
            self.finish()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._away.isValid() and self._away.hasExpired(_LONG_AWAY):
            self.resumed.emit()
        self._away.invalidate()

    def wheelEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        event.ignore()

    def resizeEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().resizeEvent(event)
        self._fit()
