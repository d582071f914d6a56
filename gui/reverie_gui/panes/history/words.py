"""What a change was, in words. No Qt."""

from collections.abc import Callable, Mapping
from typing import Any

from reverie.domain.changes import ChangeSet, RowDelta
from reverie.i18n import _, ngettext
from reverie_gui.wording import author_word, number

_NONE = RowDelta()

# A kind as a thing, for "You took back: ..." and for what has no counts of its own.
_NAMES: Mapping[str, str] = {
    "add memory": _("adding a memory"),
    "add memories": _("adding memories"),
    "edit memory": _("editing a memory"),
    "edit memories": _("editing memories"),
    "delete memory": _("deleting a memory"),
    "delete memories": _("deleting memories"),
    "restore memory": _("restoring a memory"),
    "restore memories": _("restoring memories"),
    "restore version": _("restoring an earlier version"),
    "delete insight": _("deleting an insight"),
    "restore insight": _("restoring an insight"),
    "add message": _("adding a message"),
    "add messages": _("adding messages"),
    "edit message": _("editing a message"),
    "ingest file": _("reading a file"),
    "import": _("an import"),
    "dream": _("a dream"),
    "add knowledge base": _("adding a knowledge base"),
    "edit knowledge base": _("changing a knowledge base"),
    "watch folder": _("watching a folder"),
    "stop watching folder": _("no longer watching a folder"),
    "empty trash": _("emptying the trash"),
    "prune history": _("removing old changes"),
    "undo": _("an undo"),
    "redo": _("a redo"),
}


def kind_name(kind: str) -> str:
    """A kind of change as a thing: "editing a memory"."""
    return _NAMES.get(kind, kind)


def sentence(change: ChangeSet) -> str:
    """One line without its time: "Dream merged 3 memories"."""
    if not change.rows and change.kind in _COUNTED and change.detail.get("pruned"):
        words = _("{who}: {what}, too old to take back").replace("{what}", kind_name(change.kind))
    elif not change.rows and change.kind in _COUNTED:
        words = _("{who}: {what}, erased since").replace("{what}", kind_name(change.kind))
    else:
        words = _SENTENCES.get(change.kind, _other)(change)
    return words.format(who=author_word(change.author))


def _rows(change: ChangeSet, table: str = "memories") -> RowDelta:
    return change.rows.get(table, _NONE)


def _n(words: str, count: int) -> str:
    return words.replace("{n}", number(count))


def _added(change: ChangeSet) -> str:
    count = len(_rows(change).added)
    if not count and _rows(change).changed:
        return _("{who} told a memory again")
    return _n(ngettext("{who} added a memory", "{who} added {n} memories", count), count)


def _edited(change: ChangeSet) -> str:
    count = len(_rows(change).changed)
    return _n(ngettext("{who} edited a memory", "{who} edited {n} memories", count), count)


def _deleted(change: ChangeSet) -> str:
    count = len(_rows(change).changed)
    return _n(ngettext("{who} deleted a memory", "{who} deleted {n} memories", count), count)


def _restored(change: ChangeSet) -> str:
    count = len(_rows(change).changed)
    return _n(ngettext("{who} restored a memory", "{who} restored {n} memories", count), count)


def _insight_deleted(change: ChangeSet) -> str:
    count = len(_rows(change, "insights").changed)
    return _n(ngettext("{who} deleted an insight", "{who} deleted {n} insights", count), count)


def _insight_restored(change: ChangeSet) -> str:
    count = len(_rows(change, "insights").changed)
    return _n(ngettext("{who} restored an insight", "{who} restored {n} insights", count), count)


def _ingested(change: ChangeSet) -> str:
    count = len(_rows(change).added)
    name = str(change.detail.get("name", "")) or _("a file")
    words = _n(ngettext("{n} memory from {name}", "{n} memories from {name}", count), count)
    return "{who}: " + words.replace("{name}", _literal(name))


def _dreamt(change: ChangeSet) -> str:
    memories, insights = _rows(change), _rows(change, "insights")
    parts = []
    if memories.added:
        merged = len(_rows(change, "memory_links").added) // 2 or len(memories.added)
        parts.append(_n(ngettext("{n} memory merged", "{n} memories merged", merged), merged))
    if insights.added:
        count = len(insights.added)
        parts.append(_n(ngettext("{n} insight found", "{n} insights found", count), count))
    if not parts:
        count = len(memories.changed)
        parts.append(_n(ngettext("{n} memory looked through", "{n} memories looked through", count), count))
    return "{who}: " + ", ".join(parts)


def _imported(change: ChangeSet) -> str:
    count = len(_rows(change).added)
    return _n(ngettext("{who}: {n} memory taken in", "{who}: {n} memories taken in", count), count)


def _emptied(change: ChangeSet) -> str:
    count = int(change.detail.get("memories", 0))
    return _n(
        ngettext(
            "{who} emptied the trash: {n} memory erased for good",
            "{who} emptied the trash: {n} memories erased for good",
            count,
        ),
        count,
    )


def _pruned(change: ChangeSet) -> str:
    count = int(change.detail.get("changesets", 0))
    return _n(
        ngettext(
            "{who} removed {n} old change: it can't be undone any more",
            "{who} removed {n} old changes: they can't be undone any more",
            count,
        ),
        count,
    )


def _taken_back(change: ChangeSet) -> str:
    undoes: list[Mapping[str, Any]] = list(change.detail.get("undoes") or [])
    if len(undoes) == 1:
        what = str(undoes[0].get("kind", ""))
        words = _("{who} did it again") if what in ("undo", "redo") else _("{who} took back {what}")
        return words.replace("{what}", kind_name(what))
    return _n(ngettext("{who} took back {n} change", "{who} took back {n} changes", len(undoes)), len(undoes))


def _done_again(_change: ChangeSet) -> str:
    return _("{who} did again what was taken back")


def _other(change: ChangeSet) -> str:
    return "{who}: " + _literal(kind_name(change.kind))


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


_SENTENCES: Mapping[str, Callable[[ChangeSet], str]] = {
    "add memory": _added,
    "add memories": _added,
    "edit memory": _edited,
    "edit memories": _edited,
    "delete memory": _deleted,
    "delete memories": _deleted,
    "restore memory": _restored,
    "restore memories": _restored,
    "restore version": lambda _change: _("{who} restored an earlier version"),
    "delete insight": _insight_deleted,
    "restore insight": _insight_restored,
    "ingest file": _ingested,
    "import": _imported,
    "dream": _dreamt,
    "add knowledge base": lambda _change: _("{who} added a knowledge base"),
    "edit knowledge base": lambda _change: _("{who} changed a knowledge base"),
    "watch folder": lambda _change: _("{who} had a folder watched"),
    "stop watching folder": lambda _change: _("{who} stopped watching a folder"),
    "empty trash": _emptied,
    "prune history": _pruned,
    "undo": _taken_back,
    "redo": _done_again,
}

# Kinds whose words count rows: what was erased for good can't be counted any more.
_COUNTED = frozenset(
    kind for kind, words in _SENTENCES.items() if words not in (_emptied, _pruned, _taken_back, _done_again)
)
