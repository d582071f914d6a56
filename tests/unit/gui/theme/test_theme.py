from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from reverie.resources import resource
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.icons import pixmap
from reverie_gui.theme.qss import stylesheet
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import DARK, LIGHT, STYLES
from reverie_gui.widgets.looks import label


def test_theme_changes_live(theme: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.choose("dark")
    assert theme.palette is DARK
    assert qapp.palette().window().color().name().upper() == DARK.bg
    theme.choose("light")
    assert theme.palette is LIGHT


def test_text_scale_reaches_labels(theme: Theme, qtbot: QtBot) -> None:
    shown = label("x", "base")
    qtbot.addWidget(shown)
    try:
        theme.set_text_scale(2.0)
        assert shown.font().pixelSize() == 26
        assert scaled(20) == 40
    finally:
        theme.set_text_scale(1.0)
    assert shown.font().pixelSize() == 13


def test_bundled_font_is_used(theme: Theme) -> None:
    assert QFontDatabase.hasFamily("Inter")
    assert font("base").families()[0] == "Inter"
    assert all(font(name).pixelSize() >= 11 for name in STYLES)


def test_every_icon_can_be_drawn(theme: Theme) -> None:
    files = sorted(resource("icons").glob("*.svg"))
    assert files
    for file in files:
        image = pixmap(file.stem, "#000000").toImage()
        assert any(
            image.pixelColor(x, y).alpha() > 128 for x in range(image.width()) for y in range(image.height())
        )


def test_style_sheet_leaves_nothing_open() -> None:
    for look in (LIGHT, DARK):
        sheet = stylesheet(look)
        assert "$" not in sheet
        assert sheet.count("{") == sheet.count("}")
