"""What a pane says when it has nothing to show: a title, one sentence, one button."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from reverie_gui.widgets.looks import button, column, label, set_look


class EmptyState(QWidget):
    """Centred at 40 % of the height. Signals: ``said()`` it has other words now."""

    said = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label(style="display", wrap=True)
        self._sentence = label(style="base", look="meta", wrap=True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # else the focus would fall to the search field
        self._act: Callable[[], object] | None = None
        self._button: QPushButton = button("", self._run)
        self._is_primary = False
        for text in (self._title, self._sentence):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = column(margins=(32, 0, 32, 0), gap=8)
        layout.addStretch(2)
        layout.addWidget(self._title)
        layout.addWidget(self._sentence)
        layout.addSpacing(8)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self.setLayout(layout)

    def say(
        self,
        title: str,
        sentence: str = "",
        action: str = "",
        act: Callable[[], object] | None = None,
        *,
        primary: bool = False,
    ) -> None:
        """Sets the words; without ``action`` there is no button. primary: it is the pane's own primary action."""
        self._title.setText(title)
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._act = act
        self._is_primary = primary
        set_look(self._button, "primary" if primary else "")
        self.setAccessibleName(f"{title}. {sentence}")
        self.said.emit()

    @property
    def is_primary(self) -> bool:
        """Whether the button stands for the one at the right of the toolbar."""
        return self._is_primary

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
        else:
            super().keyPressEvent(event)

    def _run(self) -> None:
        if self._act is not None:
            self._act()
