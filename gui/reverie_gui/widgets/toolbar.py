"""The top line: the pane's title, the search field, the named Undo and the pane's one action."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QWidget

from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.icons import icon
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.looks import button, label, row, set_look
from reverie_gui.widgets.search_field import SearchField

_UNDO_WIDTH = 240
_TITLE_MIN = 96


class Toolbar(QFrame):
    """Parts: ``search``, ``undo``, ``primary``."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "toolbar")
        self._theme = theme
        self._undo_text = ""
        self.title = label(style="base_strong")
        self.search = SearchField(theme)
        self.undo = button("")
        self.primary = button("", look="primary")
        line = row(margins=(16, 0, 12, 0), gap=8)
        line.addWidget(self.title)
        line.addWidget(self.search, 100)
        line.addStretch(1)
        line.addWidget(self.undo)
        line.addWidget(self.primary)
        self.setLayout(line)
        self.restyle()
        theme.changed.connect(self._paint)
        self.set_undo("", False)
        self.set_primary("")
        self.align(SIZES.sidebar)

    def align(self, sidebar: int) -> None:
        """Gives the title the width of the sidebar, so that the search field stands over the list."""
        self.title.setFixedWidth(max(scaled(_TITLE_MIN), sidebar - 16))

    def restyle(self) -> None:
        self.setFixedHeight(max(SIZES.toolbar, scaled(20) + 28))
        self.undo.setMaximumWidth(scaled(_UNDO_WIDTH))
        self._name_undo()

    def set_title(self, text: str) -> None:
        self.title.setText(text)

    def set_undo(self, text: str, enabled: bool) -> None:
        self._undo_text = text
        self._name_undo()
        self.undo.setEnabled(enabled)
        self.undo.setToolTip(self.tr("{act} (Ctrl+Z)").format(act=text) if enabled else text)
        self._paint()

    def set_primary(self, text: str, tip: str = "") -> None:
        self.primary.setText(text)
        self.primary.setToolTip(tip)
        self.primary.setVisible(bool(text))

    def set_searchable(self, on: bool, placeholder: str) -> None:
        self.search.setEnabled(on)
        self.search.setVisible(on)
        self.search.setPlaceholderText(placeholder)

    def _paint(self) -> None:
        look = self._theme.palette
        self.undo.setIcon(icon("undo", look.text_2, look.disabled))

    def _name_undo(self) -> None:
        room = scaled(_UNDO_WIDTH) - 52
        measure = QFontMetrics(font("base"))
        self.undo.setText(measure.elidedText(self._undo_text, Qt.TextElideMode.ElideRight, room))
