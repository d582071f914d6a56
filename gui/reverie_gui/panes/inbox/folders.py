"""The folders that are watched, under the queue: what comes into them is added by itself."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QScrollArea, QWidget

from reverie_gui.context import Context
from reverie_gui.operations.inbox import unwatch_folder, watch_folder
from reverie_gui.widgets.looks import button, column, hairline, label, row, shrinkable

_MOST_SHOWN = 3  # rows: more scroll


class WatchedFolders(QWidget):
    """A heading with "Watch a folder…", and a row a folder with "Stop"."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._shown: tuple[tuple[str, str], ...] | None = None
        self.add = button(self.tr("Watch a folder…"), self.choose, "link")
        self.add.setToolTip(self.tr("New files in it are copied and read; the folder itself stays as it is"))
        head = row(
            label(self.tr("Watched folders").upper(), "caps", "caps"), -1, self.add, margins=(16, 4, 8, 4)
        )
        self._rows = column(margins=(16, 0, 8, 8))
        page = QWidget()
        page.setLayout(self._rows)
        self._scroll = QScrollArea()
        self._scroll.setWidget(page)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLayout(column(hairline(), head, self._scroll))
        self.setAccessibleName(self.tr("Watched folders"))
        self.show_folders(())
        page.installEventFilter(self)

    def show_folders(self, watched: Sequence[tuple[str, str]]) -> None:
        """(folder, knowledge base) of each."""
        if tuple(watched) == self._shown:
            return
        self._shown = tuple(watched)
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for folder, kb in watched:
            self._rows.addWidget(self._row(folder, kb))
        self._scroll.setVisible(bool(watched))
        self._fit()

    def folders(self) -> list[str]:
        return [folder for folder, _kb in self._shown or ()]

    def choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, self.tr("Watch a folder"))
        if name:
            kb = self._context.settings.text("kb") or "default"
            watch_folder(context=self._context, folder=Path(name), kb=kb)

    def _row(self, folder: str, kb: str) -> QWidget:
        path = Path(folder)
        name = label(path.name or folder)
        name.setToolTip(folder)
        where = label(str(path.parent) if path.name else "", "meta", "faint")
        where.setToolTip(folder)
        shrinkable(where)
        stop = button(self.tr("Stop"), lambda: unwatch_folder(context=self._context, folder=path), "link")
        stop.setAccessibleName(self.tr("Stop watching {folder}").format(folder=folder))
        stop.setToolTip(self.tr("Stop watching; what was added stays"))
        line = row(name, gap=8)
        line.addWidget(where, 1)
        if kb != "default":
            line.addWidget(label(kb, "meta", "meta"))
        line.addWidget(stop)
        holder = QWidget()
        holder.setLayout(line)
        return holder

    def _fit(self) -> None:
        """As high as its rows; more than three scroll."""
        count = max(1, len(self._shown or ()))
        height = self._rows.sizeHint().height()
        wanted = height * min(count, _MOST_SHOWN) // count
        if wanted != self._scroll.minimumHeight():
            self._scroll.setFixedHeight(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return False
