"""The one way in for what a model answers. It is a proposal from a stranger: nothing of it is believed unread.

What comes out is of the shape that was asked for, or a failure with a name. A refusal, an empty answer and an
answer that nothing can be made of are failures; only a list that is there and empty means "nothing to do".
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from reverie.i18n import _
from reverie.llm.failures import AnswerFailure, Cut, Empty, NotJson, Refused, TooLong, WrongIds, WrongShape
from reverie.llm.repair import Found, find_values
from reverie.llm.schema import ITEMS
from reverie.llm.shapes import Given, Shape
from reverie.llm.thinking import without_thinking

S = TypeVar("S", bound=Shape)

MAX_CHARS = 1_000_000
MAX_ITEMS = 1_000
_SHOWN = 300
_REFUSAL = re.compile(
    r"""\b(?:i['’]?m\s+sorry|i\s+am\s+sorry|sorry,|i\s+apologi[sz]e|i\s+can(?:no|['’])?t\b|i\s+can\s+not\b|i\s+won['’]t
    |i(?:['’]m|\s+am)\s+(?:unable|not\s+able|not\s+allowed|not\s+comfortable)|i\s+(?:must|have\s+to)\s+decline
    |as\s+an\s+ai\b|cannot\s+(?:help|assist|comply|fulfil)
    |tut\s+mir\s+leid|leider\s+kann\s+ich|ich\s+kann\s+(?:\w+\s+){0,4}nicht
    |je\s+suis\s+désolée?|je\s+ne\s+peux\s+pas|lo\s+siento|no\s+puedo)
    |抱歉|对不起|我无法|我不能|申し訳""",
    re.IGNORECASE | re.VERBOSE,
)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Steps(Generic[S]):
    """A list that a model answered. ``refused`` says of each step that was not taken why; the others stand.
    ``cut``: the answer ended in the middle, and what was not finished is not here."""

    kept: tuple[S, ...]
    refused: tuple[AnswerFailure, ...] = ()
    cut: bool = False


def parse_one(
    answer: str, shape: type[S], *, ids: Collection[object] | None = None, cut: bool | None = None
) -> S:
    """The one object that was asked for; of several the last one, since models correct themselves.

    ids: those that the model was given, for a shape that has ids. cut: whether the endpoint said that the answer
    was cut (True) or whole (False); None where it said nothing. Raises AnswerFailure.
    """
    found, prose = _read(answer)
    fitting = [each for each in found if _object_of(each.value, shape) is not None]
    if not fitting or (fitting[-1].cut and cut is not False):
        raise _none_fits(answer, found, prose, cut)
    return _validated(_object_of(fitting[-1].value, shape), shape, ids)


def parse_many(
    answer: str, shape: type[S], *, ids: Collection[object] | None = None, cut: bool | None = None
) -> Steps[S]:
    """The list that was asked for, step by step: one that is wrong is refused whole, and the others stand.

    Parameters as for `parse_one`. Raises AnswerFailure, also where every step had to be refused.
    """
    found, prose = _read(answer)
    items = _items_of(found, shape)
    if items is None or (not items and _refuses(prose)):
        raise _none_fits(answer, found, prose, cut)
    kept: list[S] = []
    refused: list[AnswerFailure] = []
    for item in items[:MAX_ITEMS]:
        try:
            kept.append(_validated(item, shape, ids))
        except AnswerFailure as failure:
            refused.append(failure)
    if refused and not kept:
        raise refused[0]
    return Steps(tuple(kept), tuple(refused), bool(cut) or any(each.cut for each in found))


def text_of(answer: str) -> str:
    """An answer in prose without its thinking. Raises Empty where nothing is left; a refusal stays for the reader."""
    return _spoken(answer)


def _read(answer: str) -> tuple[list[Found], str]:
    """The values in an answer, and what is said around them. Raises Empty and TooLong."""
    whole = _whole(answer)
    if whole is not None:
        return [whole], ""
    spoken = _spoken(answer)
    found = list(find_values(spoken))
    around, at = [], 0
    for each in found:
        around.append(spoken[at : each.start])
        at = each.end
    return found, " ".join([*around, spoken[at:]])


def _spoken(answer: str) -> str:
    if len(answer) > MAX_CHARS:
        raise TooLong(
            _("The model's answer is too long to be read"),
            detail=_("{count} characters").format(count=f"{len(answer):,}"),
            answer=answer[:_SHOWN],
        )
    spoken = without_thinking(answer.lstrip("\ufeff"))
    if not spoken:
        raise Empty(
            _("The model gave no answer"),
            detail=_("It thought, and came to no end") if answer.strip() else "",
            hint=_("Try again, with more room for the answer, or with another model"),
            answer=answer[:_SHOWN],
        )
    return spoken


def _whole(answer: str) -> Found | None:
    """The answer where it is well-formed JSON from end to end, also as JSON within a JSON string."""
    if len(answer) > MAX_CHARS:
        return None
    value: Any = answer
    for _again in range(2):
        try:
            value = json.loads(value.strip("\ufeff \t\r\n"))
        except (ValueError, RecursionError):
            return None
        if isinstance(value, (dict, list)):
            return Found(value, None, False, 0, len(answer))
        if not isinstance(value, str):
            return None
    return None


def _object_of(value: Any, shape: type[Shape]) -> dict[str, Any] | None:
    """The object of a value: itself, the only one of a list, or the only one under a key."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return None
    if shape.model_fields.keys() & value.keys():
        return value
    inner = next(iter(value.values())) if len(value) == 1 else None
    if isinstance(inner, dict) and shape.model_fields.keys() & inner.keys():
        return inner
    return None


def _items_of(found: list[Found], shape: type[Shape]) -> list[Any] | None:
    """The last list with something in it, else all objects one after another, else the empty list; None: no list."""
    lists: list[list[Any]] = []
    objects: list[Any] = []
    for each in found:
        value = each.finished if each.cut else each.value
        items = _list_of(value, shape)
        if items is not None:
            lists.append(items)
        elif isinstance(value, dict) and shape.model_fields.keys() & value.keys():
            objects.append(value)
    filled = [each for each in lists if each]
    if filled:
        return filled[-1]
    return objects or (lists[-1] if lists else None)


def _list_of(value: Any, shape: type[Shape]) -> list[Any] | None:
    if isinstance(value, dict):
        if isinstance(value.get(ITEMS), list):
            value = value[ITEMS]
        elif len(value) == 1 and not shape.model_fields.keys() & value.keys():
            value = next(iter(value.values()))
    if not isinstance(value, list) or (value and not any(isinstance(each, dict) for each in value)):
        return None
    return value


def _validated(value: Any, shape: type[S], ids: Collection[object] | None) -> S:
    try:
        return shape.model_validate(_clean(value), context=None if ids is None else Given.of(ids))
    except ValidationError as error:
        raise _why(error, value) from None
    except RecursionError:
        raise WrongShape(
            _("The model's answer is not of the form that was asked for"), detail=_("nested too deeply")
        ) from None


def _why(error: ValidationError, value: Any) -> AnswerFailure:
    faults = error.errors(include_url=False)
    shown = _shortened(str(value))
    unknown = tuple(str(each["ctx"]["id"]) for each in faults if each["type"] == "unknown_id")
    if unknown:
        return WrongIds(
            _("The model named something that it was not given"),
            detail=_("ids: {ids}").format(ids=", ".join(map(_shortened, unknown))),
            ids=unknown,
            answer=shown,
        )
    places = (".".join(map(str, each["loc"])) + ": " + each["msg"] for each in faults[:5])
    return WrongShape(
        _("The model's answer is not of the form that was asked for"),
        detail="; ".join(places),
        answer=shown,
    )


def _none_fits(answer: str, found: list[Found], prose: str, cut: bool | None) -> AnswerFailure:
    """Which failure it is that no value of the answer would do."""
    shown = _shortened(answer.strip())
    declined = any(
        isinstance(each.value, dict) and each.value and each.value.keys() <= {"error", "refusal", "message"}
        for each in found
    )
    if declined or _refuses(prose):
        return Refused(_("The model refused"), detail=shown, answer=shown)
    if cut or any(each.cut for each in found):
        return Cut(
            _("The model's answer was cut off"),
            hint=_("Allow it longer answers in the settings, or give it less at once"),
            answer=shown,
        )
    if any(_holds_object(each.value) for each in found):
        return WrongShape(
            _("The model's answer is not of the form that was asked for"), detail=shown, answer=shown
        )
    return NotJson(
        _("The model answered in prose where data was asked for"),
        detail=shown,
        hint=_("Larger models keep to the form more often"),
        answer=shown,
    )


def _holds_object(value: Any) -> bool:
    """Whether it is data, and not a "[1]" in prose."""
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_holds_object, value)))


def _refuses(prose: str) -> bool:
    return bool(_REFUSAL.search(prose[: _SHOWN * 3]))


def _clean(value: Any) -> Any:
    """Without characters that can't be stored or shown: half emojis become U+FFFD, control characters go."""
    if isinstance(value, str):
        return _UNSEEN.sub("", _HALF.sub("\ufffd", value))
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(each) for key, each in value.items()}
    return value


def _shortened(text: str) -> str:
    clean = " ".join(_clean(text).split())
    return clean if len(clean) <= _SHOWN else clean[:_SHOWN] + "…"
