"""``reverie doctor``: is everything in its place?"""

import os
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import typer

from reverie import __version__
from reverie.cli.failures import SOME_FAILED
from reverie.cli.opening import named_vault, opened
from reverie.cli.options import JsonOption, VaultOption
from reverie.cli.output import say, write_json, write_table
from reverie.domain.inbox import ItemState
from reverie.domain.memory import MemoryFilter, State
from reverie.errors import UserError
from reverie.i18n import _, ngettext
from reverie.settings.groups import Model
from reverie.settings.places import vault_places

LIBRARIES = ("PySide6-Essentials", "SQLAlchemy", "numpy", "onnxruntime", "tokenizers", "pypdfium2")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``name`` is for programs, ``label`` and ``text`` are for a person."""

    name: str
    label: str
    value: object
    text: str
    ok: bool = True


def register(app: typer.Typer) -> None:
    app.command("doctor", help=_("Check the vault and what Reverie needs"))(doctor)


def doctor(vault: VaultOption = None, as_json: JsonOption = False) -> None:
    findings = [*_program(), *_model(), *_vault(named_vault(vault))]
    sick = [finding for finding in findings if not finding.ok]
    if as_json:
        write_json({**{each.name: each.value for each in findings}, "problems": [each.name for each in sick]})
    else:
        marks = {True: _("ok"), False: _("PROBLEM")}
        write_table(
            (_("What"), "", _("Found")), [(each.label, marks[each.ok], each.text) for each in findings]
        )
        if sick:
            say(ngettext("{count} problem", "{count} problems", len(sick)).format(count=len(sick)))
        else:
            say(_("All is well"))
    if sick:
        raise typer.Exit(SOME_FAILED)


def _program() -> list[Finding]:
    python = platform.python_version()
    found = {name: _version_of(name) for name in LIBRARIES}
    text = ", ".join(f"{name} {number}" for name, number in found.items() if number)
    return [
        Finding("version", _("Reverie"), __version__, __version__),
        Finding("python", _("Python"), python, f"{python}, {platform.platform()}"),
        Finding("libraries", _("Libraries"), found, text),
        Finding(
            "window",
            _("Window"),
            bool(found["PySide6-Essentials"]),
            _("installed")
            if found["PySide6-Essentials"]
            else _("not installed (pip install 'reverie[gui]')"),
        ),
    ]


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _model() -> list[Finding]:
    from reverie.embed.factory import load_embedder

    try:
        embedder = load_embedder()
    except UserError as error:
        return [Finding("model", _("Embedding model"), None, str(error), ok=False)]
    return [Finding("model", _("Embedding model"), embedder.name, embedder.name)]


def _vault(named: str) -> list[Finding]:
    folder, file = vault_places(named)
    where = Finding("vault", _("Vault"), str(file), str(file))
    writable = _is_writable(folder)
    access = Finding(
        "writable",
        _("Folder"),
        writable,
        _("can be written to") if writable else _("can't be written to: check its permissions and its disk"),
        ok=writable,
    )
    if not file.exists():
        return [
            where,
            access,
            Finding("exists", _("Database"), False, _("not made yet: it will be when you use it first")),
        ]
    findings = [where, access, *_file(file)]
    if not all(finding.ok for finding in findings if finding is not access):
        return findings
    try:
        return [*findings, *_settings(folder), *_contents(named)]
    except UserError as error:
        return [*findings, Finding("opens", _("Opening"), False, str(error), ok=False)]


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or it in the nearest one that is there."""
    nearest = next((place for place in (folder, *folder.absolute().parents) if place.exists()), folder)
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _file(file: Path) -> list[Finding]:
    from reverie.store.health import examine

    health = examine(file)
    sound = not health.problems
    return [
        Finding("size", _("Size"), health.size, f"{health.size / 1e6:.1f} MB"),
        Finding(
            "schema",
            _("Schema"),
            health.revision,
            health.revision or _("none"),
            ok=bool(health.revision) or not sound,
        ),
        Finding("sqlite", _("SQLite"), health.sqlite_version, health.sqlite_version),
        Finding(
            "integrity",
            _("Integrity"),
            list(health.problems) or "ok",
            _("sound") if sound else "; ".join(health.problems),
            ok=sound,
        ),
    ]


def _settings(folder: Path) -> list[Finding]:
    from reverie.settings import load

    found = load(folder)
    changed = ", ".join(f"{key} ({origin})" for key, origin in found.origins.items()) or _(
        "all at their defaults"
    )
    findings = [Finding("settings", _("Settings"), found.origins, changed), _language_model(found.model)]
    if found.unknown:
        findings.append(
            Finding(
                "unknown_settings",
                _("Unknown settings"),
                list(found.unknown),
                ", ".join(found.unknown),
                ok=False,
            )
        )
    return findings


def _language_model(settings: Model) -> Finding:
    """Asks the endpoint that was configured one short question; where there is none, nothing is sent."""
    from reverie.llm.connect import connect

    label = _("Model of your own")
    try:
        client = connect(settings)
        if client is None:
            return Finding("llm", label, None, _("none: nothing is sent anywhere"))
        checked = client.check()
    except UserError as error:
        return Finding("llm", label, {"error": str(error)}, str(error), ok=False)
    endpoint = client.endpoint
    value = {
        "model": endpoint.model,
        "address": endpoint.address,
        "mode": checked.mode,
        "seconds": checked.seconds,
    }
    text = _("{model} at {address} answers in {seconds} s").format(
        model=endpoint.model, address=endpoint.address, seconds=f"{checked.seconds:.1f}"
    )
    return Finding("llm", label, value, text)


def _contents(named: str) -> list[Finding]:
    with opened(named) as vault:
        live = vault.memories.count(MemoryFilter())
        trashed = vault.memories.count(MemoryFilter(states=(State.TRASHED,)))
        pending = vault.index.pending()
        counts = vault.inbox.counts()
        waiting, failed = (counts.get(state, 0) for state in (ItemState.WAITING, ItemState.FAILED))
    return [
        Finding(
            "memories",
            _("Memories"),
            live,
            _("{live}, and {trashed} in the trash").format(live=live, trashed=trashed),
        ),
        Finding("without_vector", _("Without a vector"), pending, str(pending)),
        Finding(
            "inbox",
            _("Inbox"),
            {state.value: count for state, count in counts.items()},
            _("{waiting} waiting, {failed} failed").format(waiting=waiting, failed=failed),
        ),
    ]
