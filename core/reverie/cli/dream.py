"""``reverie dream``: one dream now."""

from collections.abc import Sequence
from typing import Annotated

import typer

from reverie.cli.failures import INTERRUPTED, SOME_FAILED
from reverie.cli.interrupt import stoppable
from reverie.cli.opening import opened
from reverie.cli.options import JsonOption, VaultOption
from reverie.cli.output import one_line, plain, progress_bar, say, warn, write_json, write_table
from reverie.domain.dream import Decision, DreamRun, Proposal, ProposalKind, RunState
from reverie.i18n import _, ngettext


def register(app: typer.Typer) -> None:
    app.command("dream", help=_("Merge duplicates and look for insights now; undo takes it all back"))(dream)


def dream(
    vault: VaultOption = None,
    kb: Annotated[
        str, typer.Option("--kb", metavar="NAME", help=_("Knowledge base that dreams"))
    ] = "default",
    as_json: JsonOption = False,
) -> None:
    with opened(vault) as found, progress_bar() as progress, stoppable() as stopped:
        run = found.dreams.run(kb, progress=progress, cancelled=stopped)
        proposals = found.dreams.proposals(run.id)
    if as_json:
        write_json({**plain(run), "proposals": proposals})
    else:
        print_run(run, proposals)
    if run.state == RunState.CANCELLED:
        raise typer.Exit(INTERRUPTED)
    if run.state == RunState.FAILED:
        raise typer.Exit(SOME_FAILED)


def print_run(run: DreamRun, proposals: Sequence[Proposal]) -> None:
    # That a batch was looked at changes nothing else; the last line counts it.
    shown = [each for each in proposals if each.kind is not ProposalKind.CONSOLIDATE]
    if shown:
        write_table(
            (_("Step"), _("Outcome"), _("From"), _("Why")),
            [
                (
                    one_line(each.title, 70),
                    _decision(each.decision),
                    len(each.sources),
                    one_line(each.note or each.why, 60),
                )
                for each in shown
            ],
        )
    counts = run.counts
    read, merged, insights = (int(counts.get(word, 0)) for word in ("read", "merged", "insights"))
    parts = [
        ngettext("{count} memory read", "{count} memories read", read).format(count=read),
        ngettext("{count} merged", "{count} merged", merged).format(count=merged),
        ngettext("{count} insight", "{count} insights", insights).format(count=insights),
    ]
    say(", ".join(parts))
    if run.state in (RunState.FAILED, RunState.CANCELLED):
        warn(_("The dream did not end well: {reason}").format(reason=run.reason or run.state.value))


def _decision(decision: Decision) -> str:
    return {
        Decision.PENDING: _("waiting"),
        Decision.APPLIED: _("done"),
        Decision.REJECTED: _("rejected"),
        Decision.VETOED: _("refused by a check"),
        Decision.SKIPPED: _("skipped: changed meanwhile"),
    }[decision]
