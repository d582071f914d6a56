"""A vault: one store, opened with all that works on it. Thin: the parts do the work."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from reverie.domain.arguments import checked
from reverie.domain.changes import PERSON, ChangeSet
from reverie.domain.dream import DreamRun
from reverie.domain.inbox import InboxItem
from reverie.domain.memory import Memory, MemoryFilter
from reverie.domain.progress import Cancel, Progress, never
from reverie.domain.receipt import Receipt, RetentionReport
from reverie.domain.search import Hit
from reverie.domain.text import clean
from reverie.domain.transfer import ExportReport, ImportReport
from reverie.embed.base import Embedder
from reverie.embed.slot import EmbedderSlot
from reverie.errors import ReverieError, UserError
from reverie.i18n import _
from reverie.ingest.inbox import Inbox
from reverie.ingest.pipeline import Pipeline
from reverie.reason.base import Reasoner
from reverie.search import query as language
from reverie.search.indexer import Indexer
from reverie.search.modes import MODES, Mode
from reverie.search.searched import SearchedConversations, SearchedInsights, SearchedWorking
from reverie.settings import LiveSettings, Settings, vault_places
from reverie.store.database import Database

if TYPE_CHECKING:
    from reverie.dream.dreaming import Dreaming
    from reverie.search.finders import Finders

_UNUSABLE = re.compile("[\0\ud800-\udfff]")  # SQLite takes file names in UTF-8 alone


@checked
class Vault:
    """Open one with ``Vault.open``. Every method blocks and may be called from any thread.

    Attributes: path (its folder), file, memories, insights, conversations, working, inbox, dreams, history, kbs,
    index, events, settings.
    """

    def __init__(self, folder: Path, file: Path) -> None:
        self.path = folder
        self.file = file
        self._settings = LiveSettings(folder, self._after_settings)
        self._database = database = Database(file, folder)
        self._embedder = EmbedderSlot(_load_embedder)
        self.memories = database.memories
        self.insights = SearchedInsights(database.writer, database.readers, lambda: self._finders.insights)
        self.conversations = SearchedConversations(
            database.writer, database.readers, lambda: self._finders.messages
        )
        self.working = SearchedWorking(database.writer, database.readers, lambda: self.settings.working)
        self.history = database.history
        self.kbs = database.knowledge_bases
        self.events = database.events
        self.index = Indexer(database.embeddings, database.leases, self._embedder, self._tidy)
        pipeline = Pipeline(folder, database.inbox, database.memories, self.reasoner, lambda: self.settings)
        self.inbox = Inbox(folder, database.inbox, database.knowledge_bases, pipeline, lambda: self.settings)
        self.events.subscribe(self._after_change)
        self._closed = False

    @classmethod
    def open(cls, path: str | Path | None = None) -> Self:
        """Open the vault at ``path``, making it if missing; None is the person's default vault.

        A path that ends in .db, .sqlite, .sqlite3 or .reverie is the database itself, its folder stands
        beside it; any other path is the folder. Raises UserError where it can't be opened.
        """
        folder, file = vault_places(path)
        if _UNUSABLE.search(str(file)):
            raise UserError(
                _("The folder of the vault has a name that is no valid Unicode"),
                detail=clean(str(file)),
                hint=_("Rename the folder, or choose another one"),
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                _("The folder of the vault can't be made"),
                detail=f"{folder}: {error.strerror}",
                hint=_("Allow writing there, or choose another folder"),
                retryable=True,
            ) from error
        return cls(folder, file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what runs, finish what is being written. Idempotent."""
        if self._closed:
            return
        self._closed = True
        if "dreams" in self.__dict__:
            self.dreams.close()
        self.inbox.close()
        self.index.close()
        with suppress(ReverieError):  # a full disk, a held lock: the index is made anew another time
            self._tidy(first_only=True)
        self._database.close()

    @cached_property
    def dreams(self) -> "Dreaming":
        """Dreams now, and what earlier ones did. Loaded when first asked for: it brings NumPy."""
        from reverie.dream.dreaming import Dreaming

        return Dreaming(
            self._database.dreams, self.index, self._embedder.get, self.reasoner, lambda: self.settings
        )

    # Finding

    @cached_property
    def _finders(self) -> "Finders":
        from reverie.search.finders import Finders

        return Finders(
            self._database, self.path, self._embedder.get, lambda: self.settings.search.cosine_threshold
        )

    def search(
        self,
        text: str,
        kb: str | None = None,
        category: str | None = None,
        tags: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 10,
        mode: Mode = "hybrid",
        *,
        filter: MemoryFilter | None = None,
        prefix: bool = False,
        cancelled: Cancel | None = None,
    ) -> list[Hit]:
        """The best memories for a literal text, best first; "" finds nothing.

        mode: "hybrid", "keyword" or "semantic". prefix: the last word may be the beginning of one.
        filter: used in place of the other narrowing arguments. Without an embedder the search is by words.
        """
        if mode not in MODES:
            raise UserError(
                _("“{mode}” is no way to search").format(mode=mode),
                hint=", ".join(MODES),  # not translated: words of the interface
            )
        wanted = filter or MemoryFilter(kb=kb, category=category, tags=tuple(tags), since=since, until=until)
        return self._finders.memories.search(text, wanted, limit, mode, prefix=prefix, cancelled=cancelled)

    def related(self, memory_id: str, limit: int = 5) -> list[Hit]:
        """Memories about the same, of the same base, the nearest first: without itself, and without those that it or
        others have replaced. Raises NotFound."""
        memory = self.memories.get(memory_id)
        text = "\n".join(filter(None, (memory.key, memory.content)))
        return self._finders.memories.related(memory.id, text, MemoryFilter(kb=memory.kb), limit)

    def duplicates(
        self, threshold: float = 0.88, kb: str | None = None, cancelled: Cancel | None = None
    ) -> list[tuple[Memory, Memory, float]]:
        """Pairs of memories whose vectors are at least this near (cosine, 0.5 to 1): older, newer, cosine; the
        nearest first. Finds all but a few of 100 pairs; nothing without an embedder. Raises Cancelled, UserError."""
        if not 0.5 <= threshold <= 1:
            raise UserError(_("The threshold is a cosine from 0.5 to 1"), detail=str(threshold))
        found = self._finders.memories.pairs(threshold, MemoryFilter(kb=kb), cancelled or never)
        return [(cast(Memory, first), cast(Memory, second), cosine) for first, second, cosine in found]

    def warm_up(self) -> None:
        """Read the index of the memories now: else the first search does, a second for 100,000 without a snapshot."""
        self._finders.warm_up()

    def query(self, text: str, base: MemoryFilter | None = None) -> language.Query:
        """What the search language of the window's field makes of a text: words, filter, problems."""
        return language.parse(text, base)

    # Taking in and giving out

    def ingest(
        self,
        path: str | Path | Iterable[str | Path],
        kb: str = "default",
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
    ) -> list[InboxItem]:
        """Read one file or several now; returns an item each, failed ones with their reason."""
        paths = [path] if isinstance(path, (str, Path)) else list(path)
        return self.inbox.ingest(paths, kb, progress, cancelled)

    def export(
        self,
        path: str | Path,
        format: str = "json",
        *,
        kb: str | None = None,
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
    ) -> ExportReport:
        """Write everything (of one base, where ``kb`` is given) to a file: complete or not at all."""
        from reverie.transfer.export import export

        return export(self._database.dumps, Path(path), format, kb=kb, progress=progress, cancelled=cancelled)

    def import_(
        self, path: str | Path, *, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> ImportReport:
        """Take in what a dump of Reverie holds and this vault does not, as one changeset ``import:<id>``."""
        from reverie.transfer.restore import import_json

        return import_json(self._database.dumps, Path(path), progress=progress, cancelled=cancelled)

    # Dreaming

    def dream(
        self, kb: str = "default", progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> DreamRun:
        """Dream now: merge duplicates and find insights, as one changeset ``dream:<run>``."""
        return self.dreams.run(kb, progress, cancelled)

    # Undoing

    def undo(self, changeset: int | None = None, author: str = PERSON) -> ChangeSet:
        """Take back the person's last act, an author's last, or one changeset by its id."""
        return self.history.undo(changeset, author)

    def redo(self) -> ChangeSet:
        return self.history.redo()

    def empty_trash(
        self, kb: str | None = None, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> Receipt:
        """Forget what is in the trash, for good and everywhere."""
        return self._database.eraser.empty_trash(kb, progress, cancelled)

    def apply_retention(self, cancelled: Cancel | None = None) -> RetentionReport:
        """Remove for good what the settings "retention.trash_days" and "retention.history_days" say; 0 days is off.

        The window calls it after it has opened and once a day; nothing else does. Does nothing while another
        process is at it. Raises Cancelled (what went by then is gone), and UserError where the settings file is
        damaged: it may say by now that nothing should go. What has expired in working memory goes in any case.
        """
        self.working.sweep()
        wanted = self.reload_settings().retention
        return self._database.retention.apply(wanted.trash_days, wanted.history_days, cancelled)

    # Settings and parts

    @property
    def settings(self) -> Settings:
        """As they stand; what another process changed is seen within a second."""
        return self._settings.now()

    @property
    def held_settings(self) -> Settings:
        """As they were last read: for a thread that must not wait for a disk."""
        return self._settings.held

    def reload_settings(self) -> Settings:
        """As the file says at this moment. Raises UserError where it is damaged."""
        return self._settings.look()

    def change_setting(self, key: str, value: Any) -> None:
        """Set "group.name" for this vault; acts at once. Raises UserError for what is no such setting or value."""
        self._settings.change(key, value)

    def reset_setting(self, key: str | None = None) -> None:
        """Back to the default; None resets all."""
        self._settings.reset(key)

    def embedder(self) -> Embedder | None:
        """The embedder, None where there is none (``index.state`` says why)."""
        return self._embedder.get()

    def reasoner(self) -> Reasoner:
        from reverie.reason.builtin import Builtin

        return Builtin(self._embedder.get())

    def _after_settings(self) -> None:
        self.inbox.wake()  # how long it sleeps, and what it takes, may be another now

    def _tidy(self, *, first_only: bool = False) -> None:
        if "_finders" in self.__dict__:
            self._finders.tidy(first_only=first_only)

    def _after_change(self, changes: ChangeSet) -> None:
        if any(changes.touched(table) for table in ("memories", "messages", "insights")):
            self.index.wake()


def _load_embedder() -> Embedder:
    from reverie.embed.factory import shipped_embedder

    return shipped_embedder()
