"""Between the search field and the pane that is shown: each pane keeps a query of its own."""

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from reverie_gui.pane_stack import PaneStack
from reverie_gui.panes.base import Pane
from reverie_gui.preferences import Preferences
from reverie_gui.widgets.query_words import toggled
from reverie_gui.widgets.search_field import EXAMPLES, SearchField

_RECENT = 10
_STOOD = 3000  # milliseconds after which a query is worth offering again


class Searching(QObject):
    """Signals: ``asked(str pane, str query)`` the shown pane was given another query by the person."""

    asked = Signal(str, str)

    def __init__(self, field: SearchField, stack: PaneStack, settings: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._field, self._stack, self._settings = field, stack, settings
        self._queries: dict[str, str] = {}
        field.recent = lambda: settings.texts("recent") if self._shares_queries() else []
        field.complete = lambda key, prefix: stack.pane.complete(key, prefix) if stack.pane else []
        field.queried.connect(self._search)
        stack.query_wanted.connect(field.set_query)
        stack.search_wanted.connect(self.focus)

    def query(self, name: str) -> str:
        """The query that a pane has now, or had last."""
        return self._queries.get(name, "")

    def enter(self, pane: Pane, name: str, query: str | None = None) -> None:
        """The pane is shown now, with its own last query or with the one that is given."""
        if query is not None:
            self._queries[name] = query
        field, text = self._field, self.query(name)
        field.hide_popovers()
        field.examples = EXAMPLES if pane.examples is None else pane.examples
        if pane.searches:
            field.blockSignals(True)
            field.setText(text)
            field.blockSignals(False)
            field.settle(text)
            pane.search(text)

    def narrow(self, term: str, *, minus: bool) -> None:
        """A facet was chosen: its term goes into the query, or out of it."""
        self._field.set_query(toggled(self._field.text(), term, minus=minus))

    def focus(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_language(self) -> None:
        self.focus()
        self._field.show_card()

    def _search(self, text: str) -> None:
        pane, name = self._stack.pane, self._stack.pane_id
        if pane is None or not pane.searches:
            return
        self._queries[name] = text
        self.asked.emit(name, text)
        pane.search(text)
        if len(text) > 2 and self._shares_queries():
            QTimer.singleShot(_STOOD, self, lambda: self._remember(text))

    def _shares_queries(self) -> bool:
        """Whether the pane asks for memories: then it offers what was asked elsewhere."""
        return self._stack.pane is not None and self._stack.pane.examples is None

    def _remember(self, text: str) -> None:
        if self._field.text().strip() == text:
            rest = [each for each in self._settings.texts("recent") if each != text]
            self._settings.set_texts("recent", [text, *rest][:_RECENT])
