"""One item of the inbox: what came of it, or what is in the way and what can be done."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressBar, QWidget

from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.domain.memory import Memory
from reverie.i18n import ngettext
from reverie_gui.context import Context
from reverie_gui.operations.files import open_file, open_folder
from reverie_gui.operations.inbox import ignore_item, retry_item
from reverie_gui.panes.inbox.loading import SHOWN_MEMORIES, Outcome, load_outcome
from reverie_gui.panes.inbox.words import MAY_IGNORE, MAY_RETRY, state_word, tone
from reverie_gui.panes.memories.text import place_words, title
from reverie_gui.theme.icons import icon
from reverie_gui.widgets.detail_page import DetailPage, Facts, Section
from reverie_gui.widgets.flow_layout import flowing
from reverie_gui.widgets.link import LinkLine, unkeyed
from reverie_gui.widgets.looks import button, label, row, tool
from reverie_gui.widgets.tones import set_tone
from reverie_gui.wording import ago, exact, memories, number, size

_HASH_SHOWN = 12  # characters of the content hash; the tooltip and Copy have it whole


class ItemDetail(DetailPage):
    """Signals: ``memory_wanted(str)``; ``memories_wanted(InboxItem)`` all that came of it; ``item_wanted(str)`` the
    item that held the same content before."""

    memory_wanted = Signal(str)
    memories_wanted = Signal(object)
    item_wanted = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._item: InboxItem | None = None
        self._outcome: Outcome | None = None
        self._build_head()
        self._build_facts()
        self.content.addStretch(1)
        context.theme.changed.connect(self._paint)
        self._paint()

    # Building.

    def _build_head(self) -> None:
        self.state = label(style="meta_strong")
        self.name = label(style="title", wrap=True, select=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 100)
        self.bar.setAccessibleName(self.tr("Read so far"))
        self.reason = label(style="body", wrap=True, select=True)
        self.hint = label(style="base", look="meta", wrap=True, select=True)
        self.retry = button(self.tr("Retry"), lambda: self._retry(Override.NONE))
        self.first = button("", lambda: self._retry(Override.FIRST_PART))
        self.anyway = button("", lambda: self._retry(Override.ANYWAY))
        self.ignore = button(self.tr("Ignore"), self._ignore)
        self.ignore.setToolTip(self.tr("Leave it unread; Retry takes it up again (I)"))
        self.twin = button("", self._show_twin, "link")
        self.choices = flowing(self.retry, self.first, self.anyway, self.ignore)
        for part in (self.state, 4, self.name, 8, self.bar, self.reason, self.hint):
            if isinstance(part, int):
                self.content.addSpacing(part)
            else:
                self.content.addWidget(part)
        self.content.addLayout(row(self.twin, -1))
        self.content.addSpacing(12)
        self.content.addWidget(self.choices)
        self.made = Section(self.tr("Memories"))
        self.content.addWidget(self.made)
        self.content.addSpacing(24)

    def _build_facts(self) -> None:
        self.facts = Facts()
        self.weight = label(style="base", select=True)
        self.added = label(style="base", select=True)
        self.ended = label(style="base", select=True)
        self.kb = label(style="base", select=True)
        self.attempts = label(style="base")
        self.place = label(style="base", wrap=True, select=True)
        self.open = button(self.tr("Open file"), self.open_file, "link")
        self.folder = button(self.tr("Open its folder"), self.open_folder, "link")
        self.hash = label(style="mono", select=True)
        self.copy = tool(self.tr("Copy the content hash"), self._copy_hash)
        links = flowing(self.open, self.folder)
        digest = row(self.hash, self.copy, -1, gap=8)
        for name, heading, value in (
            ("size", self.tr("Size"), self.weight),
            ("added", self.tr("Came in"), self.added),
            ("ended", self.tr("Finished"), self.ended),
            ("kb", self.tr("Base"), self.kb),
            ("attempts", self.tr("Tried"), self.attempts),
            ("place", self.tr("Lies in"), self.place),
            ("open", "", links),
            ("hash", self.tr("Content hash"), _holder(digest)),
        ):
            self.facts.add(name, heading, value)
        self.content.addWidget(self.facts)

    # Showing.

    @property
    def item(self) -> InboxItem | None:
        return self._item

    def show_item(self, item: InboxItem) -> None:
        """Shows an item; the same one again refreshes what changed."""
        if item == self._item:
            return
        same = self._item is not None and self._item.id == item.id
        before = self._item
        self._item = item
        if not same:
            self._outcome = None
            self.made.set_rows(())
            self.to_top()
        self._fill_state(item)
        self._fill_facts(item)
        self._paint()
        known = before if same else None
        if known is None or (known.memories, known.duplicate_of) != (item.memories, item.duplicate_of):
            self._load(item)

    def _fill_state(self, item: InboxItem) -> None:
        reading = item.state is ItemState.READING
        share = round(item.progress * 100)
        words = state_word(item.state)
        self.state.setText(
            self.tr("{state} {n} %").format(state=words, n=share) if reading and share else words
        )
        self.name.setText(item.name)
        self.bar.setVisible(reading)
        self.bar.setValue(share)
        self.reason.setText(item.reason)
        self.reason.setVisible(bool(item.reason))
        self.hint.setText(item.hint)
        self.hint.setVisible(bool(item.hint))
        self._fill_actions(item)

    def _fill_actions(self, item: InboxItem) -> None:
        large = item.state is ItemState.TOO_LARGE
        self.retry.setVisible(item.state in MAY_RETRY and not large)
        self.retry.setText(
            self.tr("Read it after all") if item.state is ItemState.IGNORED else self.tr("Retry")
        )
        self.retry.setToolTip(self.tr("Read the file again (R)"))
        limit = self._context.vault.held_settings.ingest.max_text_mb
        self.first.setText(self.tr("First {n} MB").format(n=limit))
        self.first.setVisible(large)
        self.anyway.setText(self.tr("Read it all ({size})").format(size=size(item.size)))
        self.anyway.setVisible(large)
        self.ignore.setVisible(item.state in MAY_IGNORE)
        shown = (self.retry, self.first, self.anyway, self.ignore)
        self.choices.setVisible(any(not each.isHidden() for each in shown))
        self.twin.setVisible(item.duplicate_of is not None)
        self.twin.setText(self.tr("Show what was added then"))

    def _fill_facts(self, item: InboxItem) -> None:
        self.weight.setText(size(item.size))
        self.facts.show_row("size", item.size > 0)
        for part, at in ((self.added, item.created_at), (self.ended, item.updated_at)):
            part.setText(ago(at))
            part.setToolTip(exact(at))
        finished = item.state in (ItemState.DONE, ItemState.KNOWN)
        self.facts.show_row("ended", finished)
        self.kb.setText(item.kb)
        self.facts.show_row("kb", item.kb != "default")
        times = ngettext("{n} time", "{n} times", item.attempts).format(n=number(item.attempts))
        self.attempts.setText(times)
        self.facts.show_row("attempts", item.attempts > 1)
        self.place.setText(breakable(self._path(item).parent))
        self.place.setToolTip(str(self._path(item)))
        self.hash.setText(item.content_hash[:_HASH_SHOWN])
        self.hash.setToolTip(item.content_hash)
        self.facts.show_row("hash", bool(item.content_hash))

    def _load(self, item: InboxItem) -> None:
        context = self._context
        context.tasks.run(
            lambda _task: load_outcome(context, item),
            on_done=self._fill_outcome,
            channel="inbox/outcome",
            owner=self,
        )

    def _fill_outcome(self, outcome: Outcome) -> None:
        item = self._item
        if item is None or item.id != outcome.item or outcome == self._outcome:
            return
        self._outcome = outcome
        rows: list[QWidget] = [self._memory_row(memory) for memory in outcome.memories]
        holder = item if item.memories else outcome.twin
        if holder is not None and holder.memories:
            words = self.tr("Open in Memories")
            if len(holder.memories) > SHOWN_MEMORIES:
                words = self.tr("All {memories}").format(memories=memories(len(holder.memories)))
            everything = button(words, lambda: self.memories_wanted.emit(holder), "link")
            rows.append(_holder(row(everything, -1)))
        self.made.set_rows(rows)
        if outcome.twin is not None:
            self.twin.setText(unkeyed(self.tr("Show “{name}”").format(name=outcome.twin.name)))
        self.twin.setVisible(item.duplicate_of is not None and outcome.twin is not None)

    def _memory_row(self, memory: Memory) -> QWidget:
        words = title(memory) or self.tr("(empty)")
        line = row(gap=8)
        line.addWidget(LinkLine(words, lambda: self.memory_wanted.emit(memory.id)), 1)
        where = place_words(memory)
        if where:
            place = label(shortened(where), "meta", "faint")
            place.setToolTip(where)
            line.addWidget(place)
        return _holder(line)

    def _paint(self) -> None:
        look = self._context.theme.palette
        self.copy.setIcon(icon("copy", look.text_2))
        if self._item is not None:
            names = {"error": "error", "warn": "warn", "ok": "ok"}
            set_tone(self.state, names.get(tone(self._item.state), "meta"))

    # Acting.

    def open_file(self) -> None:
        if self._item is not None:
            open_file(context=self._context, path=self._path(self._item))

    def open_folder(self) -> None:
        if self._item is not None:
            open_folder(context=self._context, path=self._path(self._item))

    def _path(self, item: InboxItem) -> Path:
        return Path(self._context.vault.path) / item.path

    def _retry(self, override: Override) -> None:
        if self._item is not None:
            retry_item(context=self._context, item=self._item.id, override=override)

    def _ignore(self) -> None:
        if self._item is not None:
            ignore_item(context=self._context, item=self._item.id)

    def _show_twin(self) -> None:
        if self._item is not None and self._item.duplicate_of is not None:
            self.item_wanted.emit(self._item.duplicate_of)

    def _copy_hash(self) -> None:
        if self._item is not None:
            QGuiApplication.clipboard().setText(self._item.content_hash)
            self._context.notices.toast(self.tr("Content hash copied"))


class SeveralItems(QWidget):
    """What can be done with several items at once."""

    def __init__(self, retry: Callable[[], object], ignore: Callable[[], object]) -> None:
        super().__init__()
        from reverie_gui.widgets.looks import column

        self.head = label(style="title")
        self.text = label(style="base", look="meta", wrap=True)
        self.retry = button(self.tr("Retry"), retry)
        self.ignore = button(self.tr("Ignore"), ignore)
        buttons = row(self.retry, self.ignore, -1, margins=(0, 12, 0, 0), gap=8)
        self.setLayout(column(self.head, self.text, buttons, -1, margins=(32, 24, 32, 32), gap=4))

    def show_items(self, items: list[InboxItem]) -> None:
        words = ngettext("{n} file selected", "{n} files selected", len(items))
        self.head.setText(words.format(n=number(len(items))))
        made = sum(len(item.memories) for item in items)
        total = size(sum(item.size for item in items))
        self.text.setText(" · ".join((total, memories(made))) if made else total)
        self.retry.setVisible(any(item.state in MAY_RETRY for item in items))
        self.ignore.setVisible(any(item.state in MAY_IGNORE for item in items))


def breakable(path: Path) -> str:
    """A path that may be wrapped after each folder, the person's own folder as "~"."""
    home = Path.home()
    said = str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)
    return said.replace("/", "/\u200b").replace("\\", "\\\u200b")


def shortened(place: str, limit: int = 28) -> str:
    """The end of a heading path: "Setup > Proxy" rather than its beginning."""
    return place if len(place) <= limit else "…" + place[-limit + 1 :]


def _holder(layout) -> QWidget:  # type: ignore[no-untyped-def]
    made = QWidget()
    made.setLayout(layout)
    return made
