"""Paints two-line rows. A pane gives a function from its values to a RowLook; nothing else differs."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPicture
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from reverie_gui.models.id_list_model import VALUE_ROLE
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.icons import pixmap
from reverie_gui.theme.shapes import paint_kind
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES, Palette
from reverie_gui.widgets.marks import spans

Index = QModelIndex | QPersistentModelIndex
_PAD = 12
_KEPT = 300  # painted rows
_SHOWS = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus


@dataclass(frozen=True, slots=True)
class RowLook:
    """What one row shows.

    kind: shape at the left, or "" with ``icon`` instead. title, second: the lines; ``marks`` are words to mark in both.
    right, right_second: the 72 px column; ``right_tone`` a palette colour name for its second line.
    flags: icons before ``right`` ("pin", "mute"). faint: the title in text-3. strong: the title in 600.
    tip: the tooltip, or what makes it when it is asked for.
    share: a bar at the foot, 0..1 (None: none), in palette colour ``share_tone``.
    """

    title: str
    second: str = ""
    kind: str = ""
    icon: str = ""
    icon_tone: str = "text_2"
    right: str = ""
    right_second: str = ""
    right_tone: str = "text_3"
    flags: tuple[str, ...] = ()
    faint: bool = False
    strong: bool = False
    marks: tuple[str, ...] = ()
    share: float | None = None
    share_tone: str = "accent"
    tip: str | Callable[[], str] = field(default="", compare=False)

    def tip_text(self) -> str:
        return self.tip if isinstance(self.tip, str) else self.tip()


Look = Callable[[Any], RowLook]


class RowDelegate(QStyledItemDelegate):
    """Rows of one height, 52 px, or 28 px when compact (one line)."""

    def __init__(self, theme: Theme, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._look = look
        self.compact = False
        self.checks = False  # checkboxes in place of shapes, while several rows are selected
        self._painted: dict[Hashable, QPicture] = {}

    def look(self, value: Any) -> RowLook:
        return self._look(value)

    def height(self) -> int:
        return scaled(SIZES.row_compact if self.compact else SIZES.row)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(SIZES.list_min, self.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        widget: QWidget | None = option.widget
        focused = widget is not None and widget.hasFocus()
        value = index.data(VALUE_ROLE)
        shown = None if value is None else self._look(value)
        painter.drawPicture(rect.topLeft(), self._picture(rect.size(), option.state & _SHOWS, focused, shown))

    def _picture(
        self, size: QSize, state: QStyle.StateFlag, focused: bool, shown: RowLook | None
    ) -> QPicture:
        """A row as it was painted before. Each call of a painter gives other threads a turn, so that a list takes
        many times longer to paint anew while files are read."""
        look = self._theme.palette
        key = (shown, size.toTuple(), state, focused, self.compact, self.checks, scaled(100), id(look))
        known = self._painted.get(key)
        if known is not None:
            return known
        picture = QPicture()
        painter = QPainter(picture)
        rect = QRect(QPoint(0, 0), size)
        self._paint_ground(painter, rect, state, focused, look)
        if shown is None:
            self._paint_skeleton(painter, rect, look)
        else:
            self._paint_row(painter, rect, state, shown, look)
        painter.end()
        if len(self._painted) >= _KEPT:
            self._painted.clear()
        self._painted[key] = picture
        return picture

    def _paint_ground(
        self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, focused: bool, look: Palette
    ) -> None:
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if selected:
            painter.fillRect(rect, QColor(look.selected if focused else look.selected_idle))
        elif hovered:
            painter.fillRect(rect, QColor(look.hover))
        line = QRect(rect.left() + SIZES.gutter, rect.bottom(), rect.width() - SIZES.gutter, 1)
        painter.fillRect(line, QColor(look.hairline))
        if selected:
            bar = look.accent if focused else look.border
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(bar))
        if focused and bool(state & QStyle.StateFlag.State_HasFocus) and not selected:
            painter.setPen(QColor(look.accent))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))

    def _paint_row(
        self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, shown: RowLook, look: Palette
    ) -> None:
        first = self._first_line(rect)
        centre = QPointF(rect.left() + SIZES.gutter / 2 + 1, first.center().y() + 0.5)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if self.checks:
            self._paint_check(painter, centre, selected, look)
        elif shown.kind:
            paint_kind(painter, shown.kind, centre, look.kinds.get(shown.kind, look.text_2))
        elif shown.icon:
            image = pixmap(shown.icon, getattr(look, shown.icon_tone))
            painter.drawPixmap(QPointF(centre.x() - 8, centre.y() - 8), image)
        right = self._right_width(shown)
        edge = rect.right() - _PAD
        left = rect.left() + SIZES.gutter
        taken = self._paint_right_first(
            painter, QRect(edge - right, first.top(), right, first.height()), shown, look
        )
        title = font("base_strong" if shown.strong else "base_medium")
        ink = look.text_3 if shown.faint else look.text
        width = edge - taken - _PAD - left
        if self.compact:
            self._paint_compact(
                painter, QRect(left, first.top(), width, first.height()), title, ink, shown, look
            )
        else:
            said, rest = (shown.title, shown.second) if shown.second else broken(shown.title, title, width)
            paint_marked(
                painter,
                QRect(left, first.top(), width, first.height()),
                said,
                title,
                ink,
                shown.marks,
                look.mark,
            )
            self._paint_second(painter, rect, left, edge, replace(shown, second=rest), look)
        if shown.share is not None:
            self._paint_share(painter, rect, shown, look)

    def _first_line(self, rect: QRect) -> QRect:
        line = scaled(20)
        if self.compact:
            return QRect(rect.left(), rect.top() + (rect.height() - line) // 2, rect.width(), line)
        return QRect(
            rect.left(), rect.top() + (rect.height() - line - scaled(16) - 2) // 2, rect.width(), line
        )

    def _right_width(self, shown: RowLook) -> int:
        return scaled(SIZES.right_column) if shown.right or shown.right_second or shown.flags else 0

    def _paint_right_first(self, painter: QPainter, rect: QRect, shown: RowLook, look: Palette) -> int:
        """The age, and flags before it; gives the width that is taken."""
        meta = font("meta")
        painter.setFont(meta)
        painter.setPen(QColor(look.text_3))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), shown.right)
        width = metrics(meta).horizontalAdvance(shown.right)
        x = rect.right() - width - (4 if width else 0)
        for flag in shown.flags:
            x -= 12
            painter.drawPixmap(
                QRectF(x, rect.center().y() - 5.5, 12, 12), pixmap(flag, look.text_3), QRectF(0, 0, 48, 48)
            )
            x -= 4
        return max(rect.right() - x, 0)

    def _paint_second(
        self, painter: QPainter, rect: QRect, left: int, edge: int, shown: RowLook, look: Palette
    ) -> None:
        top = self._first_line(rect).bottom() + 3
        line = scaled(16)
        meta = font("meta")
        width = edge - left
        if shown.right_second:
            taken = metrics(meta).horizontalAdvance(shown.right_second)
            painter.setFont(meta)
            painter.setPen(QColor(getattr(look, shown.right_tone)))
            painter.drawText(
                QRect(edge - taken - 4, top, taken + 4, line),
                int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
                shown.right_second,
            )
            width -= taken + _PAD
        else:
            width -= SIZES.gutter
        paint_marked(
            painter, QRect(left, top, width, line), shown.second, meta, look.text_2, shown.marks, look.mark
        )

    def _paint_compact(
        self, painter: QPainter, rect: QRect, title: QFont, ink: str, shown: RowLook, look: Palette
    ) -> None:
        used = paint_marked(painter, rect, shown.title, title, ink, shown.marks, look.mark)
        rest = rect.adjusted(used + _PAD, 0, 0, 0)
        if rest.width() > 80:
            paint_marked(painter, rest, shown.second, font("meta"), look.text_2, shown.marks, look.mark)

    def _paint_share(self, painter: QPainter, rect: QRect, shown: RowLook, look: Palette) -> None:
        share = min(1.0, max(0.0, shown.share or 0.0))
        foot = QRect(rect.left(), rect.bottom() - 1, rect.width(), 2)
        painter.fillRect(foot, QColor(look.track))
        foot.setWidth(round(rect.width() * share))
        painter.fillRect(foot, QColor(getattr(look, shown.share_tone)))

    def _paint_check(self, painter: QPainter, centre: QPointF, on: bool, look: Palette) -> None:
        box = QRectF(centre.x() - 7.5, centre.y() - 7.5, 15, 15)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(look.accent if on else look.border))
        painter.setBrush(QColor(look.accent if on else look.raised))
        painter.drawRoundedRect(box, 3.5, 3.5)
        painter.restore()
        if on:
            painter.drawPixmap(box.topLeft() + QPointF(-0.5, -0.5), pixmap("check", look.on_accent))

    def paint_skeletons(self, painter: QPainter, area: QRect) -> None:
        """The shapes of rows that are not known yet, over a whole list."""
        for top in range(area.top(), area.bottom(), self.height()):
            self._paint_skeleton(
                painter, QRect(area.left(), top, area.width(), self.height()), self._theme.palette
            )

    def _paint_skeleton(self, painter: QPainter, rect: QRect, look: Palette) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.hover))
        first = self._first_line(rect)
        left = rect.left() + SIZES.gutter
        width = rect.width() - SIZES.gutter - _PAD
        painter.drawRoundedRect(QRect(left, first.top() + 5, width * 3 // 5, 10), 3, 3)
        if not self.compact:
            painter.drawRoundedRect(QRect(left, first.bottom() + 7, width * 4 // 5, 8), 3, 3)


def paint_marked(
    painter: QPainter, rect: QRect, text: str, face: QFont, ink: str, words: tuple[str, ...], mark: str
) -> int:
    """One elided line with matched words on the mark colour; gives the width that it took."""
    measure = metrics(face)
    line = measure.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(face)
    for start, end in spans(line, words):
        x = rect.left() + measure.horizontalAdvance(line[:start])
        width = measure.horizontalAdvance(line[start:end])
        painter.fillRect(QRect(x - 1, rect.top() + 1, width + 2, rect.height() - 2), QColor(mark))
    painter.setPen(QColor(ink))
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), line)
    return measure.horizontalAdvance(line)


def broken(text: str, face: QFont, width: int) -> tuple[str, str]:
    """What of a text fits one line, and what goes on in the next; cut between words."""
    measure = metrics(face)
    if measure.horizontalAdvance(text) <= width:
        return text, ""
    fits = len(measure.elidedText(text, Qt.TextElideMode.ElideRight, width)) - 1
    cut = text.rfind(" ", 0, fits + 1)
    return (text[:cut], text[cut + 1 :]) if cut > 0 else (text, "")


def metrics(face: QFont) -> QFontMetrics:
    return QFontMetrics(face)
