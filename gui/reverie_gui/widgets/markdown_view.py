"""Markdown as a person reads it; nothing in it can run, load or hide."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QTextEdit, QWidget

from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import TYPE
from reverie_gui.widgets.marks import spans

_SAFE = re.compile(r"^(https?|mailto):", re.IGNORECASE)
_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_GAP = 8  # between paragraphs
_LINE_ROOM = 4  # under the text, for the line that shows the focus
_LINE = "\u2028"  # a new line of the same paragraph
_BLOCK = re.compile(
    r"\s*(?:[#|>]|[-*+]\s|\d{1,9}[.)]\s|[-*_=]{3,}\s*$|\s{4})"
)  # a line that Markdown reads as its own
_PLAIN = re.compile(rf"(?!{_BLOCK.pattern})\s*\S")
_MOST_MARKS = 200
_WRAPPED = 40  # characters: a shorter line was ended by its writer
_RICH_LIMIT = 200_000  # characters: above that the text is shown plain, which is quick


class MarkdownView(QTextBrowser):
    """As high as its text. HTML is shown as text; pictures and other files are never loaded.

    Signals: ``link_clicked(str)`` a web or mail address; others are not followed. ``edit_wanted()`` on double click.
    """

    link_clicked = Signal(str)
    edit_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._marks: tuple[str, ...] = ()
        self._line = False
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Text"))
        self.anchorClicked.connect(self._follow)
        theme.changed.connect(self._render)

    def set_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self._render()

    def set_marks(self, words: Sequence[str]) -> None:
        """Words that were asked for, as they stand in the text: marked wherever they do."""
        self._marks = tuple(words)
        self._mark()

    def _mark(self) -> None:
        shown, document = [], self.document()
        colour = QTextCharFormat()
        colour.setBackground(QColor(self._theme.palette.mark))
        text = document.toPlainText()
        wide = max(text, default="") > "\uffff"  # Qt counts such a letter as two
        for start, end in spans(text, self._marks)[:_MOST_MARKS]:
            each = QTextEdit.ExtraSelection()
            each.format = colour
            each.cursor = QTextCursor(document)
            each.cursor.setPosition(_units(text[:start]) if wide else start)
            each.cursor.setPosition(_units(text[:end]) if wide else end, QTextCursor.MoveMode.KeepAnchor)
            shown.append(each)
        self.setExtraSelections(shown)

    def _render(self) -> None:
        document = self.document()
        document.setDefaultFont(font("body"))
        look = self._theme.palette
        document.setDefaultStyleSheet(f"a {{ color: {look.accent}; }}")
        if len(self._text) > _RICH_LIMIT:
            document.setPlainText(self._text)
        else:
            document.setMarkdown(hard_breaks(self._text), _FEATURES)
        self._space()
        self._fit()
        self._mark()

    def _space(self) -> None:
        """The line height of reading text, which a document has no default for."""
        line = QTextBlockFormat()
        line.setLineHeight(scaled(TYPE.body.line), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        gap = QTextBlockFormat(line)
        gap.setBottomMargin(scaled(_GAP))
        cursor = QTextCursor(self.document())
        block = self.document().begin()
        while block.isValid():
            following = block.next()
            last = not following.isValid()
            tight = last or (block.textList() is not None and following.textList() is not None)
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(line if tight else gap)
            block = following

    def _fit(self) -> None:
        self.document().setTextWidth(max(self.viewport().width(), 1))
        height = round(self.document().size().height()) + _LINE_ROOM
        if height != self.height():
            self.setFixedHeight(max(height, scaled(TYPE.body.line)))

    def _follow(self, url: QUrl) -> None:
        if _SAFE.match(url.toString()):
            self.link_clicked.emit(url.toString())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._line = event.reason() in by_key
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._line = False
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._line:  # a ring would touch the text, which stands flush with the title
            painter = QPainter(self.viewport())
            bottom = self.viewport().height() - 2
            painter.fillRect(0, bottom, self.viewport().width(), 2, QColor(self._theme.palette.accent))
            painter.end()

    def loadResource(self, kind: int, name: QUrl | str) -> None:
        return None  # neither the network nor a file of this machine

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mouseDoubleClickEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self.edit_wanted.emit()

    def sizeHint(self) -> QSize:
        return QSize(scaled(400), self.height())

    def wheelEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        event.ignore()  # the page scrolls, not the text in it


def hard_breaks(text: str) -> str:
    """Keeps the line ends that people and programs typed, inside one paragraph: Markdown alone would join the lines.

    Text that was wrapped at a fixed width is joined again.
    """
    out: list[str] = []
    fenced = False
    before = ""  # the line above, where this one may go on with it
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            before = ""
            out.append(line)
        elif before and _PLAIN.match(line):
            out[-1] = out[-1].rstrip() + (" " if _is_wrapped(before, line) else _LINE) + line.lstrip()
            before = line
        else:
            out.append(line)
            before = line if not fenced and line.strip() and not _BLOCK.match(line) else ""
    return "\n".join(out)


def _is_wrapped(line: str, following: str) -> bool:
    """Whether a line ends where it had no more room, and not where its writer wanted it to."""
    ended = line.endswith("  ") or line.rstrip()[-1:] in ".!?:;"
    return len(line) >= _WRAPPED and following.lstrip()[:1].islower() and not ended


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
