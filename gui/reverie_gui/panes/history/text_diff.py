"""A text before and after: two blocks, the words that differ marked in them."""

import difflib
import html
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from reverie.domain.text import shorten
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import RADIUS_FIELD
from reverie_gui.widgets.looks import StyledLabel, column, label, row

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")
_MOST = 4000  # characters of a side that are compared
_MOST_WHOLE = 400  # characters of a text that came or went: the whole is one click away
_GUTTER = 20

Run = tuple[str, bool]


def word_runs(before: str, after: str) -> tuple[list[Run], list[Run]]:
    """Both sides in runs of (text, differs)."""
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    left: list[Run] = []
    right: list[Run] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > 4_000_000)
    for act, a, b, c, d in matcher.get_opcodes():
        if b > a:
            left.append(("".join(old[a:b]), act != "equal"))
        if d > c:
            right.append(("".join(new[c:d]), act != "equal"))
    return left, right


class TextDiff(QWidget):
    """``before`` or ``after`` None: the text came or went whole."""

    def __init__(self, theme: Theme, before: str | None, after: str | None) -> None:
        super().__init__()
        self._theme = theme
        most = _MOST if before and after else _MOST_WHOLE
        before, after = (side and side.strip() for side in (before, after))
        if before and after:
            self._sides = word_runs(before[:most], after[:most])
        else:
            self._sides = (
                [(shorten(before, most), False)] if before else [],
                [(shorten(after, most), False)] if after else [],
            )
        self._blocks = [
            _Block(removed=place == 0, runs=runs) for place, runs in enumerate(self._sides) if runs
        ]
        layout = column(gap=2)
        for block in self._blocks:
            layout.addWidget(block)
        if max(len(before or ""), len(after or "")) > _MOST:
            layout.addWidget(label(self.tr("The end of this long text is not shown"), "meta", "faint"))
        self.setLayout(layout)
        theme.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        for block in self._blocks:
            block.paint(self._theme)


class _Block(QFrame):
    def __init__(self, *, removed: bool, runs: list[Run]) -> None:
        super().__init__()
        self._removed = removed
        self._runs = runs
        self._sign = label("−" if removed else "+", "base")
        self._sign.setFixedWidth(scaled(_GUTTER))
        self._sign.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._text = StyledLabel("", "base")
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setFont(font("base"))
        plain = "".join(text for text, _differs in runs)
        self._text.setAccessibleName(
            self.tr("Before: {text}").format(text=plain)
            if removed
            else self.tr("After: {text}").format(text=plain)
        )
        line = row(self._sign, margins=(4, 4, 8, 4), gap=4)
        line.addWidget(self._text, 1)
        self.setLayout(line)

    def paint(self, theme: Theme) -> None:
        look = theme.palette.diff
        fill, word, ink = (
            (look.removed, look.removed_word, look.removed_text)
            if self._removed
            else (look.added, look.added_word, look.added_text)
        )
        strike = "text-decoration:line-through;" if self._removed else ""
        mark = f'<span style="background:{word};color:{ink};{strike}">'
        parts = [
            f"{mark}{_escaped(text)}</span>" if differs and text.strip() else _escaped(text)
            for text, differs in self._runs
        ]
        self._text.setText("".join(parts))
        self.setStyleSheet(f"_Block {{ background: {fill}; border: 0; border-radius: {RADIUS_FIELD}px; }}")


def _escaped(text: str) -> str:
    return html.escape(text).replace("\n", "<br>").replace("  ", "&nbsp; ")
