"""On a real display: what the command line takes for a usable screen is one."""

import pytest

from reverie.cli.display import has_display

pytestmark = pytest.mark.display


def test_a_window_can_be_shown(qtbot, qapp) -> None:  # type: ignore[no-untyped-def]
    from PySide6.QtWidgets import QLabel

    from reverie_gui.preflight import check_display

    assert has_display()
    check_display()
    assert qapp.platformName() == "xcb"
    label = QLabel("Reverie")
    qtbot.addWidget(label)
    with qtbot.waitExposed(label):
        label.show()
    assert not label.grab().toImage().isNull()
