"""What the fields of an answer are made of. A shape is a class on `Shape` whose fields are of these kinds."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic_core import PydanticCustomError

MAX_TEXT = 20_000
MAX_TEXTS = 50


class Shape(BaseModel):
    """One object that a model is asked for. Keys that nobody asked for are let go."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, str_strip_whitespace=True, coerce_numbers_to_str=True
    )


@dataclass(frozen=True, slots=True)
class Given:
    """The ids that a model was shown: no other may stand in its answer."""

    ids: frozenset[str]

    @classmethod
    def of(cls, ids: Collection[object]) -> "Given":
        return cls(frozenset(str(each) for each in ids))


def clamp(low: float, high: float) -> BeforeValidator:
    """A validator that brings a finite number between two bounds. What is no number stays what it was."""

    def clamped(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            return value
        try:
            number = float(value) if isinstance(value, str) else value
        except ValueError:
            return value
        return (
            value if isinstance(number, float) and math.isnan(number) else float(min(max(number, low), high))
        )

    return BeforeValidator(clamped)


def _checked_id(value: str, info: ValidationInfo) -> str:
    if not isinstance(info.context, Given):
        raise LookupError("a shape with ids is read with the ids that were given")  # a bug of the caller
    if value not in info.context.ids:
        raise PydanticCustomError("unknown_id", "{id} was not given", {"id": value})
    return value


def _as_texts(value: Any) -> Any:
    """One text for a list of one, nothing for none, and an object's name for the object: small models do so."""
    if value is None:
        return []
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    named = [each.get("name", each) if isinstance(each, dict) else each for each in value]
    texts = (each.strip() if isinstance(each, str) else each for each in named)
    return [each for each in texts if each not in ("", None)]


def _once(value: list[str]) -> list[str]:
    return list(dict.fromkeys(value))[:MAX_TEXTS]


Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
"""A text with something in it."""

Share = Annotated[float, Field(ge=0.0, le=1.0), clamp(0.0, 1.0)]
"""A number from 0 to 1: importance, confidence. Beyond them it is brought back to the bound."""

Texts = Annotated[
    list[Annotated[str, Field(max_length=500)]], BeforeValidator(_as_texts), AfterValidator(_once)
]
"""A list of short texts, each once: entities, topics. At most 50 are kept."""

GivenId = Annotated[str, AfterValidator(_checked_id)]
"""An id that the model was shown. A number that stands for one is read as text."""
