import gc
import threading

from pytestqt.qtbot import QtBot

from reverie_gui.bridge.collector import Collector


class Ring:
    """Rubbish that only the collector finds; says on which thread it went."""

    def __init__(self, told: list[int]) -> None:
        self.self = self
        self._told = told

    def __del__(self) -> None:
        self._told.append(threading.get_ident())


def test_rubbish_of_a_worker_goes_on_the_window_thread(qtbot: QtBot) -> None:
    was_on = gc.isenabled()
    gc.enable()
    collector = Collector()
    told: list[int] = []

    def work() -> None:
        for _ in range(3000):
            Ring(told)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == []
    qtbot.waitUntil(lambda: len(told) == 3000, timeout=5000)
    assert set(told) == {threading.get_ident()}
    collector.stop()
    assert gc.isenabled()
    if not was_on:
        gc.disable()
    collector.deleteLater()
