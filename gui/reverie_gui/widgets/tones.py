"""Labels that change their colour with what they say."""

from PySide6.QtWidgets import QLabel

from reverie_gui.widgets.looks import StyledLabel, set_look


def set_tone(label: QLabel, look: str) -> None:
    """Gives a label another look. Qt hands back the font that the label was first polished with: it is set anew."""
    set_look(label, look)
    if isinstance(label, StyledLabel):
        label.restyle()
