"""Files outside of the window."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from reverie.i18n import _
from reverie_gui.bridge.notices import Banner
from reverie_gui.context import Context


def open_file(*, context: Context, path: Path) -> None:
    """Opens a file with the program that the system has for it."""
    context.tasks.run(lambda _task: path.exists(), on_done=lambda found: _open(context, path, found))


def open_folder(*, context: Context, path: Path) -> None:
    """Opens the folder that a file lies in."""
    open_file(context=context, path=path.parent)


def open_link(*, address: str) -> None:
    """Opens a web or mail address that the person clicked."""
    QDesktopServices.openUrl(QUrl(address))


def _open(context: Context, path: Path, found: bool) -> None:
    if not found:
        context.notices.banner(
            Banner(
                _("The file is no longer there"),
                str(path),
                _("Its memories stay; only the original was moved or deleted."),
                tone="warn",
            )
        )
    elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        context.notices.banner(
            Banner(_("No program opens {name}").format(name=path.name), str(path.parent), tone="warn")
        )
