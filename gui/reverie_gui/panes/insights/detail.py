"""One insight: the claim, and the memories that it stands on."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from reverie.domain.dream import DreamRun
from reverie.domain.insight import Insight
from reverie.domain.memory import State
from reverie.errors import NotFound
from reverie_gui.context import Context
from reverie_gui.models.id_list_model import IdListModel
from reverie_gui.operations.insights import restore_insights, trash_insights
from reverie_gui.panes.insights.claims import Claim, heading, rest, span
from reverie_gui.panes.memories.row import describe, looks
from reverie_gui.theme.icons import icon
from reverie_gui.theme.shapes import kind_icon
from reverie_gui.theme.tokens import S2
from reverie_gui.widgets.detail_page import DetailPage, Facts
from reverie_gui.widgets.looks import button, label, row, tool
from reverie_gui.widgets.markdown_view import MarkdownView
from reverie_gui.widgets.memory_rows import MemoryRows
from reverie_gui.widgets.row_delegate import RowDelegate
from reverie_gui.wording import ago, clock, exact, kind_word, long_date, memories


class InsightDetail(DetailPage):
    """Signals: ``memory_wanted(str)``, ``pane_wanted(str id, str query)`` links that were followed."""

    memory_wanted = Signal(str)
    pane_wanted = Signal(str, str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._claim: Claim | None = None
        self._build_head()
        self._build_evidence()
        self._build_facts()
        self.content.addStretch(1)
        context.theme.changed.connect(self._paint)
        self._paint()

    # Building.

    def _build_head(self) -> None:
        self.shape = label()
        self.kind = label(kind_word("insight"), "meta_strong")
        self.state = label(self.tr("in the trash"), "meta", "faint")
        self.restore = button(self.tr("Restore"), self._restore, tip=self.tr("Restore (R)"))
        self.bin = tool(self.tr("Delete (Del): its memories stay"), self._trash)
        self.content.addLayout(row(self.shape, self.kind, self.state, -1, self.restore, self.bin, gap=6))
        self.heading = label(style="title", wrap=True, select=True)
        self.rest = MarkdownView(self._context.theme)
        self.content.addWidget(self.heading)
        self.content.addSpacing(8)
        self.content.addWidget(self.rest)

    def _build_evidence(self) -> None:
        context = self._context
        self.model = IdListModel(
            context.tasks,
            lambda ids: context.vault.memories.get_many(ids),
            lambda memory: memory.id,
            describe,
            self,
        )
        self.stands_on = label(style="caps", look="caps")
        delegate = RowDelegate(context.theme, looks(dict, tuple))
        self.evidence = MemoryRows(self.model, delegate)
        self.evidence.setAccessibleName(self.tr("Memories that it stands on"))
        self.evidence.chosen.connect(self.memory_wanted)
        self.content.addSpacing(24)
        self.content.addWidget(self.stands_on)
        self.content.addSpacing(4)
        self.content.addWidget(self.evidence)

    def _build_facts(self) -> None:
        self.facts = Facts()
        self.found = label(style="base", select=True)
        self.run = button("", self._open_run, "link", self.tr("Show the dream in Dreams"))
        self.kb = label(style="base", select=True)
        self.importance = label(style="base", select=True)
        self.id = label(style="mono", select=True)
        self.copy = tool(self.tr("Copy id"), self._copy_id)
        for name, head, value in (
            ("found", self.tr("Found"), self.found),
            ("run", self.tr("Dream"), _left(self.run)),
            ("kb", self.tr("Base"), self.kb),
            ("importance", self.tr("Importance"), self.importance),
            ("id", self.tr("Id"), _left(self.id, self.copy)),
        ):
            self.facts.add(name, head, value)
        self.content.addSpacing(24)
        self.content.addWidget(self.facts)

    # Showing.

    @property
    def insight(self) -> Insight | None:
        return self._claim.insight if self._claim else None

    def show_claim(self, claim: Claim) -> None:
        """Shows an insight; the same one again refreshes what changed."""
        same = self._claim is not None and self._claim.insight.id == claim.insight.id
        self._claim = claim
        insight = claim.insight
        trashed = insight.state is State.TRASHED
        self.heading.setText(heading(insight))
        self.rest.set_text(rest(insight).replace("\n", "\n\n"))
        self.rest.setVisible(bool(rest(insight)))
        self.state.setVisible(trashed)
        self.restore.setVisible(trashed)
        self.bin.setVisible(not trashed)
        count = len(insight.sources)
        words = self.tr("Stands on {memories}").format(memories=memories(count))
        if claim.first is not None and claim.last is not None:
            words = self.tr("{basis}, {span}").format(basis=words, span=span(claim.first, claim.last))
        self.stands_on.setText(words.upper())
        self.stands_on.setVisible(count > 0)
        self.evidence.set_ids(insight.sources)
        self.evidence.setVisible(count > 0)
        self.model.refresh()
        self._fill_facts(insight)
        if not same:
            self.to_top()
            self._load_run(insight)

    def refresh_memories(self) -> None:
        """The memories that it stands on may have changed."""
        self.model.refresh()

    def _fill_facts(self, insight: Insight) -> None:
        self.found.setText(ago(insight.created_at))
        self.found.setToolTip(exact(insight.created_at))
        self.kb.setText(insight.kb)
        self.importance.setText(f"{insight.importance:.2f}")
        self.id.setText(insight.id)

    def _load_run(self, insight: Insight) -> None:
        context, run = self._context, insight.run
        self.facts.show_row("run", run is not None)
        if run is None:
            return
        self.run.setText(run)
        self.run.setEnabled(False)

        def work(_task: object) -> DreamRun | None:
            try:
                return context.vault.dreams.get(run)
            except NotFound:
                return None

        context.tasks.run(work, on_done=self._show_run, channel="insight/run", owner=self)

    def _show_run(self, run: DreamRun | None) -> None:
        self.run.setEnabled(run is not None)
        if run is not None:
            at = run.started_at
            words = self.tr("{date} at {time}").format(date=long_date(at), time=clock(at))
            self.run.setText(words)

    def _paint(self) -> None:
        look = self._context.theme.palette
        self.shape.setPixmap(kind_icon("insight", look.kinds["insight"]).pixmap(12, 12))
        self.kind.setStyleSheet(f"color: {look.kinds['insight']};")
        self.bin.setIcon(icon("trash", look.text_2))
        self.copy.setIcon(icon("copy", look.text_2))

    # Acting.

    def _open_run(self) -> None:
        if self._claim is not None and self._claim.insight.run is not None:
            self.pane_wanted.emit("dreams", self._claim.insight.run)

    def _copy_id(self) -> None:
        if self._claim is not None:
            QGuiApplication.clipboard().setText(self._claim.insight.id)
            self._context.notices.toast(self.tr("Id copied"))

    def _trash(self) -> None:
        if self._claim is not None:
            trash_insights(context=self._context, insights=[self._claim.insight.id])

    def _restore(self) -> None:
        if self._claim is not None:
            restore_insights(context=self._context, insights=[self._claim.insight.id])


def _left(*items: QWidget) -> QWidget:
    made = QWidget()
    made.setLayout(row(*items, -1, gap=S2))
    return made
