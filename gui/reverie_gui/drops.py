"""Files and texts that are dropped on the window or pasted into it."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from reverie.i18n import _, ngettext
from reverie_gui.wording import number


@dataclass(frozen=True, slots=True)
class Load:
    """What a drag or the clipboard carries that can become memories."""

    paths: tuple[Path, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.paths or self.text.strip())

    @property
    def offer(self) -> str:
        """What a drop would do: "Drop to add 3 files"."""
        count = len(self.paths)
        if not count:
            return _("Drop to add the text")
        if count == 1:
            return _("Drop to add {name}").format(name=self.paths[0].name)
        return ngettext("Drop to add {n} file", "Drop to add {n} files", count).format(n=number(count))


def load_of(data: QMimeData | None) -> Load:
    """Local files first, else plain text; web addresses are text, never fetched."""
    if data is None:
        return Load()
    paths = (
        tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()) if data.hasUrls() else ()
    )
    if paths:
        return Load(paths)
    return Load(text=data.text()) if data.hasText() else Load()


def leave_drops_to_window(page: QWidget) -> None:
    """Takes drops from the parts of a page, so that the whole window is the target."""
    for part in page.findChildren(QWidget):
        if part.acceptDrops():
            part.setAcceptDrops(False)
