"""Run in a process of its own: the window on a new vault reads a folder of files; prints how late a 10 ms timer was."""

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt, QTimer

from reverie import Vault
from reverie.domain.inbox import ItemState
from reverie_gui.app import Session, make_application
from reverie_gui.preferences import Preferences

INTERVAL_MS = 10


def main(vault_folder: Path, files: Path) -> None:
    app, theme = make_application()
    session = Session(theme, Preferences(vault_folder.parent / "window.ini"))
    session.window.show()
    vault = Vault.open(vault_folder)
    session.attach(vault)
    late: list[float] = []
    last = time.perf_counter()
    began = 0.0
    paths = sorted(files.iterdir())

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        if began:
            late.append(max(0.0, (now - last) * 1000 - INTERVAL_MS))
        last = now

    def begin() -> None:
        nonlocal began
        began = time.perf_counter()
        session.tasks.run(lambda _task: vault.inbox.add(paths))

    def look() -> None:
        session.tasks.run(lambda _task: counts.update(vault.inbox.counts()))
        if counts.get(ItemState.DONE, 0) + counts.get(ItemState.FAILED, 0) >= len(paths):
            app.quit()

    counts: dict[ItemState, int] = {}
    timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=INTERVAL_MS)
    timer.timeout.connect(tick)
    timer.start()
    watch = QTimer(interval=1000)
    watch.timeout.connect(look)
    watch.start()
    QTimer.singleShot(1500, begin)
    app.exec()
    seconds = time.perf_counter() - began
    session.close()
    late.sort()
    print(  # noqa: T201 - the answer
        json.dumps(
            {
                "p50": late[len(late) // 2],
                "p99": late[int(len(late) * 0.99)],
                "max": late[-1],
                "ticks": len(late),
                "seconds": seconds,
                "done": counts.get(ItemState.DONE, 0),
            }
        )
    )


main(Path(sys.argv[1]), Path(sys.argv[2]))
