"""Opens the vault on a thread while the window is being built. Imports no Qt: it starts before Qt is loaded."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie import Vault

Opening = Callable[[], "Vault"]


def open_vault(path: Path | str | None) -> "Vault":
    """Imports the core and opens a vault; blocks."""
    from reverie import Vault

    return Vault.open(path)


def start_opening(opening: Opening) -> "Future[Vault]":
    """Calls ``opening`` on a thread of its own, from the first moment on."""
    future: Future[Vault] = Future()

    def work() -> None:
        try:
            future.set_result(opening())
        except BaseException as error:  # noqa: BLE001  (whatever it is, the window tells it)
            future.set_exception(error)

    threading.Thread(target=work, name="window-opening", daemon=True).start()
    return future
