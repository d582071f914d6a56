"""The pane of dreams, over a real vault."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.clock import now, to_micros
from reverie.domain.dream import Decision, DreamRun, Proposal, ProposalKind, RunState
from reverie.domain.ids import MemoryId, ProposalId, RunId, new_id
from reverie.domain.memory import Memory, State
from reverie.domain.records import memory_record
from reverie.dream.passes.merge import join
from reverie_gui.app import Session
from reverie_gui.operations.dreams import counts_in_words, outcome
from reverie_gui.panes.dreams.loading import field_changes
from reverie_gui.panes.dreams.pane import DreamsPane
from reverie_gui.panes.dreams.words import RunView, note_line, run_line, run_word
from reverie_gui.widgets.diff_view import DiffView

Opened = Callable[[], Session]
MAY = datetime(2026, 5, 2, 10, tzinfo=UTC)
JUNE = datetime(2026, 6, 9, 10, tzinfo=UTC)


def merge(
    run: RunId, memories: Sequence[Memory], why: str = "Nearly the same text", **fields: object
) -> Proposal:
    made = join(memories[0], memories[1:], id=MemoryId(new_id()), at=now())
    step = Proposal(
        ProposalId(new_id()),
        run,
        ProposalKind.MERGE,
        "Merge memories",
        why,
        tuple(memory.id for memory in memories),
        {memory.id: to_micros(memory.updated_at) for memory in memories},
        memory_record(made),
    )
    return replace(step, **fields)  # type: ignore[arg-type]


def insight(run: RunId, memories: Sequence[Memory], content: str) -> Proposal:
    return Proposal(
        ProposalId(new_id()),
        run,
        ProposalKind.INSIGHT,
        content[:80],
        "Said by 2 memories together",
        tuple(memory.id for memory in memories),
        {memory.id: to_micros(memory.updated_at) for memory in memories},
        {"id": new_id(), "content": content, "summary": "", "importance": 0.5},
    )


def seen(run: RunId, memories: Sequence[Memory]) -> Proposal:
    return replace(
        insight(run, memories, ""),
        kind=ProposalKind.CONSOLIDATE,
        title="2 memories seen",
        why="Looked at together, oldest first",
        after={},
    )


def dreamt(vault: Vault, make: Callable[[RunId], Sequence[Proposal]], **counts: int) -> DreamRun:
    """A run with these steps, applied as a dream does it."""
    store = vault._database.dreams
    run = store.start("default", "builtin")
    return store.apply(run.id, make(run.id), {"read": 4, **counts}, "")


@pytest.fixture
def pair(vault: Vault) -> list[Memory]:
    return [
        vault.memories.add(
            "Descale the machine every six weeks. Use the blue bottle.",
            category="studio",
            tags=["coffee"],
            created_at=JUNE,
        ),
        vault.memories.add(
            "Descale the machine every 6 weeks. Use the blue bottle.",
            category="studio/kitchen",
            tags=["machines"],
            created_at=MAY,
        ),
    ]


def shown(session: Session, qtbot: QtBot) -> DreamsPane:
    session.window.open_pane("dreams")
    pane = session.window.pane("dreams")
    assert isinstance(pane, DreamsPane)
    qtbot.waitUntil(session.tasks.idle)
    return pane


def titles(pane: DreamsPane) -> list[str]:
    found = []
    for row in range(pane.model.rowCount()):
        value = pane.model.value(row)
        found.append(value.title.upper() if pane.model.is_head(row) else value.kind.value)
    return found


def test_without_a_dream_it_says_what_one_does(opened: Opened, qtbot: QtBot) -> None:
    pane = shown(opened(), qtbot)
    assert pane.left.currentWidget() is pane.empty
    assert pane.empty.accessibleName().startswith("No dreams yet.")
    assert pane.head.isHidden()
    primary = pane.primary()
    assert primary is not None
    assert primary.text == "Dream now"


def test_a_merge_shows_why_both_sides_and_what_else_changes(
    opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot
) -> None:
    dreamt(vault, lambda run: [merge(run, pair)])
    pane = shown(opened(), qtbot)
    detail = pane.detail
    qtbot.waitUntil(lambda: detail.view() is not None)
    view = detail.view()
    assert view is not None
    assert (detail.kind.text(), detail.decision.text()) == ("Merge", "Applied")
    assert detail.why.text() == "Nearly the same text"
    first, second = view.sources
    assert first.lines == ()  # its text was kept
    assert [(line.sign, [r.text for r in line.runs if r.changed]) for line in second.lines[:2]] == [  # type: ignore[union-attr]
        ("-", ["6"]),
        ("+", ["six"]),
    ]
    assert view.notes == {0: "[1]", 1: "[1,\u00a02]"}
    assert detail._field_texts(view) == [
        ("Category", "studio → studio/kitchen"),
        ("Tags", "coffee → coffee, machines"),
        ("Created", "9 Jun 2026 → 2 May 2026 (carried forward from 2)"),
        ("Told again", "0 → 1"),
    ]
    assert view.exists
    assert len(detail.findChildren(DiffView)) == 2


def test_steps_stand_under_their_kinds(
    opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot
) -> None:
    others = [
        vault.memories.add("Falk is at the phone after lunch."),
        vault.memories.add("Falk answers mail at ten."),
    ]
    dreamt(
        vault,
        lambda run: [
            merge(run, pair),
            insight(run, others, "Falk answers mail at ten. Falk is at the phone after lunch."),
            seen(run, others),
        ],
    )
    pane = shown(opened(), qtbot)
    assert titles(pane) == ["MERGE", "merge", "NEW INSIGHT", "insight", "CONSOLIDATED", "consolidate"]
    pane.list.select_row(3)
    qtbot.waitUntil(lambda: pane.detail.view() is not None)
    view = pane.detail.view()
    assert view is not None
    assert [line.text for line in view.result] == [  # type: ignore[union-attr]
        "Falk answers mail at ten.",
        "Falk is at the phone after lunch.",
    ]
    assert view.notes == {0: "[2]", 1: "[1]"}
    pane.list.select_row(5)
    qtbot.waitUntil(lambda: pane.detail.kind.text() == "Consolidated" and pane.detail.view() is not None)
    assert pane.detail.result.isHidden()


def test_vetoed_and_skipped_say_so(opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot) -> None:
    others = [
        vault.memories.add("Mara's shoe size is 39."),
        vault.memories.add("The shoe size of Mara is 39."),
    ]
    veto = f"Pinned: {others[0].id}"

    def make(run: RunId) -> list[Proposal]:
        steps = [merge(run, others, decision=Decision.VETOED, note=veto), merge(run, pair)]
        vault.memories.update(pair[1].id, tags=["office"])
        return steps

    dreamt(vault, make, vetoed=1)
    pane = shown(opened(), qtbot)
    assert pane.detail.decision.text() == "Vetoed"
    assert pane.detail.note.text() == "Pinned: memory 1"
    assert pane.head.what.text().endswith("1 vetoed, 1 skipped")
    pane.list.select_row(2)
    assert pane.detail.decision.text() == "Skipped"
    assert "memory 2" in pane.detail.note.text()
    assert pane.head.undo.isHidden()  # nothing was changed


def test_facets_narrow_the_steps(opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot) -> None:
    dreamt(vault, lambda run: [merge(run, pair), seen(run, pair)])
    session = opened()
    pane = shown(session, qtbot)
    session.window.search.set_query("kind:consolidated")
    qtbot.waitUntil(lambda: titles(pane) == ["CONSOLIDATED", "consolidate"])
    assert pane.step_count.text() == "1 of 2 steps"
    session.window.search.set_query("blue bottle")
    qtbot.waitUntil(lambda: titles(pane) == ["MERGE", "merge"])
    session.window.search.set_query("is:vetoed")
    qtbot.waitUntil(lambda: pane.below.currentWidget() is pane.none)
    assert pane.none.accessibleName().startswith("Nothing matches is:vetoed")
    assert pane.complete("kind", "m") == [("merge", 1)]


def test_a_dream_is_undone_and_redone(opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot) -> None:
    dreamt(vault, lambda run: [merge(run, pair)])
    session = opened()
    pane = shown(session, qtbot)
    assert not pane.head.undo.isHidden()
    pane.head.undo.click()
    qtbot.waitUntil(lambda: pane.head.undo.isHidden())
    assert vault.memories.get(pair[0].id).state is State.ACTIVE
    assert "Undone" in pane.head.state.text()
    qtbot.waitUntil(lambda: pane.detail.decision.text() == "Undone")
    session.window.redo()
    qtbot.waitUntil(lambda: not pane.head.undo.isHidden())
    qtbot.waitUntil(lambda: pane.detail.decision.text() == "Applied")


def test_an_undo_that_would_lose_a_later_change_is_told_in_the_pane(
    opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot
) -> None:
    dreamt(vault, lambda run: [merge(run, pair)])
    vault.memories.trash(pair[0].id)
    session = opened()
    pane = shown(session, qtbot)
    pane.undo()
    qtbot.waitUntil(lambda: bool(pane.banner.title()))
    assert not pane.head.undo.isHidden()


def test_dream_now_shows_the_new_run(opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot) -> None:
    old = dreamt(vault, lambda run: [merge(run, pair, decision=Decision.VETOED, note="No")], vetoed=1)
    session = opened()
    pane = shown(session, qtbot)
    assert pane.runs.selected_ids() == [old.id]
    texts = []
    pane.primary_changed.connect(lambda: texts.append(pane.primary().text))  # type: ignore[union-attr]
    session.window.commands.actions["dream"].trigger()
    qtbot.waitUntil(lambda: pane.runs.selected_ids() not in ([], [old.id]), timeout=30_000)
    qtbot.waitUntil(session.tasks.idle)
    assert texts == ["Stop dreaming", "Dream now"]
    assert vault.dreams.runs()[0].id == pane.runs.selected_ids()[0]
    assert pane.count.text() == "2 dreams"


def test_a_dream_elsewhere_is_a_word_in_the_pane(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    vault._database.dreams.start("default", "builtin")
    session = opened()
    pane = shown(session, qtbot)
    assert pane.runs_model.known(pane.runs.selected_ids()[0]).run.state is RunState.RUNNING
    assert pane.head.stop.isHidden()
    pane.dream()
    qtbot.waitUntil(lambda: bool(pane.banner.title()), timeout=30_000)
    assert "dreaming already" in pane.banner.title()


def test_links_lead_to_memories(opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot) -> None:
    run = dreamt(vault, lambda run: [merge(run, pair)])
    session = opened()
    pane = shown(session, qtbot)
    made = vault.dreams.proposals(run.id)[0].after["id"]
    pane.detail.memory_wanted.emit(made)
    qtbot.waitUntil(session.tasks.idle)
    memories = session.window.pane("memories")
    assert session.window.stack.currentWidget() is memories
    qtbot.waitUntil(lambda: memories.detail.memory is not None and memories.detail.memory.id == made)  # type: ignore[union-attr]


def test_a_source_that_is_gone_is_named_so(
    opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot
) -> None:
    ghost = replace(pair[1], id=MemoryId("f" * 12))
    dreamt(vault, lambda run: [merge(run, [pair[0], ghost], decision=Decision.VETOED, note="It is unknown")])
    pane = shown(opened(), qtbot)
    qtbot.waitUntil(lambda: pane.detail.view() is not None)
    view = pane.detail.view()
    assert view is not None
    assert [source.memory is None for source in view.sources] == [False, True]


def test_narrow_windows_show_one_column(
    opened: Opened, vault: Vault, pair: list[Memory], qtbot: QtBot
) -> None:
    dreamt(vault, lambda run: [merge(run, pair)])
    session = opened()
    session.window.resize(820, 600)
    pane = shown(session, qtbot)
    pane.list.opened.emit("")
    assert not pane.runs.isVisible()
    assert pane.detail.isVisible()
    assert pane.back()


def run_of(state: RunState, **fields: object) -> DreamRun:
    return DreamRun(RunId("a" * 12), "default", state, MAY, **fields)  # type: ignore[arg-type]


def test_counts_in_words() -> None:
    run = run_of(RunState.DONE, counts={"merged": 12, "insights": 1, "vetoed": 2, "read": 40, "skipped": 0})
    assert counts_in_words(run) == ["12 merged", "1 insight", "2 vetoed"]
    assert outcome(run) == "Dream done: 12 merged, 1 insight, 2 vetoed"
    assert outcome(run_of(RunState.CANCELLED)) == "Dream stopped; nothing was changed"


@pytest.mark.parametrize(
    ("view", "line", "word"),
    [
        (RunView(run_of(RunState.DONE, operation=4, counts={"merged": 2})), "2 merged", "Applied"),
        (RunView(run_of(RunState.DONE, operation=4, counts={"merged": 2}), True), "2 merged", "Undone"),
        (RunView(run_of(RunState.DONE)), "Nothing to change", ""),
        (RunView(run_of(RunState.FAILED, reason="The disk is full")), "The disk is full", "Failed"),
        (RunView(run_of(RunState.RUNNING)), "Dreaming…", "Running"),
    ],
)
def test_runs_in_words(view: RunView, line: str, word: str) -> None:
    assert (run_line(view), run_word(view)) == (line, word)


def test_a_merge_without_its_first_source_names_no_fields(vault: Vault, pair: list[Memory]) -> None:
    step = merge(RunId("r" * 12), pair)
    assert field_changes(step, pair[1:]) == ()
    assert note_line(replace(step, note=f"Pinned: {pair[1].id}")) == "Pinned: memory 2"
