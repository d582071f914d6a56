"""The inbox: what comes in by drop, paste, command or watched folder, and the worker that reads it."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from reverie.domain.arguments import checked
from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.domain.progress import Cancel, Progress, never
from reverie.domain.text import clean, first_sentence
from reverie.errors import Cancelled, ReverieError, UserError
from reverie.i18n import _
from reverie.ingest import intake
from reverie.ingest.extractors.base import MEGABYTE
from reverie.ingest.extractors.files import display_name
from reverie.ingest.pipeline import Pipeline
from reverie.ingest.watch import Watch
from reverie.settings import Settings
from reverie.store.inbox import InboxItems
from reverie.store.knowledge_bases import KnowledgeBases, clean_name

_OPEN = (ItemState.WAITING, ItemState.READING)
_ELSEWHERE_S = 0.1  # between looks at an item that another process reads


@checked
class Inbox:
    def __init__(
        self,
        folder: Path,
        items: InboxItems,
        bases: KnowledgeBases,
        pipeline: Pipeline,
        settings: Callable[[], Settings],
    ) -> None:
        self._folder = folder
        self._items = items
        self._bases = bases
        self._pipeline = pipeline
        self._settings = settings
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None
        self._at_work = threading.Condition()
        self._reading = 0  # calls that read files just now
        self._watch = Watch(self._wake)

    # Putting in

    def add(self, paths: Iterable[Path | str], kb: str = "default") -> list[InboxItem]:
        """Copy files into the inbox of a base, an item each; what can't be taken is a failed item.

        A file over the limit is not copied: it waits where it lies for "first part" or "anyway".
        """
        name = clean_name(kb)  # before a folder is made of it
        added = [self._add(Path(path), name) for path in paths]
        self._wake.set()
        return added

    def paste(self, text: str, kb: str = "default") -> InboxItem:
        """Put a text in as a file of its own. Raises UserError for an empty one."""
        cleaned = clean(text)
        if not cleaned.strip():
            raise UserError(_("There is no text to paste"), hint=_("Copy some text first"))
        kb = clean_name(kb)
        words = "".join(c if c.isalnum() or c in " -_" else " " for c in first_sentence(cleaned, 40))
        name = f"{' '.join(words.split()) or _('Pasted')}.txt"
        folder = self.folder_of(kb)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = intake.free_name(folder, name)
            partial = path.with_name(f".{path.name}.part")
            partial.write_text(cleaned, encoding="utf-8")
            partial.replace(path)
        except OSError as error:
            raise intake.unwritable(folder, error) from error
        size = path.stat().st_size
        item = self._items.add(kb=kb, name=path.name, path=self._stored(path), size=size, origin="paste")
        self._wake.set()
        return item

    def ingest(
        self,
        paths: Sequence[Path | str],
        kb: str = "default",
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
    ) -> list[InboxItem]:
        """Put files in and read them now; returns when each is finished, in the order given.

        Raises Cancelled (finished ones are kept, the others wait), also where the vault is closed meanwhile.
        """
        with self._busy(cancelled or never) as stop:
            wanted = [item.id for item in self.add(paths, kb)]
            return self._read_all(wanted, progress, stop)

    def _read_all(self, wanted: Sequence[str], progress: Progress | None, stop: Cancel) -> list[InboxItem]:
        done = -1
        while True:
            items = [self._items.get(item_id) for item_id in wanted]
            left = [item.id for item in items if item.state in _OPEN]
            if progress is not None and (finished := len(wanted) - len(left)) != done:
                done = finished
                progress(done, len(wanted), next((item.name for item in items if item.id in left), ""))
            if not left:
                return items
            if stop():
                raise Cancelled(len(wanted) - len(left))
            claimed = self._items.claim(only=left)
            if claimed is None:
                time.sleep(_ELSEWHERE_S)
                continue
            self._pipeline.process(claimed, stop)

    # Looking

    def items(self, kb: str | None = None, states: Sequence[ItemState] | None = None) -> list[InboxItem]:
        return self._items.items(kb, states)

    def get(self, item_id: str) -> InboxItem:
        return self._items.get(item_id)

    def counts(self) -> dict[ItemState, int]:
        return self._items.counts()

    def folder_of(self, kb: str) -> Path:
        """The inbox folder of a base, which may not exist yet."""
        own = next((base.inbox for base in self._bases.list() if base.name == kb), "")
        return Path(own) if own else self._folder / "inbox" / kb

    # Deciding

    def retry(self, item_id: str, override: Override = Override.NONE) -> InboxItem:
        """Read it again; ``override`` answers "too large". Raises NotFound."""
        item = self._items.get(item_id)
        if item.state in _OPEN:
            return item
        waiting = {"state": ItemState.WAITING, "reason": "", "hint": "", "progress": 0.0}
        self._items.change(item_id, override=str(override), **waiting)
        self._wake.set()
        return self._items.get(item_id)

    def ignore(self, item_id: str) -> InboxItem:
        """Leave it alone; the file stays where it is, and Retry takes it up again."""
        self._items.change(item_id, state=ItemState.IGNORED)
        return self._items.get(item_id)

    # Working

    def run(self, progress: Progress | None = None, cancelled: Cancel | None = None) -> int:
        """Look at the inbox folders, then work off what waits; returns how many items were read.

        Raises Cancelled with the number that is finished.
        """
        done = 0
        with self._busy(cancelled or never) as stop:
            self.look()
            try:
                while not stop() and (item := self._items.claim()) is not None:
                    self._pipeline.process(item, stop)
                    done += 1
                    if progress is not None:
                        progress(done, done + self._items.counts().get(ItemState.WAITING, 0), item.name)
            except Cancelled:
                raise Cancelled(done) from None
        return done

    @contextmanager
    def _busy(self, asked: Cancel) -> Iterator[Cancel]:
        """While files are read: gives what tells to stop. ``close`` waits until it is over."""
        with self._at_work:
            if self._stop.is_set():
                raise UserError(_("The vault is closed"))
            self._reading += 1
        try:
            yield lambda: self._stop.is_set() or asked()
        finally:
            self._pipeline.readers.rest()
            with self._at_work:
                self._reading -= 1
                self._at_work.notify_all()

    def watch(self, folder: Path | str, kb: str = "default") -> None:
        """Also take what comes into another folder; its files are copied, never moved. Raises UserError."""
        path = Path(folder).absolute()
        if not path.is_dir():
            raise UserError(
                _("There is no folder {path}").format(path=path), hint=_("Choose one that exists")
            )
        self._items.watch(str(path), kb)
        self._watch.add(path)
        self._wake.set()

    def unwatch(self, folder: Path | str) -> None:
        self._items.unwatch(str(Path(folder).absolute()))

    def watched(self) -> list[tuple[str, str]]:
        """(folder, base) of each watched folder."""
        return self._items.watched()

    def start(self) -> None:
        """Work in the background until ``close``: new files in the watched folders are found by themselves."""
        if self._worker is None:
            self._worker = threading.Thread(target=self._work, name="reverie-inbox", daemon=True)
            self._worker.start()

    def wake(self) -> None:
        """The worker looks again now, and by the settings of now."""
        self._wake.set()

    def close(self) -> None:
        """Stops what is being read, and waits for it: its items wait again."""
        self._stop.set()
        self._wake.set()
        self._watch.close()
        if self._worker is not None:
            self._worker.join()
        with self._at_work:
            self._at_work.wait_for(lambda: not self._reading)

    def look(self) -> int:
        """Make items of files that somebody put into an inbox or a watched folder; returns how many are new.

        Also finishes the move of a file whose memories were stored right before a crash.
        """
        found = 0
        for base in self._bases.list():
            if base.is_active:
                found += sum(self._take_up(path, base.name) for path in _files(self.folder_of(base.name)))
        for folder, kb in self._items.watched():
            found += sum(self._copy_new(path, kb) for path in _files(Path(folder)))
        return found

    def _take_up(self, path: Path, kb: str) -> bool:
        stored = self._stored(path)
        if self._items.at_path(stored) is not None:
            return False
        done = self._items.moved_from(stored)
        if done is not None and not (self._folder / done.path).exists():
            intake.move_away(path, self._folder / done.path)
            return False
        if not _is_still(path):
            return False
        name, size = display_name(path), path.stat().st_size
        self._items.add(kb=kb, name=name, path=stored, size=size, origin="folder")
        return True

    def _copy_new(self, path: Path, kb: str) -> bool:
        status = path.stat()
        mark = (status.st_size, status.st_mtime_ns)
        if not _is_still(path) or self._items.seen(str(path)) == mark:
            return False
        self.add([path], kb)
        self._items.mark_seen(str(path), *mark)
        return True

    def _work(self) -> None:
        self._watch.start([self._folder / "inbox", *(Path(folder) for folder, _kb in self._items.watched())])
        while not self._stop.is_set():
            try:
                self.run(cancelled=self._stop.is_set)
            except (Cancelled, ReverieError, OSError):
                pass  # told by the item's state; the others go on
            except Exception:  # noqa: BLE001 - a bug is told like that of any thread, and the others go on too
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
            self._wake.wait(self._settings().ingest.watch_interval_s)
            self._wake.clear()

    def _add(self, path: Path, kb: str) -> InboxItem:
        name = display_name(path)
        try:
            size = intake.check(path)
            if size > self._settings().ingest.max_text_mb * MEGABYTE:
                return self._items.add(kb=kb, name=name, path=_absolute(path), size=size)
            kept = intake.copy_into(path, self.folder_of(kb), name)
            origin = clean(str(path.absolute()))
            return self._items.add(kb=kb, name=name, path=self._stored(kept), size=size, origin=origin)
        except UserError as error:
            failed = {"state": ItemState.FAILED, "reason": error.reason, "hint": error.hint}
            where = clean(str(path.absolute()))
            return self._items.add(
                kb=kb, name=name, path=where, size=0, retryable=int(error.retryable), **failed
            )

    def _stored(self, path: Path) -> str:
        return intake.stored_path(path, self._folder)


def _absolute(path: Path) -> str:
    text = str(path.absolute())
    if clean(text) != text:
        raise UserError(
            _("The name of this file is not valid Unicode"), hint=_("Rename it, then drop it again")
        )
    return text


def _files(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing where it is not made yet, or on a drive that is away."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    except OSError:
        return []


def _is_still(path: Path) -> bool:
    """Not written to in the last second: what is still being copied is left until it is whole."""
    return time.time() - path.stat().st_mtime > 1.0
