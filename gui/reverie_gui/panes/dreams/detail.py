"""A step of a dream: why, what became of it, and the difference that it makes."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from reverie.domain.dream import Decision, Proposal, ProposalKind
from reverie_gui.context import Context
from reverie_gui.panes.dreams.loading import SourceView, StepView, load_step
from reverie_gui.panes.dreams.words import decision_tone, decision_word, kind_title, note_line, step_title
from reverie_gui.panes.memories.text import title
from reverie_gui.theme.fonts import scaled
from reverie_gui.theme.tokens import S6, SIZES
from reverie_gui.widgets.detail_page import DetailPage, Section
from reverie_gui.widgets.diff_view import DiffView
from reverie_gui.widgets.link import LinkLine
from reverie_gui.widgets.looks import button, column, label, row
from reverie_gui.widgets.tones import set_tone
from reverie_gui.wording import exact, long_date, memories

_WIDEST = 1040  # pixels: two columns of text
_BESIDE = 560  # pixels from which sources and result stand beside one another
_SEEN_SHOWN = 60  # rows of memories that a consolidation names


class StepDetail(DetailPage):
    """Signals: ``memory_wanted(str)``, ``insight_wanted(str)``: links that were followed."""

    memory_wanted = Signal(str)
    insight_wanted = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._step: Proposal | None = None
        self._view: StepView | None = None
        self._run_undone = False
        self._build()
        self.content.addStretch(1)

    # Building.

    def _build(self) -> None:
        self.kind = label(style="meta_strong", look="meta")
        self.decision = label(style="meta_strong", look="meta")
        self.name = label(style="title", wrap=True, select=True)
        self.why = label(style="body", wrap=True, select=True)
        self.note = label(style="base", look="warn", wrap=True, select=True)
        self.content.addLayout(row(self.kind, -1, self.decision, gap=8))
        texts = QWidget()
        texts.setLayout(column(self.name, self.why, self.note, margins=(0, 4, 0, 0), gap=4))
        texts.setMaximumWidth(scaled(SIZES.text_column))
        across = row()
        across.addWidget(texts, 100)
        across.addStretch(1)
        self.content.addLayout(across)
        self.sources = _Part()
        self.result = _Part()
        self._beside = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._beside.setContentsMargins(0, 16, 0, 0)
        self._beside.setSpacing(S6)
        self._beside.addWidget(self.sources, 1)
        self._beside.addWidget(self.result, 1)
        self.content.addLayout(self._beside)
        self.fields = Section(self.tr("Other changes"))
        self.content.addWidget(self.fields)

    def restyle(self) -> None:
        self.column.setMaximumWidth(scaled(_WIDEST))  # sources and result beside one another

    # Showing.

    @property
    def step(self) -> Proposal | None:
        return self._step

    def show_step(self, step: Proposal, *, undone: bool) -> None:
        """``undone``: the dream has been taken back as a whole."""
        same = self._step is not None and self._step.id == step.id
        if same and self._step == step and undone == self._run_undone:
            return
        self._step, self._run_undone = step, undone
        self.kind.setText(kind_title(step.kind))
        self.name.setText(step_title(step))
        self.why.setText(step.why)
        self.why.setVisible(bool(step.why))
        self.note.setText(note_line(step))
        self.note.setVisible(bool(step.note))
        taken_back = undone and step.decision is Decision.APPLIED
        self.decision.setText(self.tr("Undone") if taken_back else decision_word(step.decision))
        set_tone(self.decision, "meta" if taken_back else decision_tone(step.decision))
        if not same:
            self._view = None
            for part in (self.sources, self.result):
                part.clear()
            self.fields.set_rows(())
            self.to_top()
        self._context.tasks.run(
            lambda _task: load_step(self._context, step),
            on_done=self._fill,
            channel="dreams/step",
            owner=self,
        )

    def view(self) -> StepView | None:
        """What is shown, once it has been compared."""
        return self._view

    def _fill(self, view: StepView) -> None:
        if self._step is None or view.step.id != self._step.id or view == self._view:
            return
        self._view = view
        if view.step.kind is ProposalKind.CONSOLIDATE:
            self._fill_seen(view)
        else:
            self._fill_sources(view)
            self._fill_result(view)
        self.fields.set_rows(self._field_row(*each) for each in self._field_texts(view))
        self._arrange()

    def _fill_seen(self, view: StepView) -> None:
        self.result.clear()
        self.sources.start(
            self.tr("Looked at"),
            self.tr(
                "Nothing in them was changed. They count as seen: the next dream begins with newer ones."
            ),
        )
        for source in view.sources[:_SEEN_SHOWN]:
            self.sources.add(self._link(source))
        if len(view.sources) > _SEEN_SHOWN:
            self.sources.add(
                label(
                    self.tr("and {more}").format(more=memories(len(view.sources) - _SEEN_SHOWN)),
                    "meta",
                    "faint",
                )
            )

    def _fill_sources(self, view: StepView) -> None:
        merge = view.step.kind is ProposalKind.MERGE
        self.sources.start(self.tr("From"))
        for source in view.sources[: len(view.sources) - view.more]:
            self.sources.add(self._source(source, merge=merge))
        if view.more:
            more = self.tr("and {more} more of the same kind").format(more=memories(view.more))
            self.sources.add(label(more, "meta", "faint"))

    def _fill_result(self, view: StepView) -> None:
        applied = view.step.decision is Decision.APPLIED
        if view.step.kind is ProposalKind.MERGE:
            words = self.tr("Result") if applied else self.tr("Would have become")
        else:
            words = self.tr("New insight") if applied else self.tr("Would have said")
        self.result.start(words)
        shown = DiffView(self._context.theme)
        shown.setAccessibleName(words)
        shown.show_lines(view.result, dict(view.notes))
        self.result.add(shown)
        made = str(view.step.after.get("id") or "")
        if view.exists and view.step.kind is ProposalKind.MERGE:
            self.result.add(
                _left(button(self.tr("Open in Memories"), lambda: self.memory_wanted.emit(made), "link"))
            )
        elif view.exists:
            self.result.add(
                _left(button(self.tr("Open in Insights"), lambda: self.insight_wanted.emit(made), "link"))
            )

    def _source(self, source: SourceView, *, merge: bool) -> QWidget:
        lines = column(self._link(source), gap=2)
        if source.memory is None or not merge:
            pass
        elif source.lines:
            shown = DiffView(self._context.theme)
            shown.setAccessibleName(self.tr("How memory {n} differs from the result").format(n=source.number))
            shown.show_lines(source.lines)
            lines.addWidget(shown)
        else:
            same = label(self.tr("The same text, word for word"), "meta", "faint")
            same.setIndent(scaled(24))
            lines.addWidget(same)
        holder = QWidget()
        holder.setLayout(lines)
        return holder

    def _link(self, source: SourceView) -> QWidget:
        number = label(str(source.number), "meta_strong", "faint")
        number.setFixedWidth(scaled(20))
        line = row(number, gap=4)
        if source.memory is None:
            gone = label(self.tr("A memory that is no longer in the vault"), "base", "faint")
            line.addWidget(gone, 1)
        else:
            words = title(source.memory) or self.tr("(empty)")
            line.addWidget(LinkLine(words, lambda: self.memory_wanted.emit(source.id)), 1)
            date = label(long_date(source.memory.created_at), "meta", "faint")
            date.setToolTip(exact(source.memory.created_at))
            line.addWidget(date)
        holder = QWidget()
        holder.setLayout(line)
        return holder

    def _field_texts(self, view: StepView) -> list[tuple[str, str]]:
        rows = []
        for each in view.fields:
            change = f"{each.before} → {each.after}" if each.before else f"+ {each.after}"
            rows.append((each.name, f"{change} ({each.note})" if each.note else change))
        return rows

    def _field_row(self, name: str, text: str) -> QWidget:
        head = label(name, "base", "label")
        head.setFixedWidth(scaled(SIZES.label_column))
        value = label(text, "base", wrap=True, select=True)
        line = row(head, gap=0)
        line.addWidget(value, 1)
        holder = QWidget()
        holder.setLayout(line)
        return holder

    # Sizes.

    def _arrange(self) -> None:
        two = self._view is not None and self._view.step.kind is ProposalKind.MERGE
        beside = two and self.column.width() >= scaled(_BESIDE)
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._beside.direction() != way:
            self._beside.setDirection(way)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


class _Part(QWidget):
    """A heading over what is put in anew each time."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = column(gap=8)
        self.setLayout(self._layout)
        self.hide()

    def start(self, heading: str, sentence: str = "") -> None:
        self.clear()
        self._layout.addWidget(label(heading.upper(), "caps", "caps"))
        if sentence:
            self._layout.addWidget(label(sentence, "base", "meta", wrap=True))
        self._layout.addStretch(1)
        self.setAccessibleName(heading)
        self.show()

    def add(self, part: QWidget) -> None:
        self._layout.insertWidget(self._layout.count() - 1, part)

    def clear(self) -> None:
        while self._layout.count():
            item = self._layout.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.hide()


def _left(widget: QWidget) -> QWidget:
    holder = QWidget()
    holder.setLayout(row(widget, -1))
    return holder
