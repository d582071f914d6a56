"""A state that needs a word: across the top of a pane, with the next step."""

from collections.abc import Callable

from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from reverie_gui.theme.icons import icon, pixmap
from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.looks import button, column, label, row, set_look, tool

_LOOKS = {"error": "banner-error", "warn": "banner", "ok": "banner-ok"}
_ICONS = {"error": "error", "warn": "warn", "ok": "check"}


class BannerView(QFrame):
    """Hidden until ``show_banner``; one at a time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tone = "error"
        self._act: Callable[[], object] | None = None
        self._details = ""
        self._icon = QLabel()
        self._title = label(style="base_strong", wrap=True)
        self._text = label(style="base", wrap=True)
        self._button = button("", self._run)
        self._copy = button(self.tr("Copy details"), self._copy_details)
        self._close = tool(self.tr("Dismiss"), self.hide)
        words = column(self._title, self._text)
        line = row(self._icon, 8, margins=(16, 8, 8, 8), gap=8)
        line.addLayout(words, 1)
        for item in (self._copy, self._button, self._close):
            line.addWidget(item)
        self.setLayout(line)
        theme.changed.connect(self._paint)
        self.hide()

    def show_banner(
        self,
        title: str,
        text: str = "",
        *,
        tone: str = "error",
        action: str = "",
        act: Callable[[], object] | None = None,
        details: str = "",
    ) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._tone, self._act, self._details = tone, act, details
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._copy.setVisible(bool(details))
        self.setAccessibleName(f"{title}. {text}")
        self._paint()
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def title(self) -> str:
        return self._title.text() if not self.isHidden() else ""

    def _paint(self) -> None:
        look = self._theme.palette
        set_look(self, _LOOKS[self._tone])
        self._icon.setPixmap(pixmap(_ICONS[self._tone], getattr(look, self._tone)))
        self._close.setIcon(icon("close", look.text))

    def _run(self) -> None:
        act = self._act
        self.hide()
        if act is not None:
            act()

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(self._details)
