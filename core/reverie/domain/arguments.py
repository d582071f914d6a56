"""The public functions take what they declare; anything else is a UserError that names the parameter.

A program that calls the library by hand, or hands on what an agent sent, may pass anything. What would come of it
further down is a bare TypeError at best.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache, wraps
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from reverie.domain.text import clean
from reverie.errors import UserError
from reverie.i18n import _

C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])

_OWN = "says_itself"
_SHOWN = 80  # characters of a value


def checked(cls: C) -> C:
    """For a class: its public methods check their arguments against the types that they declare."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, FunctionType):
            setattr(cls, name, _checking(member))
        elif isinstance(member, classmethod):
            setattr(cls, name, classmethod(_checking(member.__func__)))
    return cls


def says_itself(*names: str) -> Callable[[F], F]:
    """For a method: what it says of these parameters is better than what can be said here."""

    def mark(function: F) -> F:
        function.__dict__[_OWN] = names
        return function

    return mark


def fits(value: object, declared: Any) -> bool:
    """Whether a value is of a declared type; True for types that can't be told at run time. What is read once
    (an iterator) is not looked into."""
    if isinstance(declared, NewType):
        return fits(value, declared.__supertype__)
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inner)
    if origin is Literal:
        return isinstance(value, tuple({type(each) for each in inner}))
    if origin is not None:
        return _fits_generic(value, origin, inner)
    if declared is None or declared is NoneType:
        return value is None
    if declared is float:
        return isinstance(value, (int, float))
    if declared is Any or not isinstance(declared, type) or getattr(declared, "_is_protocol", False):
        return True
    if issubclass(declared, Enum):
        return isinstance(value, declared) or value in tuple(each.value for each in declared)
    return isinstance(value, declared)


def check_fields(value: Any) -> None:
    """The same for the fields of a dataclass, which anybody may fill."""
    for name, declared in _field_types(value.__class__).items():
        if not fits(getattr(value, name), declared):
            raise _wrong(name, getattr(value, name), declared)


@lru_cache(maxsize=32)
def _field_types(cls: type) -> Mapping[str, Any]:
    return get_type_hints(cls)


def _fits_generic(value: object, origin: Any, inner: tuple[Any, ...]) -> bool:
    if not isinstance(origin, type):
        return True
    if issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if issubclass(origin, Iterable):
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return False
        return isinstance(value, Iterator) or not inner or all(fits(each, inner[0]) for each in value)
    return callable(value) if issubclass(origin, Callable) else True  # type: ignore[arg-type]


def _checking(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    own = function.__dict__.get(_OWN, ())

    @lru_cache(maxsize=1)
    def declared() -> Mapping[str, Any]:
        return {name: _declared(function, each.annotation) for name, each in signature.parameters.items()}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind_partial(*args, **kwargs).arguments
        except TypeError:
            return function(*args, **kwargs)  # says it better
        for name, value in given.items():
            kind = signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_KEYWORD or name in own:
                continue
            for each in value if kind is inspect.Parameter.VAR_POSITIONAL else (value,):
                if not fits(each, declared()[name]):
                    raise _wrong(name, each, declared()[name])
        return function(*args, **kwargs)

    return call


def _declared(function: Callable[..., Any], annotation: Any) -> Any:
    """The type that stands there; Any where it is none, or known to the type checker only."""
    if annotation is inspect.Parameter.empty:
        return Any
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, getattr(function, "__globals__", {}))
    except NameError:
        return Any


def _wrong(name: str, value: object, declared: Any) -> UserError:
    shown = clean(f"{type(value).__name__} {value!r}")
    return UserError(
        _("“{name}” can't be this").format(name=name),
        detail=shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…",
        hint=_("Pass {type}").format(type=_type_name(declared)),
    )


def _type_name(declared: Any) -> str:
    """As it stands in the declaration, without modules."""
    if get_origin(declared) in (Union, UnionType):
        return " | ".join(map(_type_name, get_args(declared)))
    if declared in (None, NoneType):
        return "None"
    if get_origin(declared) is None and hasattr(declared, "__name__"):
        return str(declared.__name__)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", str(declared))
