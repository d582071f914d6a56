"""One file from the inbox to its memories: read, cut, described, stored in one act, then moved away."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
        extracted = self.readers.extract(path, self._limits(item.override), beat.stopped)
        parts = chunk(extracted.parts, words=self.settings().ingest.chunk_words)
        if not parts:
            raise NoText(
                _("There is no text worth a memory in this file"),
                detail=extracted.note,
                hint=_("It holds only numbers or marks, or fewer than ten characters"),
            )
        descriptions = self._describe(parts, beat)
        self._store(item, path, content_hash, extracted, list(zip(parts, descriptions, strict=True)))

    def _limits(self, override: Override) -> Limits:
        return Limits(
            first_part=override == Override.FIRST_PART,
            anyway=override == Override.ANYWAY,
            text_bytes=self.settings().ingest.max_text_mb * MEGABYTE,
        )

    def _describe(self, parts: Sequence[Part], beat: "_Beat") -> list[Description]:
        """One for each part; a text that comes again and again is described once."""
        reasoner = self.reasoner()
        texts = list(dict.fromkeys(part.text for part in parts))
        described: dict[str, Description] = {}
        for start in range(0, len(texts), _DESCRIBED_AT_ONCE):
            if beat.stopped():
                raise Cancelled
            batch = texts[start : start + _DESCRIBED_AT_ONCE]
            described.update(zip(batch, reasoner.describe(batch, cancelled=beat.stopped), strict=True))
            beat.progress = len(described) / len(texts)
        return [described[part.text] for part in parts]

    def _store(
        self,
        item: InboxItem,
        path: Path,
        content_hash: str,
        extracted: Extracted,
        described: Sequence[tuple[Part, Description]],
    ) -> None:
        """All memories and the item's new state in one act; only then does the file move."""
        inside = path.resolve().is_relative_to(self.folder.resolve())
        target = intake.free_name(path.parent / intake.PROCESSED, item.name) if inside else path
        file = intake.stored_path(target, self.folder)
        author = f"ingest:{item.id}"
        about: dict[str, Any] = {"file": dict(extracted.metadata)} if extracted.metadata else {}
        # A table of 100,000 columns, repeated by each of its memories, would be gigabytes: the first one has it then.
        repeated = about if len(json.dumps(about, default=str)) <= _LONGEST_ABOUT else {}
        rows = [
            to_row(
                {
                    "content": part.text,
                    "kb": item.kb,
                    "summary": description.summary,
                    "entities": description.entities,
                    "topics": description.topics,
                    "importance": description.importance,
                    "metadata": repeated if number else about,
                    "provenance": Provenance(source=item.name, file=file, place=part.place, item=item.id),
                },
                author,
            )
            for number, (part, description) in enumerate(described)
        ]

        def finish(tx: Tx) -> None:
            if not store.is_claimed(tx, item.id):
                raise Cancelled  # another process took it over: its result stands
            tx.detail.update(item=item.id, name=item.name)
            store.finish(
                tx, item.id, path=file, origin=item.path, reason=extracted.note, content_hash=content_hash
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
