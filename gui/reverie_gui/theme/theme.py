"""Applies the tokens to the application, and follows the system between light and dark."""

from typing import Literal, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from reverie_gui.theme.fonts import font, set_scale
from reverie_gui.theme.qss import stylesheet
from reverie_gui.theme.tokens import DARK, LIGHT, Palette

Choice = Literal["system", "light", "dark"]
CHOICES: tuple[Choice, ...] = ("system", "light", "dark")


@runtime_checkable
class Restyled(Protocol):
    """A widget that set a font or a height from the tokens, and does so again when they change."""

    def restyle(self) -> None: ...


class Theme(QObject):
    """The look in force.

    Signals: ``changed`` after colours or text size changed and were applied; what paints itself repaints then.
    """

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system", scale: float = 1.0) -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = choice
        self._scale = scale
        self._palette = LIGHT
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply()

    @property
    def palette(self) -> Palette:
        return self._palette

    @property
    def choice(self) -> Choice:
        return self._choice

    @property
    def scale(self) -> float:
        return self._scale

    def choose(self, choice: Choice) -> None:
        """Forces light or dark, or follows the system; takes effect at once."""
        if choice != self._choice:
            self._choice = choice
            self._apply()

    def set_text_scale(self, scale: float) -> None:
        """Sizes all text, 1.0 to 2.0."""
        scale = min(2.0, max(1.0, scale))
        if scale != self._scale:
            self._scale = scale
            self._apply()

    def _follow_system(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        self._palette = self._wanted()
        set_scale(self._scale)
        self._app.setFont(font("base"))
        self._app.setPalette(qt_palette(self._palette))
        self._app.setStyleSheet(stylesheet(self._palette, self._scale))
        for widget in self._app.allWidgets():
            if isinstance(widget, Restyled):
                widget.restyle()
        self.changed.emit()

    def _wanted(self) -> Palette:
        if self._choice == "system":
            dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = self._choice == "dark"
        return DARK if dark else LIGHT


def qt_palette(look: Palette) -> QPalette:
    """The tokens as a QPalette, for what style sheets don't reach (documents, dialogs, carets)."""
    made = QPalette()
    group, role = QPalette.ColorGroup, QPalette.ColorRole
    pairs = {
        role.Window: look.bg,
        role.WindowText: look.text,
        role.Base: look.bg,
        role.AlternateBase: look.panel,
        role.Text: look.text,
        role.Button: look.raised,
        role.ButtonText: look.text,
        role.BrightText: look.error,
        role.Highlight: look.selected,
        role.HighlightedText: look.text,
        role.Accent: look.accent,
        role.Link: look.accent,
        role.LinkVisited: look.accent,
        role.PlaceholderText: look.text_3,
        role.ToolTipBase: look.raised,
        role.ToolTipText: look.text,
        role.Light: look.raised,
        role.Midlight: look.hover,
        role.Mid: look.hairline,
        role.Dark: look.border,
        role.Shadow: look.border,
    }
    for where, colour in pairs.items():
        made.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, where, QColor(look.disabled))
    return made
