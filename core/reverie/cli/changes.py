"""A changeset in words."""

from reverie.domain.changes import ChangeSet
from reverie.i18n import _, ngettext


def describe(act: ChangeSet) -> str:
    """What kind of act it was and how many memories and insights it touched. Of an undo: what it took back."""
    undone = act.detail.get("undoes")
    kind = ", ".join(dict.fromkeys(str(each["kind"]) for each in undone)) if undone else act.kind
    memories, insights = (_touched(act, table) for table in ("memories", "insights"))
    counts = []
    if memories:
        counts.append(ngettext("{count} memory", "{count} memories", memories).format(count=memories))
    if insights:
        counts.append(ngettext("{count} insight", "{count} insights", insights).format(count=insights))
    if not counts:
        return kind
    return _("{kind} ({counts})").format(kind=kind, counts=", ".join(counts))


def _touched(act: ChangeSet, table: str) -> int:
    delta = act.rows.get(table)
    return len({*delta.added, *delta.changed, *delta.removed}) if delta else 0
