"""Reads Reverie's own dump back: the same ids, instants, states and links. The same dump again adds nothing."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TextIO

from reverie.domain.conversation import Message, Session
from reverie.domain.ids import new_id
from reverie.domain.insight import Insight
from reverie.domain.knowledge_base import KnowledgeBase
from reverie.domain.memory import Memory, MemoryLink
from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.domain.records import (
    read_insight,
    read_knowledge_base,
    read_link,
    read_memory,
    read_message,
    read_session,
)
from reverie.domain.transfer import ImportReport, Problem, Verdict
from reverie.errors import Cancelled, UserError
from reverie.i18n import _
from reverie.transfer.json_dump import FORMAT, VERSION
from reverie.transfer.jsonstream import Value, read_object

_BATCH = 200  # records handed over at a time, between two looks at progress and cancel

_READERS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "knowledge_bases": read_knowledge_base,
    "memories": read_memory,
    "insights": read_insight,
    "links": read_link,
    "sessions": read_session,
    "messages": read_message,
}


class Intake(Protocol):
    """Takes the values of one import, whose sections may come in any order. Nothing that lasts is visible before
    ``finish``; verdicts come in the order of the values."""

    def knowledge_bases(self, bases: Sequence[KnowledgeBase]) -> Sequence[Verdict]: ...

    def memories(self, memories: Sequence[Memory]) -> Sequence[Verdict]: ...

    def sessions(self, sessions: Sequence[Session]) -> Sequence[Verdict]: ...

    def messages(self, messages: Sequence[Message]) -> Sequence[Verdict]: ...

    def finish(
        self, insights: Sequence[Insight], links: Sequence[MemoryLink]
    ) -> tuple[Sequence[Verdict], Sequence[Verdict]]:
        """Stores these, which name memories, and shows all."""


class Target(Protocol):
    """The part of the store that an import writes to."""

    def intake(self, author: str, detail: Mapping[str, Any]) -> AbstractContextManager[Intake]:
        """One changeset; left without ``finish``, it leaves nothing."""


def import_json(
    target: Target,
    path: Path,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> ImportReport:
    """Takes everything from a dump that the vault does not hold yet, as one changeset of author ``import:<id>``.

    What the vault holds under the same id stays as it is there, also in the trash. A record that can't be taken is
    reported by its number and stops no other. Raises UserError where the file is no dump of Reverie, a newer one, or
    can't be read, and Cancelled; nothing is taken then.
    """
    if "\0" in str(path):
        raise UserError(
            _("No file can have this name"), hint=_("Check that it is there and that you may read it")
        )
    id = new_id()
    taking = _Taking()
    try:
        with (
            path.open(encoding="utf-8-sig", errors="replace") as stream,
            target.intake(f"import:{id}", {"file": path.name}) as intake,
        ):
            watch = _watch(stream, path.stat().st_size, progress or silent)
            for batch in _batches(read_object(stream), watch, cancelled or never):
                taking.take(batch, intake)
            taking.finish(intake)
    except OSError as error:
        raise UserError(
            _("The file can't be read"),
            detail=f"{path}: {error.strerror or error}",
            hint=_("Check that it is there and that you may read it"),
            retryable=True,
        ) from error
    return ImportReport(id, dict(taking.new), dict(taking.known), tuple(taking.problems))


class _Taking:
    """Sorts the values of a dump by section, and notes what became of each."""

    def __init__(self) -> None:
        self.new: Counter[str] = Counter()
        self.known: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self._last: dict[str, list[tuple[int, Any]]] = {"insights": [], "links": []}  # they name memories
        self._is_dump = False

    def take(self, batch: Sequence[Value], intake: Intake) -> None:
        found: dict[str, list[tuple[int, Any]]] = {}
        for value in batch:
            if value.problem:
                self._refuse(value, value.problem)
            elif value.number == 0:
                self._read_head(value)
            elif value.section in _READERS:
                self._read(value, found.setdefault(value.section, []))
        self._hand_over("knowledge_bases", found, intake.knowledge_bases)
        self._hand_over("memories", found, intake.memories)
        self._hand_over("sessions", found, intake.sessions)
        self._hand_over("messages", found, intake.messages)
        for section, later in self._last.items():
            later += found.get(section, ())

    def _hand_over(
        self,
        section: str,
        found: Mapping[str, list[tuple[int, Any]]],
        take: Callable[[Sequence[Any]], Sequence[Verdict]],
    ) -> None:
        if values := found.get(section):
            self._note(section, values, take([value for _n, value in values]))

    def finish(self, intake: Intake) -> None:
        if not self._is_dump:
            raise _no_dump(_("It does not say that it is one"))
        insights, links = self._last["insights"], self._last["links"]
        verdicts = intake.finish([insight for _n, insight in insights], [link for _n, link in links])
        self._note("insights", insights, verdicts[0])
        self._note("links", links, verdicts[1])

    def _read_head(self, value: Value) -> None:
        if value.section == "format":
            if value.value != FORMAT:
                raise _no_dump(_("Its format is “{format}”").format(format=value.value))
            self._is_dump = True
        elif value.section == "version" and (not isinstance(value.value, int) or value.value > VERSION):
            raise UserError(
                _("A newer Reverie has written this dump"),
                detail=_("Its version is {version}; this program reads {known}").format(
                    version=value.value, known=VERSION
                ),
                hint=_("Install the newest Reverie, then import it again"),
            )

    def _read(self, value: Value, found: list[tuple[int, Any]]) -> None:
        if not isinstance(value.value, Mapping):
            self._refuse(value, _("It is no object"))
            return
        try:
            found.append((value.number, _READERS[value.section](value.value)))
        except UserError as error:
            self._refuse(value, str(error))

    def _refuse(self, value: Value, reason: str) -> None:
        self.problems.append(Problem(value.section, value.number, reason))

    def _note(self, section: str, values: Sequence[tuple[int, Any]], verdicts: Sequence[Verdict]) -> None:
        for (number, _value), verdict in zip(values, verdicts, strict=True):
            if verdict is None:
                self.new[section] += 1
            elif not verdict:
                self.known[section] += 1
            else:
                self.problems.append(Problem(section, number, verdict))


def _no_dump(detail: str) -> UserError:
    return UserError(
        _("This is no dump of Reverie"), detail=detail, hint=_("Choose a file that Reverie has exported")
    )


def _batches(
    values: Iterator[Value], watch: Callable[[], None], cancelled: Cancel
) -> Iterator[Sequence[Value]]:
    batch: list[Value] = []
    for value in values:
        batch.append(value)
        if len(batch) == _BATCH:
            if cancelled():
                raise Cancelled
            watch()
            yield batch
            batch = []
    if cancelled():
        raise Cancelled
    watch()
    yield batch


def _watch(stream: TextIO, size: int, progress: Progress) -> Callable[[], None]:
    """Progress in bytes of the file."""
    return lambda: progress(min(stream.buffer.tell(), size), size, _("Importing"))
