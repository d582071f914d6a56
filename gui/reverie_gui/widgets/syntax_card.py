"""The search language on one page."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from reverie_gui.widgets.looks import label


def _rows() -> list[tuple[str, str]]:
    def tr(text: str) -> str:
        return QCoreApplication.translate("SyntaxCard", text)

    return [
        ("berlin hotel", tr("these words, and what means the same")),
        ("kind:fact", tr("fact, preference, note, timeline, anti-pattern")),
        ("category:work/apollo", tr("this category and those under it")),
        ("tag:travel", tr("with this tag")),
        ("source:report.pdf", tr("made from this file")),
        ("importance:>0.8", tr("more important than that, 0 to 1")),
        ("age:<7d", tr("newer than seven days")),
        ("after:2026-03-01", tr("created since; before: up to")),
        ("is:pinned", tr("pinned, muted, superseded, trashed")),
        ("-kind:note", tr("a minus turns any of these round")),
    ]


class SyntaxCard(QWidget):
    """Each form with what it finds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        grid.addWidget(label(self.tr("Search language"), "base_strong"), 0, 0, 1, 2)
        for place, (form, meaning) in enumerate(_rows(), start=1):
            grid.addWidget(label(form, "mono"), place, 0)
            grid.addWidget(label(meaning, "meta", "meta"), place, 1)
        grid.setColumnStretch(1, 1)
