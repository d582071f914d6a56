"""Turns the text of the search field into ordered ids: on a worker, the latest query wins."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, QTimer, Signal

from reverie.domain.memory import Facets, Memory, MemoryFilter, Sort
from reverie.domain.search import Hit
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.models.ordered_ids import OrderedIds
from reverie_gui.theme.tokens import MOTION
from reverie_gui.widgets.query_words import plain_words

HITS = 300  # as many as a person will look through; a list without words has no limit


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. meaning: by meaning too, else by keyword with the last word as a beginning."""

    query: str
    sort: Sort
    by_match: bool
    kb: str | None
    meaning: bool


@dataclass(frozen=True, slots=True)
class Found:
    """An answer. total: how many there are without the query. milliseconds: from the question to here."""

    query: str
    words: str
    ids: OrderedIds
    total: int
    milliseconds: int
    hits: Mapping[str, Hit] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    values: tuple[Memory, ...] = ()
    problems: tuple[str, ...] = ()
    final: bool = True
    filter: MemoryFilter = field(default_factory=MemoryFilter)


class Results(QObject):
    """Asks in two steps: by keyword at once, by meaning after a pause in typing.

    Signals: ``found(Found)`` with an answer; ``counted(Facets)`` the facets of the last answer.
    """

    found = Signal(object)
    counted = Signal(object)

    def __init__(
        self, context: Context, name: str, base: MemoryFilter, parent: QObject | None = None
    ) -> None:
        """``base`` is what each query narrows; ``name`` keeps the channels of two panes apart."""
        super().__init__(parent)
        self._context = context
        self._channel = f"results/{name}"
        self._base = base
        self._query = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(MOTION.rank_pause)
        self._pause.timeout.connect(self._ask_meaning)
        self.sort = Sort.NEWEST
        self.by_match = True  # with words: best match first, else ``sort``
        self.kb: str | None = None

    def ask(self, query: str) -> None:
        """A new text in the field."""
        self._query = query
        self._pause.stop()
        self._start(meaning=False)

    def again(self) -> None:
        """The vault changed: the same question."""
        self._pause.stop()
        self._start(meaning=True)

    def count(self, query: str, on_done: Callable[[int], object]) -> None:
        """How many another query would find (by keyword, where it has words)."""
        vault, base = self._context.vault, replace(self._base, kb=self.kb)

        def work(_task: Task[None]) -> int:
            asked = vault.query(query, base)
            if not asked.text:
                return vault.memories.count(asked.filter)
            return len(vault.search(asked.text, filter=asked.filter, limit=HITS, mode="keyword"))

        self._context.tasks.run(work, on_done=on_done, channel=f"{self._channel}/count", owner=self)

    def _ask_meaning(self) -> None:
        self._start(meaning=True)

    def _start(self, *, meaning: bool) -> None:
        query, sort, by_match, kb = self._query, self.sort, self.by_match, self.kb

        def work(task: Task[None]) -> Found:
            return self._answer(task, Question(query, sort, by_match, kb, meaning))

        self._context.tasks.run(work, on_done=self._answered, channel=self._channel, owner=self)

    def _answer(self, task: Task[None], question: "Question") -> Found:
        """On a worker."""
        vault = self._context.vault
        begun = time.perf_counter()
        base = replace(self._base, kb=question.kb)
        asked = vault.query(question.query, base)
        words, wanted = asked.text, asked.filter
        hits: dict[str, Hit] = {}
        if words:
            found = vault.search(
                words,
                filter=wanted,
                limit=HITS,
                mode="hybrid" if question.meaning else "keyword",
                prefix=not question.meaning,
                cancelled=task.cancelled,
            )
            hits = {hit.memory.id: hit for hit in found}
            ids = OrderedIds(hits if question.by_match else _sorted(hits, question.sort))
        else:
            ids = OrderedIds(vault.memories.ids(wanted, question.sort))
        values = [hit.memory for hit in hits.values()] or vault.memories.get_many(ids[:64])
        return Found(
            query=question.query,
            words=words,
            ids=ids,
            total=vault.memories.count(base),
            milliseconds=round((time.perf_counter() - begun) * 1000),
            hits=hits,
            marks=plain_words(words),
            values=tuple(values),
            problems=asked.problems,
            final=question.meaning or not words,
            filter=wanted,
        )

    def _answered(self, found: Found) -> None:
        if not found.final:
            self._pause.start()
        self.found.emit(found)
        if found.words:
            self.counted.emit(facets_of([hit.memory for hit in found.hits.values()]))
            return
        vault, wanted = self._context.vault, found.filter
        self._context.tasks.run(
            lambda _task: vault.memories.facets(wanted),
            on_done=self.counted.emit,
            channel=f"{self._channel}/facets",
            owner=self,
        )


def facets_of(memories: list[Memory]) -> Facets:
    """Counts over what was found, which are at hand."""
    return Facets(
        total=len(memories),
        kinds=Counter(memory.kind.value for memory in memories),
        categories=Counter(memory.category for memory in memories),
        tags=Counter(tag for memory in memories for tag in memory.tags),
        sources=Counter(memory.provenance.source for memory in memories if memory.provenance.source),
    )


def _sorted(hits: Mapping[str, Hit], sort: Sort) -> list[str]:
    """Found memories in the order of the list."""
    memories = [hit.memory for hit in hits.values()]
    if sort is Sort.CATEGORY:
        return [memory.id for memory in sorted(memories, key=lambda m: (m.category.casefold(), m.id))]
    if sort is Sort.IMPORTANCE:
        return [memory.id for memory in sorted(memories, key=lambda m: -m.importance)]
    if sort is Sort.UPDATED:
        return [memory.id for memory in sorted(memories, key=lambda m: m.updated_at, reverse=True)]
    newest = sorted(memories, key=lambda m: m.created_at, reverse=sort is not Sort.OLDEST)
    return [memory.id for memory in newest]
