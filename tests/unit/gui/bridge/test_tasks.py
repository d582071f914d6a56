import threading
import time

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from reverie.errors import Cancelled
from reverie_gui.bridge.tasks import Task, Tasks


def test_work_is_done_elsewhere_and_told_here(tasks: Tasks, qtbot: QtBot) -> None:
    here = threading.get_ident()
    told: list[tuple[int, int]] = []
    tasks.run(
        lambda _task: threading.get_ident(), on_done=lambda there: told.append((there, threading.get_ident()))
    )
    qtbot.waitUntil(lambda: bool(told))
    assert told[0][0] != here
    assert told[0][1] == here


def test_the_latest_of_a_channel_wins(tasks: Tasks, qtbot: QtBot) -> None:
    go = threading.Event()
    told: list[str] = []

    def slow(task: Task[str]) -> str:
        go.wait(5)
        return "old" if not task.cancelled() else "old, and knew it"

    first = tasks.run(slow, on_done=told.append, channel="search")
    tasks.run(lambda _task: "new", on_done=told.append, channel="search")
    qtbot.waitUntil(lambda: told == ["new"])
    go.set()
    qtbot.waitUntil(tasks.idle)
    assert told == ["new"]
    assert first.cancelled()


def test_failures_go_to_the_starter_or_to_all(tasks: Tasks, qtbot: QtBot) -> None:
    def fail(_task: object) -> None:
        raise ValueError("no")

    mine: list[Exception] = []
    tasks.run(fail, on_failed=mine.append)
    qtbot.waitUntil(lambda: bool(mine))
    with qtbot.waitSignal(tasks.failed) as caught:
        tasks.run(fail)
    assert isinstance(caught.args[1], ValueError)


def test_cancelled_work_says_nothing(tasks: Tasks, qtbot: QtBot) -> None:
    told: list[object] = []

    def work(task: Task[None]) -> None:
        while not task.cancelled():
            time.sleep(0.005)
        raise Cancelled(3)

    task = tasks.run(work, on_done=told.append, on_failed=told.append, label="Reading")
    assert tasks.running == [task]
    task.cancel()
    qtbot.waitUntil(tasks.idle)
    assert told == []


def test_a_deleted_receiver_is_not_called(tasks: Tasks, qtbot: QtBot) -> None:
    import shiboken6

    go = threading.Event()
    told: list[object] = []
    owner = QObject()
    tasks.run(lambda _task: go.wait(5), on_done=told.append, owner=owner)
    shiboken6.delete(owner)
    go.set()
    qtbot.waitUntil(tasks.idle)
    assert told == []


def test_progress_is_told_while_it_runs(tasks: Tasks, qtbot: QtBot) -> None:
    seen: list[tuple[int, int]] = []
    tasks.reported.connect(lambda task: seen.append((task.done, task.total)))

    def work(task: Task[None]) -> None:
        for done in range(4):
            task.progress(done, 3, f"file {done}")

    tasks.run(work, label="Reading")
    qtbot.waitUntil(tasks.idle)
    assert (3, 3) in seen


def test_a_long_task_does_not_stand_before_a_short_one(tasks: Tasks, qtbot: QtBot) -> None:
    go = threading.Event()
    told: list[str] = []
    for _ in range(4):
        tasks.run(lambda _task: go.wait(5), long=True)
    tasks.run(lambda _task: "quick", on_done=told.append)
    qtbot.waitUntil(lambda: told == ["quick"])
    go.set()
    qtbot.waitUntil(tasks.idle)


def test_closing_stops_threads_and_calls_nobody(qtbot: QtBot) -> None:
    tasks = Tasks()
    told: list[object] = []

    def work(task: Task[str]) -> str:
        while not task.cancelled():
            time.sleep(0.005)
        return "late"

    tasks.run(work, on_done=told.append, on_failed=told.append)
    started = time.monotonic()
    tasks.close()
    assert time.monotonic() - started < 1
    assert tasks.run(lambda _task: 1, on_done=told.append).cancelled()
    qtbot.wait(30)
    assert told == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("window-")]


@pytest.mark.parametrize("count", [3000])
def test_many_signals_do_not_end_the_process(tasks: Tasks, count: int) -> None:
    """PySide6 6.12.0 on Python 3.11 took a reference of True at each: the process aborted after some hundred."""
    for _ in range(count):
        tasks.reported.emit(None)
    assert bool(count) is True
