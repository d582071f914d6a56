import threading
from collections.abc import Callable

from pytestqt.qtbot import QtBot

from reverie.domain.changes import ChangeSet, RowDelta
from reverie.domain.clock import now
from reverie.domain.ids import OperationId
from reverie_gui.bridge.changes import Changed, Changes


class Events:
    def __init__(self) -> None:
        self.callbacks: list[Callable[[ChangeSet], None]] = []

    def subscribe(self, callback: Callable[[ChangeSet], None], /) -> Callable[[], None]:
        self.callbacks.append(callback)
        return lambda: self.callbacks.remove(callback)

    def tell(self, change: ChangeSet) -> None:
        thread = threading.Thread(target=lambda: [callback(change) for callback in self.callbacks])
        thread.start()
        thread.join()


def change(number: int, **rows: RowDelta) -> ChangeSet:
    return ChangeSet(OperationId(number), "edit memory", "person", now(), rows)


def test_a_burst_is_one_signal_on_this_thread(qtbot: QtBot) -> None:
    events, changes = Events(), Changes()
    changes.listen(events)
    told: list[tuple[Changed, int]] = []
    changes.changed.connect(lambda changed: told.append((changed, threading.get_ident())))
    for number in range(20):
        events.tell(change(number, memories=RowDelta(changed=(f"{number % 3}",), added=(f"n{number}",))))
    qtbot.waitUntil(lambda: bool(told))
    qtbot.wait(100)
    assert len(told) == 1
    changed, thread = told[0]
    assert thread == threading.get_ident()
    assert changed.rows("memories").changed == ("0", "1", "2")
    assert len(changed.rows("memories").added) == 20
    assert changed.touched("memories")
    assert not changed.touched("insights", "inbox_items")
    changes.deleteLater()


def test_stop_ends_it(qtbot: QtBot) -> None:
    events, changes = Events(), Changes()
    changes.listen(events)
    told: list[Changed] = []
    changes.changed.connect(told.append)
    events.tell(change(1))
    changes.stop()
    assert events.callbacks == []
    qtbot.wait(80)
    assert told == []
    changes.deleteLater()
