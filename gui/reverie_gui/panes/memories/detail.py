"""One memory: read, edited in place, with where it came from and what became of it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QSlider, QWidget

from reverie.domain.ids import MemoryId
from reverie.domain.memory import Kind, Memory, State
from reverie.domain.search import Hit
from reverie.domain.title import title_of
from reverie.i18n import ngettext
from reverie_gui.bridge.notices import Banner
from reverie_gui.context import Context
from reverie_gui.operations.files import open_file, open_link
from reverie_gui.operations.memories import (
    edit_memory,
    restore_memories,
    restore_version,
    trash_memories,
)
from reverie_gui.operations.writing import Writing
from reverie_gui.panes.memories.extras import CHANGES, RELATED, Extras, Version, load_extras
from reverie_gui.panes.memories.similar import Similar
from reverie_gui.panes.memories.text import body, place_words, title
from reverie_gui.theme.icons import icon
from reverie_gui.theme.shapes import kind_icon
from reverie_gui.widgets.body_editor import BodyEditor
from reverie_gui.widgets.category_field import CategoryField
from reverie_gui.widgets.chips import TagChips
from reverie_gui.widgets.detail_page import DetailPage, Facts, Section
from reverie_gui.widgets.expiry_menu import ExpiryMenu
from reverie_gui.widgets.link import LinkLine
from reverie_gui.widgets.looks import button, column, label, row, shrinkable, tool
from reverie_gui.widgets.markdown_view import MarkdownView
from reverie_gui.widgets.metadata_field import MetadataField
from reverie_gui.wording import ago, author_word, capital, clock, exact, kind_word, long_date, until

_NO_SOURCE = ("person", "api")  # who made it says as much
_AFTER_SLIDE = 400  # milliseconds: an importance that is being dragged is not stored at each step


class MemoryDetail(DetailPage):
    """Signals: ``memory_wanted(str)`` and ``pane_wanted(str id, str query)`` links that were followed;
    ``made(str)`` a new memory was stored; ``left()`` editing ended: the list may take the focus.
    """

    memory_wanted = Signal(str)
    pane_wanted = Signal(str, str)
    made = Signal(str)
    left = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._memory: Memory | None = None
        self._extras: Extras | None = None
        self._new = False
        self._writing = Writing(context, None, self)
        self._similar = Similar(context, self)
        self._similar.found.connect(self._fill_similar)
        self._build_head()
        self._build_body()
        self._build_facts()
        self._build_sections()
        self.content.addStretch(1)
        context.theme.changed.connect(self._paint)
        self._paint()

    # Building.

    def _build_head(self) -> None:
        self.kind = button("", self._kind_menu, "kind", self.tr("Change the kind"))
        self.kind.setAccessibleName(self.tr("Kind"))
        self.pin = tool(self.tr("Pin (P): never merged, retired or decayed"), self.toggle_pin, checkable=True)
        self.mute = tool(
            self.tr("Mute (M): you find it, agents are never given it"), self.toggle_mute, checkable=True
        )
        self.restore = button(self.tr("Restore"), self._restore, "link")
        self.bin = tool(self.tr("Delete (Del)"), self._trash)
        self.content.addLayout(row(self.kind, -1, self.restore, self.pin, self.mute, self.bin, gap=4))
        self.title = label(style="title", wrap=True, select=True)
        self.content.addWidget(self.title)
        self.content.addSpacing(8)

    def _build_body(self) -> None:
        self.text = MarkdownView(self._context.theme)
        self.text.edit_wanted.connect(self.edit)
        self.text.link_clicked.connect(lambda address: open_link(address=address))
        self.editor = BodyEditor()
        self.editor.saved.connect(self._save_text)
        self.editor.left.connect(self._end_edit)
        self.editor.resumed.connect(lambda: self._writing.begin_act())
        self.editor.hide()
        self.hint = label(self.tr("Markdown. Saved as you write. Esc when done."), "meta", "faint")
        self.hint.hide()
        self.problem = label(style="meta", look="error", wrap=True)
        self.problem.hide()
        self.tags = TagChips(self._context.theme)
        self.tags.changed.connect(lambda tags: self._set(tags=tuple(tags)))
        self.hint.setContentsMargins(0, 4, 0, 0)
        self.problem.setContentsMargins(0, 4, 0, 0)
        for part in (self.text, self.editor, self.hint, self.problem):
            self.content.addWidget(part)
        self.content.addSpacing(12)
        self.content.addWidget(self.tags)
        self.content.addSpacing(16)

    def _build_facts(self) -> None:
        self.facts = Facts()
        self.category = CategoryField()
        self.category.chosen.connect(lambda category: self._set(category=category))
        self.importance = QSlider(Qt.Orientation.Horizontal)
        self.importance.setRange(0, 100)
        self.importance.setPageStep(10)
        self.importance.setFixedWidth(160)
        self.importance.setAccessibleName(self.tr("Importance"))
        self.share = label(style="base")
        self._slide = QTimer(self)
        self._slide.setSingleShot(True)
        self._slide.setInterval(_AFTER_SLIDE)
        self._slide.timeout.connect(self._save_importance)
        self.importance.valueChanged.connect(self._slid)
        self.again = label(style="base", select=True)
        self.expires = button("", self._open_expiry, "link", self.tr("Choose when it expires"))
        self.created = label(style="base", select=True)
        self.changed = label(style="base", select=True)
        self.id = label(style="mono", select=True)
        self.copy = tool(self.tr("Copy id"), self._copy_id)
        self.source = label(style="base", select=True, wrap=True)
        self.open = LinkLine("", self.open_source)
        self.open.setToolTip(self.tr("Open the file (O)"))
        self.meta = MetadataField()
        self.meta.chosen.connect(lambda metadata: self._set(metadata=metadata))
        self.meta.refused.connect(self._say_problem)
        slider = _holder(self.importance, self.share, -1)
        self.found = label(style="base", select=True, wrap=True)
        for name, heading, value in (
            ("found", self.tr("Found"), self.found),
            ("category", self.tr("Category"), self.category),
            ("importance", self.tr("Importance"), slider),
            ("again", self.tr("Told again"), self.again),
            ("expires", self.tr("Expires"), _left(self.expires)),
            ("created", self.tr("Created"), self.created),
            ("changed", self.tr("Changed"), self.changed),
            ("source", self.tr("Source"), _stacked(self.open, self.source)),
            ("meta", self.tr("Metadata"), self.meta),
            ("id", self.tr("Id"), _holder(self.id, self.copy, -1)),
        ):
            self.facts.add(name, heading, value)
        self.content.addWidget(self.facts)

    def _build_sections(self) -> None:
        self.related = Section(self.tr("Related"))
        self.similar = Section(self.tr("Similar"))
        self.insights = Section(self.tr("Insights"))
        self.history = Section(self.tr("History"))
        for section in (self.related, self.similar, self.insights, self.history):
            self.content.addWidget(section)

    # Showing.

    @property
    def memory(self) -> Memory | None:
        return self._memory

    def save(self) -> None:
        """Stores what is being written, now."""
        if self.is_editing():
            self.editor.save()
        self.meta.finish()
        if self._slide.isActive():
            self._slide.stop()
            self._save_importance()

    def end_editing(self, then: Callable[[], object]) -> None:
        """Leaves the editor and calls ``then`` once all that was written is stored."""
        if self.is_editing():
            self.editor.finish()
        self._writing.then(then)

    def is_editing(self) -> bool:
        return not self.editor.isHidden()

    def show_memory(self, memory: Memory) -> None:
        """Shows a memory; the same one again refreshes what changed, and leaves an open editor alone."""
        same = self._memory is not None and self._memory.id == memory.id and not self._new
        if not same:
            if self.is_editing():
                self.editor.finish()
            self._slide.stop()
            self._extras = None
            self.to_top()
        self._new = False
        self._memory = memory
        self._fill_text(memory)
        self._fill_facts(memory)
        if not same:
            self._fill_extras(Extras(memory.id))
            self.similar.set_rows(())
        self._load_extras(memory.id)
        self._similar.look(memory.id)

    def show_found(self, hit: Hit | None) -> None:
        """Why the memory was found; None where it was not searched for."""
        self.found.setText(capital(hit.why) if hit is not None else "")
        self.found.setToolTip(
            self.tr("Relevance {share}").format(share=f"{hit.relevance:.0%}") if hit is not None else ""
        )
        self.facts.show_row("found", bool(self.found.text()))
        self.text.set_marks(hit.words if hit is not None else ())

    def set_known(self, tags: Iterable[str], categories: Iterable[str]) -> None:
        """Existing tags and categories, for completion."""
        self.tags.set_known(tags)
        self.category.set_known(categories)

    def _fill_text(self, memory: Memory) -> None:
        if self.is_editing():
            self._note_elsewhere(memory)
            return
        shown = body(memory)
        self.title.setText(title(memory))
        self.title.setVisible(bool(title(memory)))
        self.text.set_text(shown)
        self.text.setVisible(bool(shown.strip()))

    def _note_elsewhere(self, memory: Memory) -> None:
        """Someone else changed what is open in the editor: the person keeps writing, and is told."""
        elsewhere = memory.content != self.editor.base and memory.content != self.editor.toPlainText()
        self._say_problem(
            self.tr("This memory was changed elsewhere while you write; your text will replace it.")
            if elsewhere
            else ""
        )

    def _fill_facts(self, memory: Memory) -> None:
        trashed = memory.state is State.TRASHED
        self.kind.setText(kind_word(memory.kind))
        self.pin.setChecked(memory.pinned)
        self.mute.setChecked(memory.muted)
        self.restore.setVisible(trashed)
        self.bin.setVisible(not trashed)
        self.tags.set_tags(memory.tags)
        self.category.set_category(memory.category)
        if not self._slide.isActive():
            self.importance.blockSignals(True)
            self.importance.setValue(round(memory.importance * 100))
            self.importance.blockSignals(False)
            self.share.setText(f"{memory.importance:.2f}")
        times = ngettext("{n} time", "{n} times", memory.reinforced).format(n=memory.reinforced)
        last = self.tr(", last {when}").format(when=ago(memory.last_seen_at)) if memory.last_seen_at else ""
        self.again.setText(times + last)
        self.facts.show_row("again", memory.reinforced > 0)
        ends = memory.expires_at
        self.expires.setText(self.tr("Never") if ends is None else f"{until(ends)} · {exact(ends)}")
        by = self.tr(" by {who}").format(who=author_word(memory.author)) if memory.author else ""
        self.created.setText(f"{ago(memory.created_at)}{by}")
        self.created.setToolTip(exact(memory.created_at))
        self.changed.setText(ago(memory.updated_at))
        self.changed.setToolTip(exact(memory.updated_at))
        self.facts.show_row("changed", memory.updated_at > memory.created_at)
        self.id.setText(memory.id)
        self._fill_source(memory)
        self._paint()

    def _fill_source(self, memory: Memory) -> None:
        origin = memory.provenance
        where = place_words(memory)
        plain = origin.source in _NO_SOURCE
        name = origin.chat if plain else Path(origin.source).name or origin.chat
        linked = name if origin.file else ""
        self.open.set_text(linked)
        self.open.setVisible(bool(linked))
        said = " · ".join(part for part in ("" if linked else name, where) if part)
        self.source.setText(said)
        self.source.setVisible(bool(said))
        self.facts.show_row("source", bool(name or where))
        self.meta.set_metadata(memory.metadata)

    def _load_extras(self, memory: MemoryId) -> None:
        context = self._context

        def done(extras: Extras) -> None:
            if self._memory is not None and extras.memory == self._memory.id:
                self._fill_extras(extras)

        context.tasks.run(
            lambda _task: load_extras(context, memory), on_done=done, channel="memory/extras", owner=self
        )

    def _fill_extras(self, extras: Extras) -> None:
        if extras == self._extras:
            return
        self._extras = extras
        self.related.set_rows(
            self._link_row(how, title(other), lambda other=other: self.memory_wanted.emit(other.id))
            for other, how in extras.related[:RELATED]
        )
        self.insights.set_rows(
            self._link_row(
                "",
                title_of(insight.content),
                lambda insight=insight: self.pane_wanted.emit("insights", insight.id),
            )
            for insight in extras.insights[:RELATED]
        )
        rows: list[QWidget] = [
            self._version_row(each, latest=place == 0) for place, each in enumerate(extras.versions[:CHANGES])
        ]
        if len(extras.versions) > CHANGES:
            rows.append(_left(button(self.tr("All changes"), self._all_changes, "link")))
        self.history.set_rows(rows)

    def _fill_similar(self, _memory: str, hits: list[Hit]) -> None:
        linked = {other.id for other, _how in self._extras.related} if self._extras else set()
        self.similar.set_rows(
            self._link_row(
                f"{hit.relevance:.0%}",
                title(hit.memory),
                lambda other=hit.memory: self.memory_wanted.emit(other.id),
            )
            for hit in hits
            if hit.memory.id not in linked
        )

    def _link_row(self, how: str, text: str, act) -> QWidget:  # type: ignore[no-untyped-def]
        link = LinkLine(text, act)
        head = [label(how, "base", "label")] if how else []
        if head:
            head[0].setFixedWidth(112)
        line = row(*head, gap=0)
        line.addWidget(link, 1)
        holder = QWidget()
        holder.setLayout(line)
        return holder

    def _version_row(self, each: Version, *, latest: bool) -> QWidget:
        what = capital(each.kind)
        if each.fields:
            what += ": " + ", ".join(_field_words(each.fields))
        when = label(ago(each.at), "base", "label")
        when.setToolTip(exact(each.at))
        when.setFixedWidth(112)
        words = label(f"{what} · {author_word(each.author)}", "base", "faint" if each.undone else "")
        words.setToolTip(self.tr("{date} at {time}").format(date=long_date(each.at), time=clock(each.at)))
        shrinkable(words)
        line = row(when)
        line.addWidget(words, 1)
        if not latest and "state" not in each.fields:
            back = button(self.tr("Restore"), lambda: self._restore_version(each), "link")
            back.setToolTip(self.tr("Give the memory the text and fields that it had after this change"))
            line.addWidget(back)
        holder = QWidget()
        holder.setLayout(line)
        return holder

    def _paint(self) -> None:
        look = self._context.theme.palette
        kind = self._memory.kind if self._memory else Kind.NOTE
        self.kind.setStyleSheet(f"color: {look.kinds[kind]};")
        self.kind.setIcon(kind_icon(kind, look.kinds[kind]))
        for part, name in ((self.bin, "trash"), (self.copy, "copy"), (self.pin, "pin"), (self.mute, "mute")):
            ink = look.text if part.isChecked() else look.text_2
            part.setIcon(icon(name, ink))

    # Acting.

    def start_new(self) -> None:
        """An empty memory to be written; nothing is stored while it is empty."""
        if self.is_editing():
            self.editor.finish()
        self._memory, self._extras, self._new = None, None, True
        self._show_parts(False)
        self.title.setText(self.tr("New memory"))
        self.title.show()
        self._open_editor("")
        self.editor.setPlaceholderText(self.tr("What should be remembered?"))

    def edit(self) -> None:
        """Puts the caret into the text."""
        if self._memory is None or self.is_editing():
            return
        self._open_editor(self._memory.content)

    def edit_tags(self) -> None:
        self.tags.entry.setFocus()

    def toggle_pin(self) -> None:
        if self._memory is not None:
            self._set(pinned=not self._memory.pinned)

    def toggle_mute(self) -> None:
        if self._memory is not None:
            self._set(muted=not self._memory.muted)

    def open_source(self) -> None:
        """Opens the kept file that the memory was made from."""
        if self._memory is not None and self._memory.provenance.file:
            file = Path(self._memory.provenance.file)
            folder = Path(self._context.vault.path)
            open_file(context=self._context, path=file if file.is_absolute() else folder / file)

    def _begin_writing(self) -> None:
        self._writing = Writing(self._context, self._memory.id if self._memory else None, self)
        self._writing.made.connect(self._made)
        self._writing.stored.connect(self._stored)
        self._writing.refused.connect(self._refused)

    def _open_editor(self, text: str) -> None:
        self._begin_writing()
        self._say_problem("")
        self.editor.begin(text)
        self.text.hide()
        if not self._new:
            self.title.hide()
        self.editor.show()
        self.hint.show()
        self.editor.setFocus()
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)

    def _end_edit(self) -> None:
        if not self.is_editing():
            return
        self.editor.hide()
        self.hint.hide()
        self._show_parts(True)
        if self._memory is not None:
            self._fill_text(self._memory)
        elif self._new:
            self._new = False
        self.left.emit()

    def _show_parts(self, shown: bool) -> None:
        for part in (self.facts, self.tags, self.kind, self.pin, self.mute, self.bin):
            part.setVisible(shown)
        if not shown:
            self.restore.hide()
            self._similar.look(None)
            for section in (self.related, self.similar, self.insights, self.history):
                section.hide()

    def _save_text(self, text: str) -> None:
        self._new = False
        self._say_problem("")
        self._writing.store(text)

    def _made(self, memory: Memory) -> None:
        if self._memory is None:
            self._memory = memory
            if not self.is_editing():
                self._show_parts(True)
        self.made.emit(memory.id)

    def _set(self, **fields: Any) -> None:
        memory = self._memory
        if memory is None:
            return
        self._say_problem("")
        edit_memory(
            context=self._context, memory=memory.id, on_done=self._stored, on_failed=self._refused, **fields
        )

    def _stored(self, memory: Memory) -> None:
        if self._memory is not None and self._memory.id == memory.id:
            self.show_memory(memory)

    def _refused(self, error: Exception) -> None:
        banner: Banner = self._context.notices.worded(error)
        self._say_problem(" ".join(part for part in (banner.title + ".", banner.detail, banner.hint) if part))
        if self._memory is not None:
            self._fill_facts(self._memory)

    def _say_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _slid(self, value: int) -> None:
        self.share.setText(f"{value / 100:.2f}")
        self._slide.start()

    def _save_importance(self) -> None:
        value = self.importance.value() / 100
        if self._memory is not None and abs(self._memory.importance - value) > 0.004:
            self._set(importance=value)

    def _open_expiry(self) -> None:
        menu = ExpiryMenu(self)
        menu.chosen.connect(lambda moment: self._set(expires_at=moment))
        menu.open_under(self.expires)

    def _kind_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for kind in Kind:
            act = menu.addAction(kind_word(kind))
            act.setCheckable(True)
            act.setChecked(self._memory is not None and self._memory.kind is kind)
            act.triggered.connect(lambda _on=False, kind=kind: self._set(kind=kind))
        menu.popup(self.kind.mapToGlobal(self.kind.rect().bottomLeft()))

    def _copy_id(self) -> None:
        from PySide6.QtGui import QGuiApplication

        if self._memory is not None:
            QGuiApplication.clipboard().setText(self._memory.id)
            self._context.notices.toast(self.tr("Id copied"))

    def _trash(self) -> None:
        if self._memory is not None:
            trash_memories(context=self._context, memories=[self._memory.id])

    def _restore(self) -> None:
        if self._memory is not None:
            restore_memories(context=self._context, memories=[self._memory.id])

    def _restore_version(self, each: Version) -> None:
        if self._memory is not None:
            restore_version(context=self._context, memory=self._memory.id, operation=each.operation)

    def _all_changes(self) -> None:
        if self._memory is not None:
            self.pane_wanted.emit("history", self._memory.id)


def _holder(*items: QWidget | int) -> QWidget:
    made = QWidget()
    made.setLayout(row(*items, gap=8))
    return made


def _stacked(*items: QWidget) -> QWidget:
    made = QWidget()
    made.setLayout(column(*items))
    return made


def _left(widget: QWidget) -> QWidget:
    return _holder(widget, -1)


def _field_words(fields: tuple[str, ...]) -> list[str]:
    hidden = {"updated_at", "content_hash", "is_consolidated", "version"}
    return [field.replace("_", " ") for field in fields if field not in hidden]
