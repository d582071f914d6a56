"""Shows a diff: one line a sentence, a sign in a gutter, the changed words filled and struck or not."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from reverie.i18n import ngettext
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import TYPE
from reverie_gui.widgets.word_diff import Folded, Line, Shown
from reverie_gui.wording import number

_GUTTER = 20
_MINUS = "\u2212"
_MOST = 400  # lines laid out at once; the rest is behind one more fold


class DiffView(QTextBrowser):
    """As high as its text, which is plain: nothing in it is markup. A click on "5 lines unchanged" unfolds them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: list[Shown] = []
        self._notes: dict[int, str] = {}
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Changes"))
        self.anchorClicked.connect(self._unfold)
        theme.changed.connect(self._render)

    def show_lines(self, lines: Sequence[Shown], notes: dict[int, str] | None = None) -> None:
        """``notes`` stand faint behind the line at their place, such as the numbers of its sources."""
        self._lines = list(lines)
        self._notes = dict(notes or {})
        if len(self._lines) > _MOST:
            rest = [line for line in self._lines[_MOST:] if isinstance(line, Line)]
            self._lines[_MOST:] = [Folded(tuple(rest))]
        self._render()

    def lines(self) -> list[Shown]:
        return list(self._lines)

    def _unfold(self, address: QUrl) -> None:
        place = int(address.fragment() or -1)
        if 0 <= place < len(self._lines):
            here = self._lines[place]
            if isinstance(here, Folded):
                grown = len(here.lines) - 1
                self._notes = {at + grown * (at > place): note for at, note in self._notes.items()}
                self._lines[place : place + 1] = list(here.lines)
                self._render()

    # Drawing.

    def _render(self) -> None:
        document = self.document()
        document.clear()
        document.setDefaultFont(font("base"))
        if self._lines:
            cursor = QTextCursor(document)
            cursor.beginEditBlock()
            table = cursor.insertTable(len(self._lines), 2, self._table_format())
            for place, line in enumerate(self._lines):
                if isinstance(line, Folded):
                    self._fold_row(table, place, line)
                else:
                    self._line_row(table, place, line)
            cursor.endEditBlock()
        self._fit()

    def _table_format(self) -> QTextTableFormat:
        made = QTextTableFormat()
        made.setBorder(0)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        made.setCellPadding(0)
        made.setCellSpacing(0)
        made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        made.setColumnWidthConstraints(
            [
                QTextLength(QTextLength.Type.FixedLength, scaled(_GUTTER)),
                QTextLength(QTextLength.Type.VariableLength, 0),
            ]
        )
        return made

    def _line_row(self, table: QTextTable, place: int, line: Line) -> None:
        look = self._theme.palette
        fill, word_fill, ink = {
            "-": (look.diff.removed, look.diff.removed_word, look.diff.removed_text),
            "+": (look.diff.added, look.diff.added_word, look.diff.added_text),
            " ": ("", "", look.text),
        }[line.sign]
        text_ink = look.text if line.sign == " " else ink
        sign = {"-": _MINUS, "+": "+", " ": ""}[line.sign]
        gutter = self._cell(table, place, 0, fill)
        centred = self._block()
        centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        gutter.setBlockFormat(centred)
        gutter.insertText(sign, _ink(text_ink))
        cell = self._cell(table, place, 1, fill)
        whole = len(line.runs) == 1 and line.runs[0].changed  # a sentence that is new or gone as a whole
        for run in line.runs:
            style = _ink(look.text if line.sign == " " else ink)
            if run.changed:
                if not whole:
                    style.setBackground(QColor(word_fill))
                style.setFontStrikeOut(line.sign == "-")
            cell.insertText(run.text, style)
        note = self._notes.get(place)
        if note:
            faint = _ink(look.text_3)
            faint.setFont(font("meta"))
            cell.insertText(f"  {note}", faint)

    def _fold_row(self, table: QTextTable, place: int, line: Folded) -> None:
        self._cell(table, place, 0, "")
        count = len(line.lines)
        style = _ink(self._theme.palette.text_3)
        style.setFont(font("meta"))
        style.setAnchor(True)
        style.setAnchorHref(f"#{place}")
        if all(each.sign == " " for each in line.lines):
            words = ngettext("{n} line unchanged", "{n} lines unchanged", count).format(n=number(count))
        else:
            words = ngettext("{n} more line", "{n} more lines", count).format(n=number(count))
        self._cell(table, place, 1, "").insertText(f"⋯ {words}", style)

    def _cell(self, table: QTextTable, row: int, column: int, fill: str) -> QTextCursor:
        cell = table.cellAt(row, column)
        style = QTextTableCellFormat()
        style.setTopPadding(2)
        style.setBottomPadding(2)
        if column == 1:
            style.setRightPadding(8)
        if fill:
            style.setBackground(QColor(fill))
        cell.setFormat(style)
        cursor = cell.firstCursorPosition()
        cursor.setBlockFormat(self._block())
        return cursor

    def _block(self) -> QTextBlockFormat:
        made = QTextBlockFormat()
        made.setLineHeight(scaled(TYPE.base.line), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        return made

    def _fit(self) -> None:
        self.document().setTextWidth(max(self.viewport().width(), 1))
        height = round(self.document().size().height()) if self._lines else 0
        if height != self.minimumHeight():  # not height(): that may still be an older one, to be laid out
            self.setFixedHeight(height)

    # What Qt asks.

    def loadResource(self, kind: int, name: QUrl | str) -> None:
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(scaled(300), self.height())

    def wheelEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        event.ignore()  # the page scrolls


def _ink(colour: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(colour))
    made.setFont(font("base"))
    return made
