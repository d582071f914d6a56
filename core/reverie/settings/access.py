"""Reading and changing settings: defaults, then the vault's file, then the environment."""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reverie.errors import UserError
from reverie.i18n import _
from reverie.settings import file
from reverie.settings.declare import Secret, SettingInfo, Value, check
from reverie.settings.groups import DECLARED, GROUPS, Settings

_PREFIX = "REVERIE_"
_one_at_a_time = threading.Lock()


def describe() -> list[SettingInfo]:
    """Every setting, by group, in the order in which a person should see them."""
    return list(DECLARED.values())


def load(folder: Path | None = None, env: Mapping[str, str] | None = None) -> Settings:
    """The settings that hold for the vault in ``folder`` (None: no file). ``env`` defaults to the process's.

    Raises UserError for a damaged file or a wrong value, naming the line or the variable.
    """
    values: dict[str, Value | Secret] = {}
    origins: dict[str, str] = {}
    unknown: list[str] = []
    if folder is not None:
        _from_file(folder, values, origins, unknown)
    _from_environment(os.environ if env is None else env, values, origins, unknown)
    groups = {name: kind(**_of_group(name, values)) for name, (kind, _title) in GROUPS.items()}
    return Settings(**groups, origins=origins, unknown=tuple(unknown))


def change(folder: Path, key: str, value: object) -> Value:
    """Writes one setting to the vault's file and returns it as stored. Comments and unknown keys stay.

    Raises UserError for an unknown key, a wrong value, a secret, a damaged file (which is left alone) or a full disk.
    """
    info = _info(key)
    checked = check(info, value)
    if isinstance(checked, Secret):
        raise UserError(
            _("{key} is a secret and is not written to the settings file").format(key=key),
            hint=_("Set the environment variable {name}").format(name=info.environment[0]),
        )
    with _one_at_a_time:
        document = _document(folder)
        table = document.setdefault(info.group, _table())
        if not isinstance(table, dict):
            raise _no_table(folder, info.group)
        table[info.name] = checked
        file.write(folder, _dumps(document))
    return checked


def reset(folder: Path, key: str | None = None) -> None:
    """Takes one setting, or all that are declared, out of the vault's file: the default holds again."""
    wanted = [_info(key)] if key is not None else describe()
    with _one_at_a_time:
        document = _document(folder)
        gone = 0
        for info in wanted:
            table = document.get(info.group)
            if isinstance(table, dict) and info.name in table:
                del table[info.name]
                gone += 1
        if gone:
            file.write(folder, _dumps(document))


def _info(key: str) -> SettingInfo:
    try:
        return DECLARED[key]
    except KeyError:
        raise UserError(
            _("There is no setting “{key}”").format(key=key),
            hint=_("Settings are: {keys}").format(keys=", ".join(DECLARED)),
        ) from None


def _of_group(name: str, values: Mapping[str, Value | Secret]) -> dict[str, Any]:
    return {DECLARED[key].name: value for key, value in values.items() if DECLARED[key].group == name}


def _from_file(
    folder: Path, values: dict[str, Value | Secret], origins: dict[str, str], unknown: list[str]
) -> None:
    text, tables = file.read(folder)
    for group, table in tables.items():
        if group not in GROUPS:
            unknown.append(group)
            continue
        if not isinstance(table, dict):
            raise _no_table(folder, group)
        for name, value in table.items():
            info = DECLARED.get(f"{group}.{name}")
            if info is None or info.type == "secret":
                unknown.append(f"{group}.{name}")
                continue
            try:
                values[info.key] = check(info, value)
            except UserError as error:
                error.detail = _("{path}, line {line}").format(
                    path=file.path_in(folder), line=file.line_of(text, group, name)
                )
                raise
            origins[info.key] = "file"


def _from_environment(
    env: Mapping[str, str], values: dict[str, Value | Secret], origins: dict[str, str], unknown: list[str]
) -> None:
    # An empty variable is one that is not set: the documents' own examples leave the key empty.
    given = {name.upper(): (name, text) for name, text in env.items() if text.strip()}
    names: set[str] = set()
    for info in DECLARED.values():
        names.update(variable.upper() for variable in info.environment)
        found = [given[variable.upper()] for variable in info.environment if variable.upper() in given]
        if not found:
            continue
        name, text = found[0]
        try:
            values[info.key] = check(info, text.strip())
        except UserError as error:
            error.detail = _("environment variable {name}").format(name=name)
            raise
        origins[info.key] = name
    unknown.extend(name for upper, (name, _text) in given.items() if _is_ours(upper) and upper not in names)


def _is_ours(variable: str) -> bool:
    return variable.startswith(_PREFIX) and "__" in variable


def _document(folder: Path) -> Any:
    # tomlkit, not tomllib: it keeps the person's comments and order. Loaded only when something is changed.
    import tomlkit

    text, _tables = file.read(folder)  # refuses a damaged file before it could be replaced
    return tomlkit.parse(text)


def _table() -> Any:
    import tomlkit

    return tomlkit.table()


def _dumps(document: Any) -> str:
    import tomlkit

    return tomlkit.dumps(document)


def _no_table(folder: Path, group: str) -> UserError:
    return UserError(
        _("“{group}” is not a group of settings").format(group=group),
        detail=str(file.path_in(folder)),
        hint=_("Write it as [{group}], with one setting a line under it").format(group=group),
    )
