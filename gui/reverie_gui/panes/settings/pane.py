"""The pane of settings: one column, made from the declarations, applied at once."""

from typing import ClassVar

from PySide6.QtWidgets import QStackedWidget, QWidget

from reverie.settings import Settings
from reverie_gui.appearance import LOOKS
from reverie_gui.context import Context
from reverie_gui.operations.files import open_folder
from reverie_gui.operations.settings import refresh_settings
from reverie_gui.panes.base import Pane
from reverie_gui.panes.settings.row import SettingRow
from reverie_gui.panes.settings.words import Group, groups, matches
from reverie_gui.theme.fonts import scaled
from reverie_gui.widgets.detail_page import DetailPage
from reverie_gui.widgets.empty import EmptyState
from reverie_gui.widgets.looks import button, column, label, row
from reverie_gui.wording import number

_WIDTH = 560


class SettingsPane(Pane):
    """The search field filters; nothing here has an OK button."""

    searches: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...] | None] = ()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.placeholder = self.tr("Find a setting, Ctrl+F")  # type: ignore[misc]
        self._query = ""
        self.rows: list[SettingRow] = []
        self._groups: list[tuple[Group, QWidget, list[SettingRow]]] = []
        self.page = DetailPage()
        self.page.column.setMaximumWidth(scaled(_WIDTH))
        self._build()
        self.empty = EmptyState()
        self.parts = QStackedWidget()
        self.parts.addWidget(self.page)
        self.parts.addWidget(self.empty)
        self.body.addWidget(self.parts, 1)
        context.settings.changed.connect(self._preferred)
        context.theme.changed.connect(self._fit)

    def _build(self) -> None:
        settings = self.context.vault.held_settings  # in memory: no file is read here
        for group in groups():
            made = [SettingRow(self.context, info, settings) for info in group.settings]
            layout = column(label(group.title, "title"), gap=12)
            if group.dangerous:
                note = self.tr("These remove things for good. Nothing is removed as long as they are 0.")
                layout.addWidget(label(note, "base", "meta", wrap=True))
            for each in made:
                layout.addWidget(each)
            layout.addSpacing(16)
            box = QWidget()
            box.setLayout(layout)
            box.setAccessibleName(group.title)
            self.page.content.addWidget(box)
            self._groups.append((group, box, made))
            self.rows += made
        self.page.content.addWidget(self._build_foot())
        self.page.content.addStretch(1)

    def _build_foot(self) -> QWidget:
        file = self.context.vault.path / "settings.toml"
        layout = column(gap=4)
        unknown = self.context.vault.held_settings.unknown
        if unknown:
            words = self.tr("Not known here, and left alone: {names}").format(names=", ".join(unknown))
            layout.addWidget(label(words, "meta", "warn", wrap=True))
        kept = self.tr("Kept in {file}").format(file=file)
        layout.addWidget(label(kept, "meta", "faint", wrap=True, select=True))
        folder = button(
            self.tr("Show in folder"), lambda: open_folder(context=self.context, path=file), "link"
        )
        layout.addLayout(row(folder, -1))
        self._foot = QWidget()
        self._foot.setLayout(layout)
        return self._foot

    def _fit(self) -> None:
        self.page.column.setMaximumWidth(scaled(_WIDTH))

    # What the window asks.

    def search(self, query: str) -> None:
        self._query = query
        found = 0
        for group, box, made in self._groups:
            shown = 0
            for each in made:
                fits = matches(each.info, group, query)
                each.setVisible(fits)
                shown += fits
            box.setVisible(shown > 0)
            found += shown
        self._foot.setVisible(not query)
        self.parts.setCurrentWidget(self.page if found else self.empty)
        if not found:
            self.empty.say(
                self.tr("No setting matches {query}").format(query=query),
                self.tr("Try another word for it."),
                self.tr("Show all settings"),
                lambda: self.query_wanted.emit(""),
            )
        self.page.to_top()
        self._tell_status(found)

    def activated(self) -> None:
        """Another program may have changed the file since."""
        self._show_all(self.context.vault.held_settings)
        refresh_settings(context=self.context, on_changed=self._show_all, owner=self)
        self._tell_status(sum(not each.isHidden() for each in self.rows))

    def focus_list(self) -> None:
        first = self._first()
        if first is not None:
            first.setFocus()

    def stops(self) -> list[QWidget]:
        first = self._first()
        return [first] if first is not None else []

    def _first(self) -> QWidget | None:
        shown = (each.control.entry for each in self.rows if each.isVisible())
        return next((entry for entry in shown if entry.focusPolicy()), None)

    def _tell_status(self, found: int) -> None:
        words = self.tr("{count} of {total} settings") if self._query else self.tr("{total} settings")
        self.status.emit(words.format(count=number(found), total=number(len(self.rows))))

    def _show_all(self, settings: Settings) -> None:
        for each in self.rows:
            each.show_settings(settings)

    def _preferred(self, name: str) -> None:
        """A menu changed the theme or the density: shown before the vault has stored it."""
        look = next((each for each in LOOKS if each.name == name), None)
        if look is not None:
            value = look.stored(self.context.settings.text(name, look.default))
            for each in self.rows:
                if each.info.key == look.key:
                    each.control.show_value(value)
