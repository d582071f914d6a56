"""The style sheet, made from the tokens.

What a widget is, it says by the property ``look`` (``widgets.looks.set_look``): "primary", "quiet", "title",
"meta" ... so that no module but this one names a colour for a stock control.
"""

from collections.abc import Mapping
from string import Template

from reverie_gui.theme.tokens import (
    RADIUS_CHIP,
    RADIUS_CONTROL,
    RADIUS_FIELD,
    RADIUS_FLOAT,
    SIZES,
    STYLES,
    Palette,
)

_SHEET = Template("""
* { outline: 0; }
QWidget { color: $text; }
QMainWindow, QDialog, QStackedWidget, QScrollArea { background: $bg; border: 0; }
QScrollArea > QWidget > QWidget { background: transparent; }
QToolTip { background: $raised; color: $text; border: 1px solid $hairline; padding: 4px 8px; }

*[look="panel"] { background: $panel; }
*[look="plain"] { background: transparent; border: 0; }
*[look="ground"] { background: $bg; }
*[look="raised"] { background: $raised; border: 1px solid $hairline; border-radius: ${float}px; }
*[look="toolbar"] { background: $panel; border: 0; border-bottom: 1px solid $hairline; }
*[look="status"] { background: $panel; border: 0; border-top: 1px solid $hairline; }
*[look="header"] { background: $bg; border: 0; border-bottom: 1px solid $hairline; }
*[look="hairline"] { background: $hairline; border: 0; }

QLabel { background: transparent; border: 0; }
QLabel[look="caps"] { color: $text_3; }
QLabel[look="meta"], QLabel[look="label"] { color: $text_2; }
QLabel[look="faint"] { color: $text_3; }
QLabel[look="error"] { color: $error; }
QLabel[look="warn"] { color: $warn; }
QLabel[look="ok"] { color: $ok; }

QPushButton { background: $raised; border: 1px solid $hairline; border-radius: ${control}px; padding: 0 12px;
  min-height: ${button_height}px; min-width: 46px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selected; }
QPushButton:disabled { color: $disabled; background: transparent; }
QPushButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: ${button_height_focus}px; }
QPushButton[look="primary"] { background: $accent; border: 1px solid $accent; color: $on_accent; }
QPushButton[look="primary"]:hover, QPushButton[look="primary"]:pressed { background: $accent; }
QPushButton[look="primary"]:focus { border: 2px solid $text; }
QPushButton[look="primary"]:disabled { background: $selected_idle; border-color: $selected_idle; color: $text_3; }
QPushButton[look="link"] { background: transparent; border: 0; border-radius: 0; color: $accent; padding: 0;
  min-width: 0; min-height: ${target}px; text-align: left; }
QPushButton[look="link"]:hover { text-decoration: underline; }
QPushButton[look="link"]:focus { border-bottom: 2px solid $accent; min-height: ${target_line}px; }
QPushButton[look="kind"] { background: transparent; border: 0; border-radius: 0; padding: 0; min-width: 0;
  text-align: left; min-height: ${target}px; }
QPushButton[look="kind"]:hover { text-decoration: underline; }
QPushButton[look="kind"]:focus { border: 0; border-bottom: 2px solid $accent; }
QPushButton[look="danger"] { color: $error; }
QPushButton[look="danger"]:disabled { color: $disabled; }
QPushButton[look="inverse"] { background: transparent; border: 2px solid transparent; color: $bg; min-width: 0; }
QPushButton[look="inverse"]:focus { border: 2px solid $bg; padding: 0 12px; }

QToolButton { background: transparent; border: 2px solid transparent; border-radius: ${control}px; padding: 4px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $selected; }
QToolButton:focus { border: 2px solid $accent; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[look="sort"] { color: $text_2; padding: 0 4px; border-radius: ${field}px; }

QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox { background: $raised; border: 1px solid $border;
  border-radius: ${control}px; padding: 1px 9px; min-height: ${field_height}px; selection-background-color: $mark;
  selection-color: $text; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid $accent; padding: 0 8px; }
QLineEdit:disabled, QComboBox:disabled { color: $disabled; border-color: $hairline; }
QLineEdit[look="chip"] { border: 0; background: transparent; padding: 0; min-height: 20px; border-radius: 0; }
QLineEdit[look="chip"]:focus { border: 0; border-bottom: 2px solid $accent; }
QLineEdit[look="title"] { border: 1px solid transparent; background: transparent; padding: 0; border-radius: 4px;
  min-height: ${target_inner}px; }
QLineEdit[look="title"]:hover { background: $hover; }
QLineEdit[look="title"]:focus { border: 2px solid $accent; padding: 0 6px; background: $raised; }
QComboBox::drop-down { border: 0; width: 24px; }
QComboBox::down-arrow { image: url("$chevron"); width: 16px; height: 16px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $hairline; padding: 4px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; }
QCheckBox, QRadioButton { spacing: 8px; min-height: ${target}px; background: transparent; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid $border; border-radius: 4px;
  background: $raised; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QCheckBox::indicator:focus { border: 2px solid $accent; }
QSlider { min-height: ${target}px; }
QSlider::groove:horizontal { height: 4px; background: $track; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $text_2; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: $raised;
  border: 1px solid $border; }
QSlider::handle:horizontal:focus { border: 2px solid $accent; }

QPlainTextEdit, QTextEdit, QTextBrowser { background: transparent; border: 0; selection-background-color: $mark;
  selection-color: $text; }
QPlainTextEdit[look="editor"] { background: $raised; border: 1px solid $border; border-radius: ${control}px;
  padding: 4px; }
QPlainTextEdit[look="editor"]:focus { border: 2px solid $accent; padding: 3px; }
QTextBrowser:focus { border: 0; }

QListView, QTreeView, QListWidget { background: $bg; border: 0; selection-background-color: $selected;
  selection-color: $text; }
*[look="panel"] QListView, *[look="panel"] QTreeView { background: transparent; }
QListWidget[look="popover"] { background: transparent; padding: 4px; }
QListWidget[look="popover"]::item { min-height: ${target}px; padding: 0 8px; border-radius: ${field}px; }
QListWidget[look="popover"]::item:selected { background: $selected; color: $text; }
QListWidget[look="popover"]::item:hover:!selected { background: $hover; }

QMenuBar { background: $panel; border: 0; padding: 0 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: ${field}px; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; border: 1px solid $hairline; padding: 4px; }
QMenu::item { min-height: 20px; padding: 4px 24px 4px 28px; border-radius: ${field}px; }
QMenu::item:selected { background: $selected; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 8px; }
QMenu::indicator { width: 16px; height: 16px; left: 8px; }
QMenu::indicator:checked { image: url("$tick"); }

QSplitter::handle { background: transparent; }
QProgressBar { background: $track; border: 0; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $disabled; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 32px; margin: 2px 3px; }
QScrollBar::handle:horizontal { min-width: 32px; margin: 3px 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }

*[look="banner"] { background: $warn_fill; border: 0; border-bottom: 1px solid $hairline; }
*[look="banner-error"] { background: $error_fill; border: 0; border-bottom: 1px solid $hairline; }
*[look="banner-ok"] { background: $ok_fill; border: 0; border-bottom: 1px solid $hairline; }
*[look="toast"] { background: $text; border: 0; border-radius: ${float}px; }
QLabel[look="toast"] { color: $bg; }
*[look="chip"] { background: $hover; border-radius: ${chip}px; }
QToolButton[look="chip-close"] { border-radius: 8px; padding: 0; border: 1px solid transparent; }
QToolButton[look="chip-close"]:focus { border: 1px solid $accent; }
""")


def stylesheet(look: Palette, scale: float = 1.0) -> str:
    """The style sheet of a theme at a text size (1.0 is 100 %)."""
    return _SHEET.substitute(_values(look, scale))


def _values(look: Palette, scale: float) -> Mapping[str, object]:
    from reverie_gui.theme.images import sheet_image

    line = round(STYLES["base"].line * scale)
    control = max(SIZES.control, line + 8)
    colours = {name: getattr(look, name) for name in look.__slots__ if name not in ("diff", "kinds")}
    return {
        **colours,
        "field": RADIUS_FIELD,
        "control": RADIUS_CONTROL,
        "float": RADIUS_FLOAT,
        "chip": RADIUS_CHIP,
        "button_height": control - 2,
        "button_height_focus": control - 4,
        "field_height": control - 4,
        "target_inner": max(SIZES.target, line + 4) - 2,
        "target_focus": max(SIZES.target, line + 4) - 4,
        "target_line": max(SIZES.target, line + 4) - 2,
        "target": max(SIZES.target, line + 4),
        "chevron": sheet_image("chevron-down", look.text_2),
        "check": sheet_image("check", look.on_accent),
        "tick": sheet_image("check", look.text),
    }
