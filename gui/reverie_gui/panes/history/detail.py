"""One change: what it did to each row, and the two ways to take it back."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from reverie.domain.text import shorten
from reverie.errors import Conflict, NotFound
from reverie.i18n import ngettext
from reverie_gui.context import Context
from reverie_gui.operations.history import undo_change, undo_to
from reverie_gui.panes.history.diffs import ChangeDetail, FieldDiff, RowDiff, load_detail
from reverie_gui.panes.history.lines import Line
from reverie_gui.panes.history.text_diff import text_diff
from reverie_gui.panes.memories.text import title
from reverie_gui.theme.tokens import S3, SIZES
from reverie_gui.widgets.ask_panel import AskPanel
from reverie_gui.widgets.detail_page import DetailPage
from reverie_gui.widgets.link import unkeyed
from reverie_gui.widgets.looks import button, column, hairline, label, row, set_look, shrinkable
from reverie_gui.wording import author_word, clock, day, exact, number

_NAME = 160  # characters of a title
_ROWS = 25  # of a change, shown at first and with each "more"


class ChangeView(DetailPage):
    """Signals: ``memory_wanted(str)``, ``pane_wanted(str id, str query)`` links that were followed."""

    memory_wanted = Signal(str)
    pane_wanted = Signal(str, str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._line: Line | None = None
        self._shown: ChangeDetail | None = None
        self._limit = _ROWS
        self.title = label(style="title", wrap=True, select=True)
        self.when = label(style="base", look="meta", wrap=True)
        self.undo = button(self.tr("Undo this"), self._undo)
        self.undo_to = button(self.tr("Undo to here…"), self.ask_undo_to)
        self.undo_to.setToolTip(self.tr("Takes back all that came after this change"))
        self.note = label(style="meta", look="faint")
        self.question = AskPanel()
        self.problem = _Problem()
        self.problem.memory_wanted.connect(self.memory_wanted)
        self.rows = QWidget()
        self._rows_layout = column(gap=0)
        self.rows.setLayout(self._rows_layout)
        acts = row(self.undo, self.undo_to, self.note, -1, gap=8)
        for part in (self.title, 4, self.when, 12, acts, 8, self.question, self.problem, 12, self.rows):
            if isinstance(part, QWidget):
                self.content.addWidget(part)
            elif isinstance(part, int):
                self.content.addSpacing(part)
            else:
                self.content.addLayout(part)
        self.content.addStretch(1)

    @property
    def line(self) -> Line | None:
        return self._line

    def show_line(self, line: Line) -> None:
        """Shows a change; the same one again refreshes its state."""
        same = self._line is not None and self._line.id == line.id
        if same and line == self._line:
            return
        self._line = line
        self.title.setText(line.text)
        self.when.setText(
            self.tr("{day}, {time} · {who}").format(
                day=day(line.at), time=clock(line.at), who=author_word(line.author)
            )
        )
        self.when.setToolTip(exact(line.at))
        again = line.kind == "undo"
        self.undo.setText(self.tr("Redo this") if again else self.tr("Undo this"))
        self.undo.setEnabled(not line.undone and line.rows > 0)
        self.undo.setToolTip(self._why_not(line))
        self.note.setText(self.tr("undone") if line.undone else "")
        self.question.withdraw()
        self.problem.hide()
        if not same:
            self._limit = _ROWS
            self._shown = None
            self.to_top()
            self._set_rows([])
            self._load()

    def _why_not(self, line: Line) -> str:
        if line.undone:
            return self.tr("This change was taken back already")
        if not line.rows:
            return self.tr("Nothing of it is left that could be taken back")
        return self.tr("Takes back this change alone")

    # Rows.

    def _load(self) -> None:
        context, line, limit = self._context, self._line, self._limit
        if line is None:
            return
        context.tasks.run(
            lambda _task: load_detail(context, line.id, limit),
            on_done=self._show_detail,
            on_failed=self._failed,
            channel="history/detail",
            owner=self,
        )

    def _show_detail(self, detail: ChangeDetail) -> None:
        if self._line is None or detail.line.id != self._line.id:
            return
        self._shown = detail
        made: list[QWidget] = []
        for place, each in enumerate(detail.rows):
            if place:
                made.append(_gap_line())
            made.append(self._row(each))
        made += [_note(text) for text in detail.notes]
        left = detail.total - len(detail.rows)
        if left > 0:
            words = ngettext("Show {n} more row", "Show {n} more rows", left)
            made.append(_left(button(words.format(n=number(left)), self._more, "link")))
        if not made:
            made.append(_note(self.tr("Nothing is kept of what this changed.")))
        self._set_rows(made)

    def _more(self) -> None:
        self._limit += 4 * _ROWS
        self._load()

    def _set_rows(self, rows: Iterable[QWidget]) -> None:
        while self._rows_layout.count():
            item = self._rows_layout.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for widget in rows:
            self._rows_layout.addWidget(widget)

    def _row(self, each: RowDiff) -> QWidget:
        parts = column(gap=4)
        name = " ".join(each.title.split())
        head = row(label(each.what, "meta", "meta"), -1)
        if each.memory or each.insight:
            link = button(self.tr("Open"), lambda: self._open(each), "link")
            link.setAccessibleName(self.tr("Open {name}").format(name=name))
            head.addWidget(link)
        parts.addLayout(head)
        if name and not any(field.column == "content" for field in each.fields):
            parts.addWidget(label(shorten(name, _NAME), "base_medium", wrap=True, select=True))
        for field in each.fields:
            parts.addWidget(self._field(field))
        made = QWidget()
        made.setLayout(parts)
        made.setAccessibleName(f"{each.what}: {name}")
        return made

    def _field(self, each: FieldDiff) -> QWidget:
        if each.lines:
            diff = text_diff(self._context.theme, list(each.lines), each.title)
            if each.column == "content":
                return diff
            made = QWidget()
            made.setLayout(column(label(each.title, "base", "label"), diff, gap=4))
            return made
        head = label(each.title, "base", "label")
        head.setFixedWidth(SIZES.label_column)
        if each.before is None or each.after is None:
            words = each.after if each.before is None else each.before
        else:
            words = self.tr("{before} → {after}").format(before=each.before, after=each.after)
        value = label(words or "", "base", wrap=True, select=True)
        value.setAccessibleName(f"{each.title}: {words}")
        line = row(head)
        line.addWidget(value, 1)
        line.setAlignment(head, Qt.AlignmentFlag.AlignTop)
        made = QWidget()
        made.setLayout(line)
        return made

    def _open(self, each: RowDiff) -> None:
        if each.memory:
            self.memory_wanted.emit(each.memory)
        else:
            self.pane_wanted.emit("insights", each.insight)

    # Taking back.

    def undo_this(self) -> None:
        """As the button."""
        if self.undo.isEnabled():
            self._undo()

    def _undo(self) -> None:
        if self._line is not None:
            self.problem.hide()
            undo_change(context=self._context, changeset=self._line.id, on_failed=self._failed)

    def ask_undo_to(self) -> None:
        context, line = self._context, self._line
        if line is None:
            return
        self.problem.hide()
        context.tasks.run(
            lambda _task: context.vault.history.preview_to(line.id),
            on_done=lambda count: self._asked(line, count),
            channel="history/preview",
            owner=self,
        )

    def _asked(self, line: Line, count: int) -> None:
        if self._line is None or self._line.id != line.id:
            return
        if not count:
            self.problem.say(self.tr("Nothing came after this change that still stands."), [])
            return
        title = ngettext("Takes back {n} change", "Takes back {n} changes", count).format(n=number(count))
        verb = ngettext("Undo {n} change", "Undo {n} changes", count).format(n=number(count))
        text = self.tr(
            "All that came after this one, whoever did it. The vault is then as it was on {day} at {time};"
            " this can itself be undone."
        ).format(day=day(line.at), time=clock(line.at))
        self.question.ask(title, text, verb, lambda: self._undo_to(line))

    def _undo_to(self, line: Line) -> None:
        undo_to(context=self._context, changeset=line.id, on_failed=self._failed)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, Conflict) and error.rows:
            context, rows = self._context, error.rows
            context.tasks.run(
                lambda _task: _named_rows(context, rows),
                on_done=lambda named: self.problem.say(str(error), named),
                channel="history/conflict",
                owner=self,
            )
        elif isinstance(error, (Conflict, NotFound)):
            self.problem.say(str(error), [])
        else:
            banner = self._context.notices.worded(error)
            self.problem.say(
                " ".join(part for part in (banner.title, banner.detail, banner.hint) if part), []
            )


class _Problem(QFrame):
    """Why something could not be taken back, with the rows that stand in the way."""

    memory_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        set_look(self, "banner")
        self.text = label(style="base", wrap=True)
        self._rows = column(gap=2)
        self.setLayout(column(self.text, self._rows, margins=(16, 12, 16, 12), gap=4))
        self.hide()

    def say(self, text: str, rows: list[tuple[str, str]]) -> None:
        """``rows`` are (words, memory id or "")."""
        self.text.setText(text)
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.deleteLater()
        for words, memory in rows:
            if memory:
                link = button(unkeyed(words), partial(self.memory_wanted.emit, memory), "link")
                self._rows.addWidget(shrinkable(link))
            else:
                self._rows.addWidget(label(words, "base", wrap=True))
        self.setAccessibleName(text)
        self.show()


_NAMED = 12


def _named_rows(context: Context, rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """On a worker: the rows of a conflict by their titles."""
    rows = list(rows)
    ids = [each for table, each in rows if table == "memories"]
    titles = {str(memory.id): title(memory) for memory in context.vault.memories.get_many(ids)}
    insights = [each for table, each in rows if table == "insights"]
    claims = {str(each.id): each.content for each in context.vault.insights.get_many(insights)}
    found = []
    for table, each in rows[:_NAMED]:
        if table == "memories":
            found.append((titles.get(each) or each, each if each in titles else ""))
        else:
            found.append((claims.get(each) or f"{table.replace('_', ' ')}: {each}", ""))
    if len(rows) > _NAMED:
        more = len(rows) - _NAMED
        words = ngettext("and {n} more row", "and {n} more rows", more).format(n=number(more))
        found.append((words, ""))
    return found


def _left(widget: QWidget) -> QWidget:
    made = QWidget()
    made.setLayout(row(widget, -1, margins=(0, 12, 0, 0)))
    return made


def _note(text: str) -> QWidget:
    made = label(text, "base", "faint", wrap=True)
    made.setContentsMargins(0, S3, 0, 0)
    return made


def _gap_line() -> QWidget:
    made = QWidget()
    made.setLayout(column(12, hairline(), 12))
    return made
