"""One control for each type of setting; each tells a new value and shows one."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from reverie.settings import SettingInfo
from reverie_gui.panes.settings.words import choice_word, number_text, range_word, value_word
from reverie_gui.theme.fonts import scaled
from reverie_gui.theme.tokens import MOTION
from reverie_gui.widgets.looks import label, row
from reverie_gui.wording import capital

_NUMBER, _CHOICE = 120, 240  # pixels


class Control(QWidget):
    """Signals: ``changed(object)`` the person gave another value (text of a number as it was typed)."""

    changed = Signal(object)

    def __init__(self, info: SettingInfo) -> None:
        super().__init__()
        self.info = info

    @property
    def entry(self) -> QWidget:
        """What takes the focus."""
        return self

    def show_value(self, value: object) -> None:
        """Shows a value without telling."""

    def set_invalid(self, invalid: bool) -> None:
        """An error border, or none."""

    def is_busy(self) -> bool:
        """The person is typing: what comes from outside waits."""
        return False


class Switch(Control):
    def __init__(self, info: SettingInfo) -> None:
        super().__init__(info)
        self._box = QCheckBox(info.title)
        self._box.toggled.connect(lambda on: self.changed.emit(bool(on)))
        self.setLayout(row(self._box, -1))

    @property
    def entry(self) -> QWidget:
        return self._box

    def show_value(self, value: object) -> None:
        self._box.blockSignals(True)
        self._box.setChecked(bool(value))
        self._box.blockSignals(False)


class Choice(Control):
    def __init__(self, info: SettingInfo) -> None:
        super().__init__(info)
        self._box = _StillCombo()
        self._box.setFixedWidth(scaled(_CHOICE))
        for choice in info.choices:
            self._box.addItem(choice_word(choice), choice)
        self._box.currentIndexChanged.connect(lambda _row: self.changed.emit(self._box.currentData()))
        self.setLayout(row(self._box, -1))

    @property
    def entry(self) -> QWidget:
        return self._box

    def show_value(self, value: object) -> None:
        self._box.blockSignals(True)
        self._box.setCurrentIndex(max(0, self._box.findData(value)))
        self._box.blockSignals(False)


class Entry(Control):
    """A line for a text or a number; told after a pause, on Enter, and when it is left."""

    def __init__(self, info: SettingInfo) -> None:
        super().__init__(info)
        self._line = QLineEdit()
        self._shown = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(MOTION.autosave)
        self._pause.timeout.connect(self._tell)
        number = info.type in ("int", "float")
        layout = row(self._line, gap=8)
        if number:
            self._line.setFixedWidth(scaled(_NUMBER))
            self._line.setPlaceholderText(range_word(info))
            layout.addWidget(label(info.unit, "base", "meta"))
            layout.addStretch(1)
            if not info.dangerous:  # a question must not come up while the person is still typing
                self._line.textEdited.connect(lambda _text: self._pause.start())
        self._line.editingFinished.connect(self._tell)  # a text as a whole: half an address is none
        self.setLayout(layout)

    @property
    def entry(self) -> QWidget:
        return self._line

    def show_value(self, value: object) -> None:
        self._pause.stop()
        self._shown = number_text(value)
        if self._line.text().strip() != self._shown:
            self._line.setText(self._shown)

    def set_invalid(self, invalid: bool) -> None:
        self._line.setProperty("invalid", "true" if invalid else "false")
        self._line.style().unpolish(self._line)
        self._line.style().polish(self._line)

    def is_busy(self) -> bool:
        return self._line.hasFocus() and self._line.text().strip() != self._shown

    def _tell(self) -> None:
        self._pause.stop()
        text = self._line.text().strip()
        if text != self._shown:
            self._shown = text
            self.changed.emit(text)


class Told(Control):
    """A value that is only read here: a secret, or what the environment sets."""

    def __init__(self, info: SettingInfo) -> None:
        super().__init__(info)
        self._text = label(style="base", select=True)
        self.setLayout(row(self._text, -1))

    @property
    def entry(self) -> QWidget:
        return self._text

    def show_value(self, value: object) -> None:
        words = value_word(self.info, value)
        self._text.setText(capital(words))


_CONTROLS: dict[str, Callable[[SettingInfo], Control]] = {
    "bool": Switch,
    "choice": Choice,
    "int": Entry,
    "float": Entry,
    "text": Entry,
    "secret": Told,
}


def make_control(info: SettingInfo, *, fixed: bool) -> Control:
    """``fixed``: it can't be changed here."""
    made = Told(info) if fixed else _CONTROLS[info.type](info)
    made.entry.setAccessibleName(info.title)
    made.entry.setAccessibleDescription(info.help)
    made.setFocusProxy(made.entry)
    return made


class _StillCombo(QComboBox):
    """The wheel scrolls the page; it never changes a value on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
