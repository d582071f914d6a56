"""Small parts, each on its own."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from reverie_gui.theme.fonts import font
from reverie_gui.theme.shapes import paint_focus
from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.banner import BannerView
from reverie_gui.widgets.body_editor import BodyEditor
from reverie_gui.widgets.category_field import CategoryField
from reverie_gui.widgets.chips import TagChips
from reverie_gui.widgets.empty import EmptyState
from reverie_gui.widgets.link import LinkLine
from reverie_gui.widgets.markdown_view import MarkdownView, hard_breaks
from reverie_gui.widgets.marks import spans
from reverie_gui.widgets.row_delegate import broken
from reverie_gui.widgets.toast import ToastView


def holder(qtbot: QtBot, widget: QWidget) -> QWidget:
    window = QWidget()
    QVBoxLayout(window).addWidget(widget)
    window.resize(600, 400)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    return window


def test_tags_are_added_and_taken_back(theme: Theme, qtbot: QtBot) -> None:
    chips = TagChips(theme)
    window = holder(qtbot, chips)
    chips.set_tags(["one"])
    told: list[list[str]] = []
    chips.changed.connect(told.append)
    qtbot.keyClicks(chips.entry, "two,three")
    qtbot.keyClick(chips.entry, Qt.Key.Key_Return)
    assert told[-1] == ["one", "two", "three"]
    qtbot.keyClicks(chips.entry, "ONE,")
    assert chips.tags() == ["one", "two", "three"]
    qtbot.keyClick(chips.entry, Qt.Key.Key_Backspace)
    assert told[-1] == ["one", "two"]
    window.close()


def test_an_editor_saves_by_itself_and_on_leaving(qtbot: QtBot) -> None:
    editor = BodyEditor()
    window = holder(qtbot, editor)
    editor.begin("old")
    saved: list[str] = []
    editor.saved.connect(saved.append)
    editor.setFocus()
    qtbot.keyClicks(editor, "er ")
    assert saved == []
    qtbot.waitUntil(lambda: saved == ["er old"], timeout=2000)
    qtbot.keyClicks(editor, "x")
    with qtbot.waitSignal(editor.left):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert saved[-1] == "er xold"
    editor.setPlainText("   ")
    editor.finish()
    assert len(saved) == 2  # an empty text is not stored
    window.close()


def test_markdown_shows_html_as_text_and_loads_nothing(theme: Theme, qtbot: QtBot) -> None:
    view = MarkdownView(theme)
    window = holder(qtbot, view)
    view.set_text(
        "**bold** <script>alert(1)</script> ![x](https://example.org/x.png) [a](javascript:b) [c](https://d.e)"
    )
    assert "<script>" in view.toPlainText()
    followed: list[str] = []
    view.link_clicked.connect(followed.append)
    for address in ("javascript:b", "file:/a/b", "https://d.e"):
        view.anchorClicked.emit(address)
    assert followed == ["https://d.e"]
    window.close()


LONG = "We walked to the tarn and back, slowly, with the two"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\n\nc", "a\u2028b\n\nc"),
        ("milk\nbread", "milk\u2028bread"),
        (f"{LONG}\nsticks.", f"{LONG} sticks."),
        (f"{LONG}.\nsticks", f"{LONG}.\u2028sticks"),
        (f"{LONG}\nSticks", f"{LONG}\u2028Sticks"),
        (f"{LONG}  \nsticks", f"{LONG}\u2028sticks"),
        ("- a\n- b", "- a\n- b"),
        ("a\n- b", "a\n- b"),
        ("a\n1. b", "a\n1. b"),
        ("a\n> b", "a\n> b"),
        ("a\n---", "a\n---"),
        ("# a\nb", "# a\nb"),
        ("| a |\n| b |", "| a |\n| b |"),
        ("```\na\nb\n```", "```\na\nb\n```"),
    ],
)
def test_lines_stay_as_they_were_written_and_wrapped_ones_are_joined(text: str, shown: str) -> None:
    assert hard_breaks(text) == shown


def test_lines_of_a_paragraph_stand_under_one_another_without_a_gap(theme: Theme, qtbot: QtBot) -> None:
    view = MarkdownView(theme)
    qtbot.addWidget(view)
    view.set_text("one\ntwo\n\nthree")
    assert view.document().blockCount() == 2
    assert view.toPlainText() == "one\ntwo\nthree"


def test_marks_begin_at_words() -> None:
    assert spans("Berlin office, overberlin", ("berlin",)) == [(0, 6)]
    assert spans("a.b (c)", ("a.b", "(")) == [(0, 3), (4, 5)]
    assert spans("text", ()) == []


def test_a_toast_has_one_action(qtbot: QtBot) -> None:
    area = QWidget()
    area.resize(600, 400)
    qtbot.addWidget(area)
    toast = ToastView(area)
    toast.motion = False
    area.show()
    done: list[int] = []
    toast.show_toast("Memory deleted", "Undo", lambda: done.append(1))
    assert toast.text() == "Memory deleted"
    assert area.rect().contains(toast.geometry())
    toast.show_toast("Two memories deleted", "Undo", lambda: done.append(2))
    qtbot.mouseClick(toast._button, Qt.MouseButton.LeftButton)
    assert done == [2]
    assert toast.text() == ""
    area.close()


def test_a_banner_stays_until_it_is_answered(theme: Theme, qtbot: QtBot) -> None:
    banner = BannerView(theme)
    window = holder(qtbot, banner)
    done: list[int] = []
    banner.show_banner("The file is empty", "report.pdf", action="Try again", act=lambda: done.append(1))
    assert banner.title() == "The file is empty"
    qtbot.mouseClick(banner._button, Qt.MouseButton.LeftButton)
    assert done == [1]
    assert banner.title() == ""
    window.close()


def test_a_category_is_told_when_it_is_another(qtbot: QtBot) -> None:
    field = CategoryField()
    window = holder(qtbot, field)
    field.set_category("work")
    told: list[str] = []
    field.chosen.connect(told.append)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert told == []
    qtbot.keyClicks(field, "/x")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert told == ["work/x"]
    window.close()


def test_an_empty_state_offers_one_step(qtbot: QtBot) -> None:
    empty = EmptyState()
    window = holder(qtbot, empty)
    done: list[int] = []
    empty.say("No memories yet", "Write one.", "New memory", lambda: done.append(1))
    qtbot.mouseClick(empty._button, Qt.MouseButton.LeftButton)
    assert done == [1]
    assert "No memories yet" in empty.accessibleName()
    empty.say("Nothing")
    assert empty._button.isHidden()
    window.close()


def test_a_title_with_nothing_under_it_goes_on_in_the_second_line(theme: Theme) -> None:
    face = font("base_medium")
    width = QFontMetrics(face).horizontalAdvance("The invoices go to Rosa before")
    whole = "The invoices go to Rosa before the end of each month"
    assert broken("The invoices", face, width) == ("The invoices", "")
    first, rest = broken(whole, face, width)
    assert f"{first} {rest}" == whole
    assert QFontMetrics(face).horizontalAdvance(first) <= width
    assert broken("Donaudampfschifffahrtsgesellschaft" * 3, face, 50)[1] == ""


def test_an_ampersand_in_a_link_is_shown_and_underlines_nothing(qtbot: QtBot) -> None:
    link = LinkLine("Stroud & Daughters", lambda: None)
    qtbot.addWidget(link)
    assert link.text() == "Stroud && Daughters"
    link.resize(400, 20)
    link.set_text("Bed & Breakfast")
    assert link.text() == "Bed && Breakfast"
    assert link.accessibleName() == "Bed & Breakfast"


def test_the_line_around_what_has_the_focus_stays_inside(qtbot: QtBot) -> None:
    """Antialiased, too: a row's neighbour is not painted again when the focus goes."""
    image = QImage(60, 40, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRect(10, 10, 40, 20)
    paint_focus(painter, rect, "#2040C0")
    painter.end()
    inked = {(x, y) for x in range(60) for y in range(40) if image.pixelColor(x, y).alpha()}
    assert inked
    assert all(rect.contains(x, y) for x, y in inked)
