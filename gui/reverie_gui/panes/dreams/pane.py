"""Dreams: the runs, the steps of one, and the difference that a step makes.

In this first form a dream applies its steps at once, as one changeset; it is looked at afterwards, and undone as a whole.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QPoint
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from reverie.domain.dream import Decision, DreamRun, Proposal, ProposalKind, RunState
from reverie_gui.bridge.changes import Changed
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.models.id_list_model import IdListModel
from reverie_gui.models.tree_model import Node
from reverie_gui.operations.dreams import dream_now, dreaming, undo_dream
from reverie_gui.panes.base import Pane, Primary, matching
from reverie_gui.panes.dreams.detail import StepDetail
from reverie_gui.panes.dreams.head import RunHead
from reverie_gui.panes.dreams.loading import Steps, load_run_views, load_steps
from reverie_gui.panes.dreams.words import (
    KINDS,
    RunView,
    decision_word,
    describe_run,
    describe_step,
    kind_title,
    run_look,
    runs_in_words,
    step_look,
    steps_in_words,
)
from reverie_gui.panes.reloading import Reloading
from reverie_gui.widgets.empty import EmptyState
from reverie_gui.widgets.grouped_list import GroupedDelegate, GroupedList, GroupedModel
from reverie_gui.widgets.hints import KeyHints
from reverie_gui.widgets.list_and_detail import ListAndDetail
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.looks import column, frame, label, row, shrinkable
from reverie_gui.widgets.query_words import signs
from reverie_gui.widgets.row_delegate import RowDelegate

_LIST = 400  # pixels: the diff needs the room more
_RUNS_SHOWN = 4  # rows: more scroll


class DreamsPane(Pane):
    tables: ClassVar[tuple[str, ...]] = ("dream_runs", "proposals", "memories", "insights")
    searches: ClassVar[bool] = True
    placeholder: ClassVar[str] = str(QT_TRANSLATE_NOOP("DreamsPane", "Find a step of this dream, Ctrl+F"))
    examples: ClassVar[tuple[str, ...] | None] = ("kind:insight", "kind:merge", "is:vetoed")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._kb = context.settings.text("kb") or None
        self._query = ""
        self._runs: Mapping[str, DreamRun] = {}
        self._loaded = False
        self._steps: Steps | None = None
        self._wanted_run = ""
        self._task: Task[DreamRun] | None = dreaming(context.tasks)
        self._reload = Reloading(context, self._begin_load, self._show_runs, self)
        self.runs_model = IdListModel(
            context.tasks, self._fetch_runs, lambda view: view.id, describe_run, self
        )
        self.runs_model.loaded.connect(self._show_head)
        self.model = GroupedModel(context.tasks, self._fetch_steps, lambda step: step.id, describe_step, self)
        self.model.loaded.connect(self._show_selected)
        self._build()
        context.tasks.reported.connect(self._progressed)
        context.theme.changed.connect(self._fit_runs)

    # Building.

    def _build(self) -> None:
        theme, settings = self.context.theme, self.context.settings
        runs_look = RowDelegate(theme, lambda view: run_look(view, self._task))
        self.runs: ListView = ListView(self.runs_model, runs_look)
        self.runs.setSelectionMode(ListView.SelectionMode.SingleSelection)
        self.runs.setAccessibleName(self.tr("Dreams"))
        self.runs.picked.connect(self._run_picked)
        self.runs.opened.connect(lambda _run: self.list.setFocus())
        self.runs.left_up.connect(self.search_wanted)
        self.runs.menu_wanted.connect(self._run_menu)
        self.list: GroupedList = GroupedList(self.model, GroupedDelegate(theme, step_look))
        self.list.setSelectionMode(ListView.SelectionMode.SingleSelection)
        self.list.setAccessibleName(self.tr("Steps"))
        self.list.picked.connect(lambda _ids: self._show_selected())
        self.list.opened.connect(self._opened)
        self.list.left_up.connect(self.runs.setFocus)
        for part in (self.runs, self.list):
            part.set_compact(settings.compact)
            part.on_key("U", self.undo)
        left = self._build_left()
        self.columns = ListAndDetail("dreams", left, self._build_right(), theme, settings, _LIST)
        self.body.addWidget(self.columns, 1)
        self.setFocusProxy(self.list)

    def _build_left(self) -> QWidget:
        self.count = label(style="meta", look="meta")
        self.step_count = label(style="meta", look="meta")
        for part in (self.count, self.step_count):
            shrinkable(part)
        head = row(margins=(16, 6, 8, 6), gap=8)
        head.addWidget(self.count, 1)
        steps = row(margins=(16, 6, 8, 6), gap=8)
        steps.addWidget(self.step_count, 1)
        self.problem = label(style="meta", look="error", wrap=True)
        self.problem.setContentsMargins(16, 4, 16, 4)
        self.problem.hide()
        self.none = EmptyState()
        self.below = QStackedWidget()
        self.below.addWidget(self.list)
        self.below.addWidget(self.none)
        lists = column(frame(head, "header"), self.runs, frame(steps, "header"), self.problem)
        lists.addWidget(self.below, 1)
        both = QWidget()
        both.setLayout(lists)
        self.empty = EmptyState()
        self.empty.said.connect(self.primary_changed)
        self.left = QStackedWidget()
        self.left.addWidget(both)
        self.left.addWidget(self.empty)
        self.left.setFocusProxy(self.list)
        self._both = both
        return self.left

    def _build_right(self) -> QWidget:
        self.head = RunHead(self.undo, self._stop)
        self.detail = StepDetail(self.context)
        self.detail.memory_wanted.connect(self.memory_wanted)
        self.detail.insight_wanted.connect(lambda insight: self.pane_wanted.emit("insights", insight))
        self.hints = KeyHints(
            [
                ("J K", self.tr("next, previous")),
                ("Enter", self.tr("from a dream to its steps")),
                ("U", self.tr("undo this dream")),
                ("Ctrl+D", self.tr("dream now")),
            ]
        )
        self.right = QStackedWidget()
        for page in (self.hints, self.detail):
            self.right.addWidget(page)
        whole = QWidget()
        layout = column(self.head)
        layout.addWidget(self.right, 1)
        whole.setLayout(layout)
        return whole

    # What the window asks.

    def primary(self) -> Primary | None:
        if self._task is not None:
            return Primary(self.tr("Stop dreaming"), self._stop, self.tr("Nothing is changed then"))
        return Primary(
            self.tr("Dream now"), self.dream, self.tr("Merge duplicates and look for insights (Ctrl+D)")
        )

    def offers_primary(self) -> bool:
        return self._loaded and not self._runs and self._task is None

    def search(self, query: str) -> None:
        self._query = query
        if not self._loaded:
            self._reload.now()
        else:
            self._load_steps()

    def activated(self) -> None:
        self._tell()

    def refresh(self, changed: Changed) -> None:
        self._reload.soon()

    def focus_list(self) -> None:
        (self.list if self._runs else self.empty).setFocus()

    def escape(self) -> None:
        self.list.clearSelection()

    def complete(self, key: str, prefix: str) -> list[tuple[str, int]]:
        steps = self._steps
        if steps is None:
            return []
        known = {
            "kind": {word: steps.kinds.get(kind, 0) for kind, word in KINDS.items()},
            "is": {decision.value: steps.decisions.get(decision, 0) for decision in Decision},
        }
        return matching(known.get(key, {}), prefix)

    def set_kb(self, kb: str) -> None:
        self._kb = kb or None
        self._reload.now()

    def set_compact(self, compact: bool) -> None:
        self.runs.set_compact(compact)
        self.list.set_compact(compact)
        self._fit_runs()

    def set_narrow(self, narrow: bool) -> None:
        self.columns.set_narrow(narrow)

    def back(self) -> bool:
        return self.columns.back()

    def stops(self) -> list[QWidget]:
        return [self.runs, self.list, self.head.undo]

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [(self.tr("Undo this dream"), "U", self.undo)]

    # Acting.

    def dream(self) -> bool:
        """Lets the chosen knowledge base dream, and shows that dream when it is done."""

        def done(run: DreamRun) -> None:
            self._wanted_run = run.id
            self._reload.now()

        dream_now(context=self.context, kb=self._kb or "default", on_done=done, on_failed=self._tell_failure)
        return True

    def undo(self) -> None:
        """Takes the chosen dream back, all of it."""
        view = self._run_view()
        if view is not None and view.stands:
            self.banner.hide()
            undo_dream(context=self.context, run=view.run, on_failed=self._tell_failure)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _tell_failure(self, error: Exception) -> None:
        self.show_banner(self.context.notices.worded(error))

    # Runs.

    def _begin_load(self) -> Callable[[Task[Any]], list[DreamRun]]:
        vault, kb = self.context.vault, self._kb
        return lambda _task: list(vault.dreams.runs(kb))

    def _fetch_runs(self, ids: list[str]) -> list[RunView]:
        runs = self._runs
        return load_run_views(self.context, [runs[each] for each in ids if each in runs])

    def _show_runs(self, runs: list[DreamRun]) -> None:
        self._loaded = True
        before = self._runs
        self._runs = {run.id: run for run in runs}
        self.runs_model.set_ids(list(self._runs))
        self.runs_model.refresh()
        if self._wanted_run and self.runs.select_ids([self._wanted_run], self._wanted_run):
            self._wanted_run = ""
        elif runs and not self.runs.selected_ids():
            self.runs.select_row(0)
        self.count.setText(runs_in_words(len(runs)))
        self._fit_runs()
        self._show_empty()
        self._show_head()
        chosen = self._run_id()
        if self._steps is None or self._steps.run != chosen or before.get(chosen) != self._runs.get(chosen):
            self._load_steps()
        elif self.detail.step is not None:
            self._show_selected()

    def _fit_runs(self) -> None:
        rows = max(1, min(len(self._runs), _RUNS_SHOWN))
        self.runs.setFixedHeight(rows * max(1, self.runs.sizeHintForRow(0)) if self._runs else 0)

    def _run_id(self) -> str:
        return next(iter(self.runs.selected_ids()), "")

    def _run_view(self) -> RunView | None:
        view: RunView | None = self.runs_model.known(self._run_id())
        return view

    def _run_picked(self, _ids: list[str]) -> None:
        self.banner.hide()
        self._show_head()
        self._load_steps()

    def _show_head(self) -> None:
        view = self._run_view()
        if view is None:
            self.head.hide()
        else:
            self.head.show_run(view, self._task)
            self._show_selected()

    def _show_empty(self) -> None:
        self.left.setCurrentWidget(self._both if self._runs else self.empty)
        self.columns.set_alone(not self._runs)
        if not self._runs:
            self.right.setCurrentWidget(self.hints)
            self.empty.say(
                self.tr("No dreams yet"),
                self.tr(
                    "A dream merges what was told twice and notes what memories say together. "
                    "It is one step, and can be undone."
                ),
                self.tr("Dream now"),
                self.dream,
                primary=True,
            )

    def _progressed(self, task: object) -> None:
        """A task of this window began, got further or ended."""
        now = dreaming(self.context.tasks)
        if now is not self._task:
            self._task = now
            self.primary_changed.emit()
        elif now is not task:
            return
        self.runs.viewport().update()
        view = self._run_view()
        if view is not None and view.run.state is RunState.RUNNING:
            self.head.show_run(view, self._task)

    # Steps.

    def _load_steps(self) -> None:
        run, query, context = self._run_id(), self._query, self.context
        if not run:
            self._show_steps(Steps(""))
            return
        same = self._steps is not None and self._steps.run == run
        state = self._runs[run].state if run in self._runs else RunState.RUNNING
        known = self._steps.steps if same and self._steps and state is not RunState.RUNNING else None
        context.tasks.run(
            lambda _task: load_steps(context, run, query, known),
            on_done=self._show_steps,
            channel="dreams/steps",
            owner=self,
        )

    def _fetch_steps(self, ids: list[str]) -> list[Proposal]:
        steps = self._steps.steps if self._steps else {}
        return [steps[each] for each in ids if each in steps]

    def _show_steps(self, steps: Steps) -> None:
        if steps.run != self._run_id():
            return
        other = self._steps is None or self._steps.run != steps.run
        self._steps = steps
        self.model.set_groups(steps.groups)
        if not self.list.selected_ids() or other:
            self.list.select_row(0)
        strange = ", ".join(steps.narrowing.strange)
        self.problem.setText(
            self.tr("Left out, as it means nothing here: {terms}").format(terms=strange) if strange else ""
        )
        self.problem.setVisible(bool(strange))
        self._show_none(steps)
        self._tell()
        self._show_selected()

    def _show_none(self, steps: Steps) -> None:
        if self.model.count():
            self.below.setCurrentWidget(self.list)
            return
        self.below.setCurrentWidget(self.none)
        self.right.setCurrentWidget(self.hints)
        if steps.steps and steps.narrowing:
            self.none.say(
                self.tr("Nothing matches {query}").format(query=steps.query),
                "",
                self.tr("Clear search"),
                lambda: self.query_wanted.emit(""),
            )
            return
        run = self._runs.get(steps.run)
        if run is None or run.state is RunState.RUNNING:
            self.none.say("", self.tr("Its steps stand here when it is done."))
        elif run.state is RunState.DONE:
            self.none.say("", self.tr("Nothing was said twice, and nothing new came of it."))
        else:
            self.none.say("", self.tr("It ended before it changed anything."))

    def _tell(self) -> None:
        """Facets, counts and the status bar."""
        steps = self._steps
        if steps is None:
            return
        shown, total = steps.shown, len(steps.steps)
        words = steps_in_words(total)
        if shown != total:
            words = self.tr("{shown} of {steps}").format(shown=shown, steps=words)
        self.step_count.setText(words)
        self.status.emit(f"{runs_in_words(len(self._runs))} · {words}" if self._runs else "")
        kinds = Node(self.tr("Kind"))
        for kind, word in KINDS.items():
            shape = "insight" if kind is ProposalKind.INSIGHT else ""
            kinds.add(Node(kind_title(kind), f"kind:{word}", steps.kinds.get(kind, 0), shape))
        decisions = Node(self.tr("Decision"))
        for decision in (Decision.APPLIED, Decision.VETOED, Decision.SKIPPED):
            decisions.add(
                Node(decision_word(decision), f"is:{decision.value}", steps.decisions.get(decision, 0))
            )
        self.facets.emit([kinds, decisions] if steps.steps else [], signs(steps.query))

    def _show_selected(self) -> None:
        each = next(iter(self.list.selected_ids()), "")
        step = self._steps.steps.get(each) if self._steps else None
        view = self._run_view()
        if step is None:
            self.right.setCurrentWidget(self.hints)
            return
        self.detail.show_step(step, undone=view is not None and view.undone)
        self.right.setCurrentWidget(self.detail)

    def _opened(self, _step: str) -> None:
        self.columns.cover(True)

    def _run_menu(self, at: QPoint) -> None:
        view = self._run_view()
        if view is None or not view.stands:
            return
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(self.tr("Undo this dream\tU"), self.undo)
        menu.popup(at)
