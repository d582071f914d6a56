"""Collections of the store that can be searched."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reverie.domain.arguments import checked
from reverie.domain.conversation import MessageFilter
from reverie.domain.insight import InsightFilter
from reverie.domain.search import Hit
from reverie.search.modes import Mode
from reverie.store.conversations import Conversations
from reverie.store.insights import Insights
from reverie.store.readers import Readers
from reverie.store.working import WorkingMemory
from reverie.store.writer import Writer

if TYPE_CHECKING:
    from reverie.search.engine import SearchEngine


class SearchedConversations(Conversations):
    def __init__(
        self, writer: Writer, readers: Readers, engine: "Callable[[], SearchEngine[MessageFilter]]"
    ) -> None:
        super().__init__(writer, readers)
        self._engine = engine

    def search(
        self,
        query: str,
        sessions: Sequence[str] | None = None,
        limit: int = 10,
        *,
        kb: str | None = None,
        mode: Mode = "hybrid",
    ) -> list[Hit]:
        """The best messages for a literal text, best first, each as ``hit.message``; "" finds nothing.

        sessions: only in these; None is all. A message counts with what was said around it.
        """
        wanted = MessageFilter(None if sessions is None else tuple(sessions), kb)
        return self._engine().search(query, wanted, limit, mode)


class SearchedInsights(Insights):
    def __init__(
        self, writer: Writer, readers: Readers, engine: "Callable[[], SearchEngine[InsightFilter]]"
    ) -> None:
        super().__init__(writer, readers)
        self._engine = engine

    def search(
        self, query: str, kb: str | None = None, limit: int = 10, *, mode: Mode = "hybrid"
    ) -> list[Hit]:
        """The best insights for a literal text, best first, each as ``hit.insight``; "" finds nothing."""
        return self._engine().search(query, InsightFilter(kb), limit, mode)


@checked
class SearchedWorking(WorkingMemory):
    def search(
        self,
        query: str,
        *,
        prefix: str = "",
        category: str | None = None,
        tags: Sequence[str] = (),
        limit: int = 10,
    ) -> list[Hit]:
        """The best entries for a literal text, by words, best first, each as ``hit.working``; "" finds nothing.

        prefix, category, tags: only among what ``list`` gives for them. Keys, categories and tags are searched too.
        """
        from reverie.search.working import find  # it brings NumPy

        return find(query, self.list(prefix, category=category, tags=tags), limit)
