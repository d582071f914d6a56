"""What dreams and their steps are called, in lists, in a search and for a screen reader."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from reverie.domain.dream import Decision, DreamRun, Proposal, ProposalKind, RunState
from reverie.domain.title import title_of
from reverie.i18n import ngettext
from reverie_gui.bridge.tasks import Task
from reverie_gui.operations.dreams import counts_in_words
from reverie_gui.widgets.row_delegate import RowLook
from reverie_gui.wording import age, ago, clock, day, exact, memories, number

KINDS: Mapping[ProposalKind, str] = {
    ProposalKind.MERGE: "merge",
    ProposalKind.INSIGHT: "insight",
    ProposalKind.CONSOLIDATE: "consolidated",
}  # the values of ``kind:`` in the search field; the decisions are those of ``is:``
_TONES = {Decision.VETOED: "warn", Decision.REJECTED: "warn", Decision.APPLIED: "ok"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dreams", text)


@dataclass(frozen=True, slots=True)
class RunView:
    """A run, and whether what it changed has been taken back."""

    run: DreamRun
    undone: bool = False

    @property
    def id(self) -> str:
        return self.run.id

    @property
    def stands(self) -> bool:
        """It changed something that can be undone."""
        return self.run.operation is not None and not self.undone


def run_title(run: DreamRun) -> str:
    """ "Today, 14:02"."""
    return f"{day(run.started_at)}, {clock(run.started_at)}"


def run_line(view: RunView) -> str:
    """What a run did, in words: "12 merged, 3 insights, 2 vetoed"."""
    run = view.run
    if run.state is RunState.RUNNING:
        return _tr("Dreaming…")
    if run.state in (RunState.FAILED, RunState.CANCELLED):
        return run.reason or run_word(view)
    parts = counts_in_words(run)
    if not parts:
        seen = run.counts.get("consolidated", 0)
        parts = [_tr("{memories} seen, nothing to change").format(memories=memories(seen))] if seen else []
    return ", ".join(parts) or _tr("Nothing to change")


def run_word(view: RunView) -> str:
    """How it ended: "Applied", "Undone", "Stopped", ..."""
    if view.run.state is RunState.DONE:
        if view.undone:
            return _tr("Undone")
        return _tr("Applied") if view.run.operation is not None else ""
    return {
        RunState.RUNNING: _tr("Running"),
        RunState.FAILED: _tr("Failed"),
        RunState.CANCELLED: _tr("Stopped"),
    }[view.run.state]


def run_look(view: RunView, task: Task[DreamRun] | None) -> RowLook:
    """``task`` is this window's dream, whose progress a running row shows."""
    run = view.run
    running = run.state is RunState.RUNNING
    second, share = run_line(view), None
    if running and task is not None and task.total > 0:
        share = task.done / task.total
        second = task.what or second
    base = "" if run.kb == "default" else f"{run.kb} · "
    tones = {RunState.FAILED: "error", RunState.CANCELLED: "warn"}
    return RowLook(
        title=run_title(run),
        second=base + second,
        icon="dreams",
        right=age(run.started_at),
        right_second=run_word(view),
        right_tone=tones.get(run.state, "text_3"),
        faint=view.undone,
        share=share,
        tip=_tr("Began {when}").format(when=exact(run.started_at)),
    )


def describe_run(view: RunView) -> str:
    return ", ".join(part for part in (run_title(view.run), run_line(view), run_word(view)) if part)


def kind_title(kind: ProposalKind) -> str:
    """The word of a kind of step, as a heading."""
    return {
        ProposalKind.MERGE: _tr("Merge"),
        ProposalKind.INSIGHT: _tr("New insight"),
        ProposalKind.CONSOLIDATE: _tr("Consolidated"),
    }[kind]


def decision_word(decision: Decision) -> str:
    return {
        Decision.PENDING: _tr("Not decided"),
        Decision.APPLIED: _tr("Applied"),
        Decision.REJECTED: _tr("Rejected"),
        Decision.VETOED: _tr("Vetoed"),
        Decision.SKIPPED: _tr("Skipped"),
    }[decision]


def decision_tone(decision: Decision) -> str:
    """The look of a decision's word."""
    return _TONES.get(decision, "meta")


def step_title(step: Proposal) -> str:
    """The title of what a step makes, as its memory will have it; the step's own where it makes nothing."""
    after = step.after
    if after.get("key"):
        return str(after["key"])
    place = (after.get("provenance") or {}).get("place") or {}
    return title_of(str(after.get("content") or ""), str(place.get("heading") or "")) or step.title


def note_line(step: Proposal) -> str:
    """What was in the way, with the numbers of the sources in place of their ids."""
    note = step.note
    for place, source in enumerate(step.sources, 1):
        note = note.replace(source, _tr("memory {n}").format(n=place))
    return note


def step_look(step: Proposal) -> RowLook:
    """Title, why (or what was in the way), how many memories it stands on, and a decision that is not "applied"."""
    odd = step.decision is not Decision.APPLIED
    count = len(step.sources)
    return RowLook(
        title=step_title(step),
        second=(note_line(step) if odd else "") or step.why,
        kind="insight" if step.kind is ProposalKind.INSIGHT else "",
        icon={ProposalKind.MERGE: "merge", ProposalKind.CONSOLIDATE: "check"}.get(step.kind, ""),
        right=number(count),
        right_second=decision_word(step.decision) if odd else "",
        right_tone="warn" if step.decision in (Decision.VETOED, Decision.REJECTED) else "text_3",
        faint=odd,
        tip="\n".join(part for part in (step_title(step), step.why, note_line(step)) if part),
    )


def describe_step(step: Proposal) -> str:
    """A step in words: "Merge, Prefers window seats, 3 memories, applied"."""
    parts = [
        kind_title(step.kind),
        step_title(step),
        memories(len(step.sources)),
        decision_word(step.decision),
    ]
    return ", ".join(parts)


def runs_in_words(count: int) -> str:
    return ngettext("{n} dream", "{n} dreams", count).format(n=number(count))


def steps_in_words(count: int) -> str:
    return ngettext("{n} step", "{n} steps", count).format(n=number(count))


def when(run: DreamRun) -> str:
    """For the head of the detail: "Dream 2 hours ago"."""
    return _tr("Dream {when}").format(when=ago(run.started_at))
