"""What every proposal must pass before anything is applied. Whoever made it is taken for a stranger.

A proposal that fails is refused whole, with the reason in its note; the others stand.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reverie.domain.clock import is_expired, to_micros
from reverie.domain.dream import Decision, Proposal, ProposalKind
from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory, State, clean_importance
from reverie.domain.records import read_instant
from reverie.domain.text import has_words, listed, shorten
from reverie.dream.claims import lost
from reverie.dream.passes.base import Setting
from reverie.errors import UserError
from reverie.i18n import _

LONGEST_INSIGHT = 4000  # characters
_SHOWN = 12  # names in one reason

Given = Mapping[MemoryId, Memory]
Veto = str
"""Why a proposal is refused; an empty text where it is not."""


class Checks:
    """Checks the proposals of one run, in the order in which they come.

    ``read`` gives the memories of some ids as the passes saw them; unknown ones are left out.
    """

    def __init__(
        self, kb: str, setting: Setting, read: Callable[[Sequence[MemoryId]], Iterable[Memory]]
    ) -> None:
        self._kb = kb
        self._setting = setting
        self._read = read
        self._taken: set[MemoryId] = set()  # sources of merges so far

    def review(self, proposals: Iterable[Proposal]) -> Iterator[Proposal]:
        """Each one as it may be applied (importance within 0..1), or vetoed with the reason in its note."""
        for proposal in proposals:
            proposal = _clamped(proposal)
            reason = self._veto(proposal)
            if reason:
                yield replace(proposal, decision=Decision.VETOED, note=reason)
                continue
            if proposal.kind is ProposalKind.MERGE:
                self._taken.update(proposal.sources)
            yield proposal

    def _veto(self, proposal: Proposal) -> Veto:
        given = {memory.id: memory for memory in self._read(proposal.sources)}
        return next((reason for reason in self._reasons(proposal, given) if reason), "")

    def _reasons(self, proposal: Proposal, given: Given) -> Iterator[Veto]:
        yield _unknown(proposal, given)  # nothing below can be asked before this has passed
        sources = [given[id] for id in proposal.sources]
        yield self._not_live(sources)
        yield _changed(proposal, sources)
        yield self._merged_before(proposal)
        if proposal.kind is ProposalKind.MERGE:
            yield from _merge_reasons(proposal.after, sources)
        elif proposal.kind is ProposalKind.INSIGHT:
            yield from _insight_reasons(proposal.after, sources)

    def _not_live(self, sources: Sequence[Memory]) -> Veto:
        for memory in sources:
            if memory.kb != self._kb:
                return _("{id} belongs to another knowledge base").format(id=memory.id)
            if memory.state is not State.ACTIVE:
                return _("{id} is {state}").format(id=memory.id, state=memory.state)
            if is_expired(memory.expires_at, self._setting.at):
                return _("{id} has expired").format(id=memory.id)
        return ""

    def _merged_before(self, proposal: Proposal) -> Veto:
        twice = [id for id in proposal.sources if id in self._taken]
        return _("Merged by this dream already: {ids}").format(ids=_listed(twice)) if twice else ""


def _unknown(proposal: Proposal, given: Given) -> Veto:
    if not proposal.sources:
        return _("It names no memory")
    unknown = [id for id in proposal.sources if id not in given]
    if unknown:
        return _("It names memories that it was not given: {ids}").format(ids=_listed(unknown))
    if len(set(proposal.sources)) < len(proposal.sources):
        return _("It names a memory twice")
    return ""


def _changed(proposal: Proposal, sources: Sequence[Memory]) -> Veto:
    """Without the version that was read, nobody can tell later whether a memory has changed since."""
    changed = [
        memory.id for memory in sources if proposal.versions.get(memory.id) != to_micros(memory.updated_at)
    ]
    return _("Not as it was read: {ids}").format(ids=_listed(changed)) if changed else ""


def _merge_reasons(after: Mapping[str, Any], sources: Sequence[Memory]) -> Iterator[Veto]:
    if len(sources) < 2:
        yield _("A merge needs two memories")
    pinned = [memory.id for memory in sources if memory.pinned]
    if pinned:
        yield _("Pinned: {ids}").format(ids=_listed(pinned))
    if len({memory.muted for memory in sources} | {bool(after.get("muted"))}) > 1:
        yield _("Some are muted and some are not")
    if len({memory.kind for memory in sources} | {after.get("kind")}) > 1:
        yield _("They are of different kinds")
    keys = {memory.key for memory in sources if memory.key is not None}
    if len(keys) > 1:
        yield _("They have different keys: {keys}").format(keys=_listed(sorted(keys)))
    if keys and after.get("key") not in keys:
        yield _("It would lose the key {key}").format(key=_listed(sorted(keys)))
    content = after.get("content")
    if not isinstance(content, str) or not has_words(content):
        yield _("It has no text")
        return
    missing = lost((memory.content for memory in sources), content)
    if missing:
        yield _("It would lose {words}").format(words=_listed(missing))
    yield from _lost_fields(after, sources)


def _lost_fields(after: Mapping[str, Any], sources: Sequence[Memory]) -> Iterator[Veto]:
    """Tags, names, topics, metadata, and the oldest date; the highest importance."""
    for name in ("tags", "entities", "topics"):
        held = {item.casefold() for item in after.get(name) or ()}
        missing = [
            item for memory in sources for item in getattr(memory, name) if item.casefold() not in held
        ]
        if missing:
            yield _("It would lose {words}").format(words=_listed(list(dict.fromkeys(missing))))
    names = {name for memory in sources for name in memory.metadata}
    missing_names = sorted(names - set(after.get("metadata") or {}))
    if missing_names:
        yield _("It would lose the metadata {words}").format(words=_listed(missing_names))
    if after.get("importance", 0.0) < max(memory.importance for memory in sources):
        yield _("It would lose importance")
    try:
        created = read_instant(str(after.get("created_at")))
    except ValueError:
        yield _("It has no date")
        return
    if created != min(memory.created_at for memory in sources):
        yield _("It would lose the date of the oldest")


def _insight_reasons(after: Mapping[str, Any], sources: Sequence[Memory]) -> Iterator[Veto]:
    content = after.get("content")
    if not isinstance(content, str) or not has_words(content):
        yield _("It has no text")
    elif len(content) > LONGEST_INSIGHT:
        yield _("Its text is longer than {limit} characters").format(limit=LONGEST_INSIGHT)
    muted = [memory.id for memory in sources if memory.muted]
    if muted:
        yield _("It would tell agents what is muted: {ids}").format(ids=_listed(muted))


def _clamped(proposal: Proposal) -> Proposal:
    if "importance" not in proposal.after:
        return proposal
    try:
        importance = clean_importance(proposal.after["importance"])
    except UserError:
        importance = 0.5
    return replace(proposal, after={**proposal.after, "importance": importance})


def _listed(items: Sequence[str]) -> str:
    return listed([shorten(str(item), 60) for item in items], _SHOWN)
