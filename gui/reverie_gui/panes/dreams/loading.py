"""Dreams as the pane shows them: read, sorted and compared on a worker."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from PySide6.QtCore import QCoreApplication

from reverie.domain.dream import Decision, DreamRun, Proposal, ProposalKind
from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory
from reverie.domain.records import read_instant
from reverie.errors import NotFound
from reverie_gui.context import Context
from reverie_gui.panes.dreams.words import KINDS, RunView, kind_title, step_title
from reverie_gui.panes.narrowing import Narrowing, read_narrowing
from reverie_gui.widgets.grouped_list import Group, short_group
from reverie_gui.widgets.word_diff import LIMIT, Folded, Line, Run, Shown, diff, folded, origins, units
from reverie_gui.wording import long_date

KNOWN_TERMS = {"kind": tuple(KINDS.values()), "is": tuple(decision.value for decision in Decision)}
SHOWN_SOURCES = 8  # whose texts are compared; the others are counted


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dreams", text)


def load_run_views(context: Context, runs: Sequence[DreamRun]) -> list[RunView]:
    """Blocks; reads the change log for each run that changed something."""
    return [RunView(run, _is_undone(context, run)) for run in runs]


def _is_undone(context: Context, run: DreamRun) -> bool:
    if run.operation is None:
        return False
    try:
        return bool(context.vault.history.get(run.operation).undone)
    except NotFound:  # the log has been shortened
        return False


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a run. ``groups`` hold those that the query leaves (``shown`` of them); ``kinds`` and
    ``decisions`` count what the words of the query leave."""

    run: str
    query: str = ""
    narrowing: Narrowing = field(default_factory=Narrowing)
    steps: Mapping[str, Proposal] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    shown: int = 0
    kinds: Mapping[ProposalKind, int] = field(default_factory=dict)
    decisions: Mapping[Decision, int] = field(default_factory=dict)


def load_steps(context: Context, run: str, query: str, known: Mapping[str, Proposal] | None = None) -> Steps:
    """``known`` are the steps of this run, where they are at hand and can't have changed. Blocks."""
    found = list(known.values()) if known else list(context.vault.dreams.proposals(run))
    wanted = read_narrowing(query, KNOWN_TERMS)
    named = [step for step in found if not wanted.words or wanted.has_words(_text(step))]
    shown = [
        step
        for step in named
        if wanted.allows("kind", KINDS[step.kind]) and wanted.allows("is", step.decision.value)
    ]
    return Steps(
        run=run,
        query=query,
        narrowing=wanted,
        steps={step.id: step for step in found},
        groups=tuple(
            short_group(KINDS[kind], kind_title(kind), [step.id for step in shown if step.kind is kind])
            for kind in ProposalKind
        ),
        shown=len(shown),
        kinds=Counter(step.kind for step in named),
        decisions=Counter(step.decision for step in named),
    )


def _text(step: Proposal) -> str:
    return "\n".join((step_title(step), str(step.after.get("content") or ""), step.why, step.note))


@dataclass(frozen=True, slots=True)
class SourceView:
    """A memory that a step read. ``number`` counts from 1; ``memory`` is None where it is gone; ``lines`` lead from
    its text to the result's, none where both say the same."""

    number: int
    id: MemoryId
    memory: Memory | None
    lines: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """``before`` and ``after`` in words; ``note`` says where the value came from."""

    name: str
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with what stands behind it. ``result`` are the lines of what it makes, ``notes`` the numbers of the
    sources that say each; ``exists``: what it made is in the vault; ``more``: sources whose text is not shown."""

    step: Proposal
    sources: tuple[SourceView, ...] = ()
    result: tuple[Shown, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)
    fields: tuple[FieldChange, ...] = ()
    exists: bool = False
    more: int = 0


def load_step(context: Context, step: Proposal) -> StepView:
    """Blocks: reads the memories and compares their texts."""
    found = {memory.id: memory for memory in context.vault.memories.get_many(step.sources)}
    if step.kind is ProposalKind.CONSOLIDATE:
        return StepView(step, tuple(SourceView(n, id, found.get(id)) for n, id in enumerate(step.sources, 1)))
    content = str(step.after.get("content") or "")
    texts = [found[id].content[:LIMIT] if id in found else "" for id in step.sources[:SHOWN_SOURCES]]
    merge = step.kind is ProposalKind.MERGE
    sources = tuple(
        SourceView(
            n, id, found.get(id), _compared(found.get(id), content) if merge and n <= SHOWN_SOURCES else ()
        )
        for n, id in enumerate(step.sources, 1)
    )
    lines = units(content)
    sign: Any = " " if merge else "+"
    return StepView(
        step,
        sources,
        tuple(Line(sign, (Run(line, not merge),)) for line in lines),
        {at: _numbers(origins(line, texts), len(texts)) for at, line in enumerate(lines)},
        field_changes(step, [found[id] for id in step.sources if id in found]) if merge else (),
        _exists(context, step),
        max(0, len(step.sources) - SHOWN_SOURCES),
    )


def _compared(memory: Memory | None, content: str) -> tuple[Shown, ...]:
    if memory is None:
        return ()
    lines = folded(diff(memory.content, content))
    return () if all(isinstance(line, Folded) or line.sign == " " for line in lines) else tuple(lines)


def _numbers(found: Sequence[int], total: int) -> str:
    if not found:
        return ""
    if len(found) == total and total > 3:
        return _tr("[all {n}]").format(n=total)
    return "[" + ",\u00a0".join(map(str, found)) + "]"


def _exists(context: Context, step: Proposal) -> bool:
    made = str(step.after.get("id") or "")
    if not made or step.decision is not Decision.APPLIED:
        return False
    if step.kind is ProposalKind.MERGE:
        return bool(context.vault.memories.get_many([MemoryId(made)]))
    return bool(context.vault.insights.get_many([made]))


def field_changes(step: Proposal, sources: Sequence[Memory]) -> tuple[FieldChange, ...]:
    """What the result has other than the memory whose text it keeps (the first source)."""
    kept = next((memory for memory in sources if memory.id == step.sources[0]), None)
    if kept is None:
        return ()
    after = step.after
    rows = (
        (_tr("Key"), kept.key or "", str(after.get("key") or "")),
        (_tr("Category"), kept.category, str(after.get("category") or "")),
        (_tr("Tags"), ", ".join(kept.tags), ", ".join(after.get("tags") or ())),
        (_tr("Importance"), _share(kept.importance), _share(after.get("importance"))),
        (_tr("Created"), long_date(kept.created_at), _date(after.get("created_at"))),
        (_tr("Told again"), str(kept.reinforced), str(after.get("reinforced") or 0)),
        (_tr("Expires"), _expiry(kept.expires_at), _expiry(_instant(after.get("expires_at")))),
    )
    found = [FieldChange(name, old, new) for name, old, new in rows if old != new and new]
    created = _instant(after.get("created_at"))
    return tuple(
        FieldChange(each.name, each.before, each.after, _carried(created, step, sources))
        if each.name == _tr("Created")
        else each
        for each in found
    )


def _carried(created: datetime | None, step: Proposal, sources: Sequence[Memory]) -> str:
    oldest = next((memory for memory in sources if memory.created_at == created), None)
    if oldest is None:
        return ""
    return _tr("carried forward from {n}").format(n=step.sources.index(oldest.id) + 1)


def _share(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, (int, float)) else ""


def _instant(value: Any) -> datetime | None:
    try:
        return read_instant(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _date(value: Any) -> str:
    at = _instant(value)
    return long_date(at) if at is not None else ""


def _expiry(at: datetime | None) -> str:
    return _tr("never") if at is None else long_date(at)
