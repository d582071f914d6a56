"""One file from the inbox to its memories: read, cut, described, stored in one act, then moved away."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.domain.memory import Provenance
from reverie.domain.progress import Cancel
from reverie.errors import Cancelled, UserError
from reverie.i18n import _
from reverie.ingest import intake
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors.base import MEGABYTE, Extracted, Limits, NoText, Part, TooLarge
from reverie.ingest.isolated import Readers
from reverie.reason.base import Description, Reasoner
from reverie.settings import Settings
from reverie.store import inbox as store
from reverie.store.memories import Memories
from reverie.store.memory_rows import to_row
from reverie.store.writer import Tx

_DESCRIBED_AT_ONCE = 32
_BEAT_S = 1.0
_MOST_NOTES = 3  # of the slices of one file
_LONGEST_ABOUT = 4096  # characters of what a file says of itself that every memory out of it repeats


@dataclass(frozen=True, slots=True)
class Pipeline:
    folder: Path
    items: store.InboxItems
    memories: Memories
    reasoner: Callable[[], Reasoner]
    settings: Callable[[], Settings]
    readers: Readers = field(default_factory=Readers)

    def process(self, item: InboxItem, stop: Cancel) -> None:
        """Work a claimed item off; what comes of it is the item's state. After the last one: ``readers.rest()``.

        Raises Cancelled (the item waits again) and bugs (the item is failed).
        """
        beat = _Beat(self.items, item, stop)
        try:
            self._process(item, beat)
        except Cancelled:
            self.items.change(item.id, state=ItemState.WAITING, progress=0.0)
            raise
        except TooLarge as error:
            self._end(item, ItemState.TOO_LARGE, error)
        except UserError as error:
            self._end(item, ItemState.FAILED, error)
        except Exception:
            self._end(item, ItemState.FAILED, UserError(_("Reading this file failed"), retryable=True))
            raise

    def _process(self, item: InboxItem, beat: "_Beat") -> None:
        path = self.folder / item.path
        intake.check(path)
        content_hash = intake.hash_of(path)
        twin = self.items.twin(content_hash, item.kb, item.id)
        if twin is not None:
            self._known(item, twin, path)
            return
        self._store(item, path, content_hash, _Reading(path.stat().st_size), beat)

    def _slices(
        self, item: InboxItem, path: Path, reading: "_Reading", beat: "_Beat"
    ) -> Iterator[list[tuple[Part, Description]]]:
        """All of a file at once; a very large text slice by slice, so that memory is bounded."""
        limits = self._limits(item.override)
        while True:
            extracted = self.readers.extract(path, limits, beat.stopped)
            reading.add(extracted)
            parts = chunk(extracted.parts, words=self.settings().ingest.chunk_words)
            if parts:
                reading.pieces += len(parts)
                yield list(zip(parts, self._describe(parts, reading, beat), strict=True))
            if not extracted.goes_on_at:
                break
            limits = replace(limits, start=extracted.goes_on_at)
        if not reading.pieces:
            raise NoText(
                _("There is no text worth a memory in this file"),
                detail=reading.note,
                hint=_("It holds only numbers or marks, or fewer than ten characters"),
            )

    def _limits(self, override: Override) -> Limits:
        return Limits(
            first_part=override == Override.FIRST_PART,
            anyway=override == Override.ANYWAY,
            text_bytes=self.settings().ingest.max_text_mb * MEGABYTE,
        )

    def _describe(self, parts: Sequence[Part], reading: "_Reading", beat: "_Beat") -> list[Description]:
        """One for each part; a text that comes again and again is described once."""
        reasoner = self.reasoner()
        texts = list(dict.fromkeys(part.text for part in parts))
        described: dict[str, Description] = {}
        for start in range(0, len(texts), _DESCRIBED_AT_ONCE):
            if beat.stopped():
                raise Cancelled
            batch = texts[start : start + _DESCRIBED_AT_ONCE]
            described.update(zip(batch, reasoner.describe(batch, cancelled=beat.stopped), strict=True))
            beat.progress = reading.share(len(described) / len(texts))
        return [described[part.text] for part in parts]

    def _store(
        self,
        item: InboxItem,
        path: Path,
        content_hash: str,
        reading: "_Reading",
        beat: "_Beat",
    ) -> None:
        """All memories and the item's new state in one act; only then does the file move."""
        inside = path.resolve().is_relative_to(self.folder.resolve())
        target = intake.free_name(path.parent / intake.PROCESSED, item.name) if inside else path
        file = intake.stored_path(target, self.folder)
        author = f"ingest:{item.id}"
        rows = (
            to_row(
                {
                    "content": part.text,
                    "kb": item.kb,
                    "summary": description.summary,
                    "entities": description.entities,
                    "topics": description.topics,
                    "importance": description.importance,
                    "metadata": reading.about(),
                    "provenance": Provenance(source=item.name, file=file, place=part.place, item=item.id),
                },
                author,
            )
            for described in self._slices(item, path, reading, beat)
            for part, description in described
        )

        def finish(tx: Tx) -> None:
            if not store.is_claimed(tx, item.id):
                raise Cancelled  # another process took it over: its result stands
            tx.detail.update(item=item.id, name=item.name)
            store.finish(
                tx, item.id, path=file, origin=item.path, reason=reading.note, content_hash=content_hash
            )

        self.memories.insert("ingest file", rows, author=author, also=finish)
        if inside:
            intake.move_away(path, target)

    def _known(self, item: InboxItem, twin: InboxItem, path: Path) -> None:
        """The copy goes only where the twin's own copy is still kept."""
        reason = _("The same content was added as “{name}”").format(name=twin.name)
        kept = self.folder / twin.path
        values: dict[str, Any] = {"state": ItemState.KNOWN, "reason": reason, "duplicate_of": twin.id}
        if path.resolve().is_relative_to(self.folder.resolve()) and kept.is_file():
            self.items.change(item.id, **values, path=twin.path, origin=item.path)
            path.unlink(missing_ok=True)
        else:
            self.items.change(item.id, **values)

    def _end(self, item: InboxItem, state: ItemState, error: UserError) -> None:
        self.items.change(
            item.id, state=state, reason=error.reason, hint=error.hint, retryable=int(error.retryable)
        )


@dataclass(slots=True)
class _Reading:
    """What is known of a file by now. ``size`` in bytes."""

    size: int
    pieces: int = 0
    notes: dict[str, None] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    start: int = 0  # of the slice that is being read, in bytes
    end: int = 0
    _is_told: bool = False
    _repeated: dict[str, Any] = field(default_factory=dict)

    @property
    def note(self) -> str:
        return " ".join(list(self.notes)[:_MOST_NOTES])

    def add(self, extracted: Extracted) -> None:
        if extracted.note:
            self.notes[extracted.note] = None
        self.metadata = self.metadata or extracted.metadata
        self.start, self.end = self.end, extracted.goes_on_at or self.size

    def share(self, of_slice: float) -> float:
        """How much of the file is described, 0..1."""
        return (self.start + (self.end - self.start) * of_slice) / max(1, self.size)

    def about(self) -> dict[str, Any]:
        """The metadata of the next memory: what the file says of itself.

        A table of 100,000 columns, repeated by each of its memories, would be gigabytes: the first one has it then.
        """
        whole = {"file": dict(self.metadata)} if self.metadata else {}
        if not self._is_told:
            self._is_told = True
            self._repeated = whole if len(json.dumps(whole, default=str)) <= _LONGEST_ABOUT else {}
            return whole
        return self._repeated


class _Beat:
    """Keeps a claim alive and the progress shown, whenever somebody asks whether to stop."""

    def __init__(self, items: store.InboxItems, item: InboxItem, stop: Cancel) -> None:
        self._items = items
        self._item = item
        self._stop = stop
        self._last = time.monotonic()
        self.progress = 0.0

    def stopped(self) -> bool:
        now = time.monotonic()
        if now - self._last > _BEAT_S:
            self._last = now
            self._items.renew(self._item.id, self.progress)
        return self._stop()
