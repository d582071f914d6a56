"""The drawn diff."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextTable
from pytestqt.qtbot import QtBot

from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.diff_view import DiffView
from reverie_gui.widgets.word_diff import Folded, diff, folded

BEFORE = "A one. B two. C three. D four. E five. F six."


def made(theme: Theme, qtbot: QtBot) -> DiffView:
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(400, 100)
    return view


def strikes(view: DiffView) -> list[str]:
    """The struck pieces of text, in order."""
    found = []
    block = view.document().begin()
    while block.isValid():
        for piece in block:
            fragment = piece.fragment()
            if fragment.charFormat().fontStrikeOut():
                found.append(fragment.text())
        block = block.next()
    return found


def test_removed_words_are_struck_and_signs_stand_in_the_gutter(theme: Theme, qtbot: QtBot) -> None:
    view = made(theme, qtbot)
    view.show_lines(folded(diff("It takes six weeks.", "It takes four weeks.")))
    assert strikes(view) == ["six"]
    table = view.document().rootFrame().childFrames()[0]
    assert isinstance(table, QTextTable)
    assert [table.cellAt(row, 0).firstCursorPosition().block().text() for row in range(2)] == ["\u2212", "+"]


def test_it_is_plain_text(theme: Theme, qtbot: QtBot) -> None:
    view = made(theme, qtbot)
    view.show_lines(diff("a", "<b>bold</b> <img src='http://x/y.png'>"))
    assert "<b>bold</b> <img src='http://x/y.png'>" in view.toPlainText()


def test_a_fold_is_named_and_unfolds(theme: Theme, qtbot: QtBot) -> None:
    view = made(theme, qtbot)
    view.show_lines(folded(diff(BEFORE, BEFORE.replace("six", "seven"))), {1: "[1]"})
    assert "4 lines unchanged" in view.toPlainText()
    height = view.height()
    view.anchorClicked.emit(QUrl("#0"))
    assert "4 lines unchanged" not in view.toPlainText()
    assert "A one." in view.toPlainText()
    assert view.minimumHeight() > height
    assert not any(isinstance(line, Folded) for line in view.lines())
    assert "E five.  [1]" in view.toPlainText()  # its note moved with its line


def test_it_is_as_high_as_its_text(theme: Theme, qtbot: QtBot) -> None:
    view = made(theme, qtbot)
    view.show_lines(
        diff("", "A sentence that is long enough to be wrapped where there is little room for it.")
    )
    view.show()
    wide = view.minimumHeight()
    view.resize(120, 100)
    assert view.minimumHeight() > wide
    view.show_lines([])
    assert view.minimumHeight() == 0
    view.hide()


def test_a_huge_diff_lays_out_its_beginning(theme: Theme, qtbot: QtBot) -> None:
    view = made(theme, qtbot)
    view.show_lines(diff("", " ".join(f"Line {n} stands here." for n in range(600))))
    assert len(view.lines()) == 401
    assert "more lines" in view.toPlainText()
