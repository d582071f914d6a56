"""What an item of the inbox is called, in a list, in a search and for a screen reader."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from reverie.domain.inbox import InboxItem, ItemState
from reverie.i18n import ngettext
from reverie_gui.widgets.row_delegate import RowLook
from reverie_gui.wording import age, ago, exact, memories, number, size

IN_WORK = (ItemState.READING, ItemState.WAITING)
NEED_PERSON = (ItemState.FAILED, ItemState.TOO_LARGE)
FINISHED = (ItemState.DONE, ItemState.KNOWN, ItemState.IGNORED)
MAY_RETRY = (ItemState.FAILED, ItemState.TOO_LARGE, ItemState.IGNORED)
MAY_IGNORE = (ItemState.WAITING, ItemState.FAILED, ItemState.TOO_LARGE)

# The values of ``is:`` in the search field.
TERMS: Mapping[ItemState, str] = {
    ItemState.READING: "reading",
    ItemState.WAITING: "waiting",
    ItemState.FAILED: "failed",
    ItemState.TOO_LARGE: "too-large",
    ItemState.DONE: "added",
    ItemState.KNOWN: "known",
    ItemState.IGNORED: "ignored",
}
_TONES = {ItemState.FAILED: "error", ItemState.TOO_LARGE: "warn"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("Inbox", text)


def state_word(state: ItemState) -> str:
    """ "Waiting", "Failed", ..."""
    return {
        ItemState.WAITING: _tr("Waiting"),
        ItemState.READING: _tr("Reading"),
        ItemState.DONE: _tr("Added"),
        ItemState.KNOWN: _tr("Already known"),
        ItemState.FAILED: _tr("Failed"),
        ItemState.TOO_LARGE: _tr("Too large"),
        ItemState.IGNORED: _tr("Ignored"),
    }[state]


def tone(state: ItemState) -> str:
    """The name of the palette colour that a state's word has."""
    return _TONES.get(state, "ok" if state is ItemState.DONE else "text_2")


def line(item: InboxItem) -> str:
    """The state in one line: "Reading 40 %", "14 memories", "Failed: no text in this PDF."."""
    if item.state is ItemState.READING:
        share = round(item.progress * 100)
        return _tr("Reading {n} %").format(n=share) if share else _tr("Reading…")
    if item.state is ItemState.DONE:
        made = memories(len(item.memories)) if item.memories else _tr("Added; none of its memories is left")
        return f"{made} · {item.reason}" if item.reason else made
    if item.state in (ItemState.FAILED, ItemState.TOO_LARGE) and item.reason:
        return f"{state_word(item.state)}: {item.reason}"
    if item.state is ItemState.KNOWN and item.reason:
        return _tr("Already known: {why}").format(why=item.reason)
    return state_word(item.state)


def row_look(item: InboxItem) -> RowLook:
    """File, name, state in words; when and how large at the right; a bar at the foot while it is read."""
    return RowLook(
        title=item.name,
        second=line(item),
        icon="file",
        icon_tone=_TONES.get(item.state, "text_2"),
        right=age(item.updated_at),
        right_second=size(item.size) if item.size else "",
        faint=item.state is ItemState.IGNORED,
        share=item.progress if item.state is ItemState.READING else None,
        tip="\n".join(
            part
            for part in (
                item.name,
                line(item),
                item.hint,
                _tr("Since {when}").format(when=exact(item.updated_at)),
            )
            if part
        ),
    )


def describe(item: InboxItem) -> str:
    """A row in words: "minutes.md, 14 memories, 2 hours ago"."""
    return ", ".join((item.name, line(item), ago(item.updated_at)))


def summary(counts: Mapping[ItemState, int]) -> str:
    """For the status bar and the head of the list: "2 waiting · 1 needs you · 14 finished"."""
    work = sum(counts.get(state, 0) for state in IN_WORK)
    stuck = sum(counts.get(state, 0) for state in NEED_PERSON)
    done = sum(counts.get(state, 0) for state in FINISHED)
    parts = []
    if work:
        parts.append(ngettext("{n} in work", "{n} in work", work).format(n=number(work)))
    if stuck:
        parts.append(ngettext("{n} needs you", "{n} need you", stuck).format(n=number(stuck)))
    if done:
        parts.append(ngettext("{n} finished", "{n} finished", done).format(n=number(done)))
    return " · ".join(parts)
