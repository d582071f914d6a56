"""Signals close the window, from its loop."""

import signal

import pytest
from pytestqt.qtbot import QtBot

from reverie_gui.bridge.interrupts import Interrupts


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_from_the_loop_and_never_from_the_middle_of_something(
    qtbot: QtBot, number: int
) -> None:
    closed: list[bool] = []
    interrupts = Interrupts(lambda: closed.append(True))
    try:
        signal.raise_signal(number)
        assert not closed
        qtbot.waitUntil(lambda: closed == [True])
    finally:
        interrupts.restore()
