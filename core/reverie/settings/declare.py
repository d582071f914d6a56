"""How a setting is declared, and how a value from a file, the environment or a form is checked.

Checked here and not by pydantic: its models cost 0.15 s before the first window is painted, more than
a tenth of the whole start, and what they say of a wrong value can't be translated.
"""

import math
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from reverie.errors import UserError
from reverie.i18n import _

Value = bool | int | float | str
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


class Secret:
    """A text that is never shown, logged or written to the settings file."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "Secret(•••)" if self._text else "Secret()"

    __str__ = __repr__


NO_SECRET = Secret()


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """All that is known of one setting.

    key: "group.name". type: "bool", "int", "float", "text", "choice" or "secret". minimum and maximum
    are inclusive; None has no bound. unit: what the number counts, for the eye. dangerous: a change can
    lose data or send it out. environment: the variables that set it, the first one wins.
    """

    key: str
    group: str
    name: str
    type: str
    title: str
    help: str
    default: Value | Secret
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    dangerous: bool = False
    environment: tuple[str, ...] = ()


def setting(
    default: Any,
    *,
    title: str,
    help: str,
    minimum: float | None = None,
    maximum: float | None = None,
    unit: str = "",
    dangerous: bool = False,
    alias: str = "",
) -> Any:
    """A field of a settings group. alias: a further environment variable, as a foreign program names it."""
    known = {
        "title": title,
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "unit": unit,
        "dangerous": dangerous,
        "alias": alias,
    }
    return field(default=default, metadata=MappingProxyType(known))


def read_group(name: str, group: type) -> tuple[SettingInfo, ...]:
    """The declarations of one group, in the order in which they stand."""
    hints = get_type_hints(group)
    return tuple(_info(name, declared, hints[declared.name]) for declared in fields(group))


def _info(group: str, declared: "Field[Any]", hint: Any) -> SettingInfo:
    known: Mapping[str, Any] = declared.metadata
    own = f"REVERIE_{group}__{declared.name}".upper()
    return SettingInfo(
        key=f"{group}.{declared.name}",
        group=group,
        name=declared.name,
        type=_type_name(hint),
        title=known["title"],
        help=known["help"],
        default=cast("Value | Secret", declared.default),
        minimum=known["minimum"],
        maximum=known["maximum"],
        choices=get_args(hint) if get_origin(hint) is Literal else (),
        unit=known["unit"],
        dangerous=known["dangerous"],
        environment=(own, known["alias"]) if known["alias"] else (own,),
    )


def _type_name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "choice"
    return {bool: "bool", int: "int", float: "float", str: "text", Secret: "secret"}[hint]


def check(info: SettingInfo, value: object) -> Value | Secret:
    """The value in its declared type. Text is read as the environment gives it ("20", "true").

    Raises UserError: what was given, and what would do.
    """
    if info.type == "bool":
        return _check_bool(info, value)
    if info.type in ("int", "float"):
        return _check_number(info, value)
    if info.type == "secret" and isinstance(value, Secret):
        return value
    if not isinstance(value, str) or "\x00" in value:
        raise _wrong(info, value, _("a text"))
    if info.type == "choice" and value not in info.choices:
        raise _wrong(info, value, _("one of {choices}").format(choices=", ".join(info.choices)))
    return Secret(value) if info.type == "secret" else value


def _check_bool(info: SettingInfo, value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise _wrong(info, value, _("true or false"))


def _check_number(info: SettingInfo, value: object) -> int | float:
    number = _number(value, whole=info.type == "int")
    low = -math.inf if info.minimum is None else info.minimum
    high = math.inf if info.maximum is None else info.maximum
    if number is None or not low <= number <= high:
        raise _wrong(info, value, _range(info))
    return number


def _number(value: object, *, whole: bool) -> int | float | None:
    try:
        if isinstance(value, str):
            value = int(value) if whole else float(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if whole:
            return int(value) if value == int(value) else None
        return float(value) if math.isfinite(value) else None
    except (ValueError, OverflowError):
        return None


def _range(info: SettingInfo) -> str:
    what = _("a whole number") if info.type == "int" else _("a number")
    if info.minimum is not None and info.maximum is not None:
        return _("{what} from {low} to {high}").format(
            what=what, low=f"{info.minimum:g}", high=f"{info.maximum:g}"
        )
    if info.minimum is not None:
        return _("{what}, {low} or more").format(what=what, low=f"{info.minimum:g}")
    return what


def _wrong(info: SettingInfo, value: object, wanted: str) -> UserError:
    shown = "•••" if info.type == "secret" else value
    return UserError(
        _("{key} can't be “{value}”").format(key=info.key, value=shown),
        hint=_("It takes {wanted}").format(wanted=wanted),
    )
