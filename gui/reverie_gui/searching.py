"""Between the search field and the pane that is shown: each pane keeps a query of its own."""

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from reverie_gui.models.tree_model import Node
from reverie_gui.pane_stack import PaneStack
from reverie_gui.panes.base import Pane
from reverie_gui.preferences import Preferences
from reverie_gui.widgets.query_words import signs, toggled, with_term
from reverie_gui.widgets.search_field import EXAMPLES, SearchField

_RECENT = 10
_SINGLE = ("category", "source")  # a memory has one of these: the next one chosen takes its place
_SAVED = "saved"
_STOOD = 3000  # milliseconds after which a query is worth offering again


class Searching(QObject):
    """Signals: ``asked(str pane, str query)`` the shown pane was given another query by the person;
    ``facets(nodes, signs)`` those of the pane, with the saved searches under them.
    """

    asked = Signal(str, str)
    facets = Signal(list, dict)

    def __init__(self, field: SearchField, stack: PaneStack, settings: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._field, self._stack, self._settings = field, stack, settings
        self._queries: dict[str, str] = {}
        field.recent = lambda: settings.texts("recent") if self._shares_queries() else []
        field.complete = lambda key, prefix: stack.pane.complete(key, prefix) if stack.pane else []
        self._facets: tuple[list[Node], dict[str, str]] = ([], {})
        field.queried.connect(self._search)
        field.save_wanted.connect(self.toggle_saved)
        stack.facets.connect(self._show_facets)
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
        self._show_facets([], {})
        field.examples = EXAMPLES if pane.examples is None else pane.examples
        if pane.searches:
            field.blockSignals(True)
            field.setText(text)
            field.blockSignals(False)
            field.settle(text)
            pane.search(text)
        self._show_saved()

    def narrow(self, term: str, *, minus: bool) -> None:
        """A facet was chosen: its term goes into the query, or out of it; of a category or a source there is one.

        A saved search takes the place of the query; with ``minus`` it is forgotten.
        """
        query = self._field.text()
        key, _, value = term.partition(":")
        if key == _SAVED:
            if minus:
                self._save([each for each in self.saved() if each != value])
            else:
                self._field.set_query(value)
        elif key in _SINGLE and not minus and term not in signs(query):
            self._field.set_query(with_term(query, term))
        else:
            self._field.set_query(toggled(query, term, minus=minus))

    # Saved searches.

    def saved(self) -> list[str]:
        return self._settings.texts("saved")

    def toggle_saved(self) -> None:
        """Keeps the query in the sidebar, or forgets it."""
        query = self._field.text().strip()
        if query and self._shares_queries():
            kept = [each for each in self.saved() if each != query]
            self._save(kept if len(kept) < len(self.saved()) else [*kept, query])

    def _save(self, queries: list[str]) -> None:
        self._settings.set_texts("saved", queries)
        self._show_saved()
        self._show_facets(*self._facets)

    def _show_saved(self) -> None:
        query = self._field.text().strip()
        self._field.set_savable(bool(query) and self._shares_queries(), saved=query in self.saved())

    def _show_facets(self, nodes: list[Node], marks: dict[str, str]) -> None:
        self._facets = (nodes, marks)
        if self._shares_queries() and self.saved():
            query = self._field.text().strip()
            head = Node(self.tr("Saved searches"))
            for each in self.saved():
                head.add(Node(each, f"{_SAVED}:{each}"))
            nodes = [*nodes, head]
            marks = {**marks, **({f"{_SAVED}:{query}": "+"} if query in self.saved() else {})}
        self.facets.emit(nodes, marks)

    # The field.

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
        self._show_saved()
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
