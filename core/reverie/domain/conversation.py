"""A conversation, and what was said in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from reverie.domain.ids import MessageId, SessionId


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a session. ``content`` is "" only where there are ``tool_calls``, each a JSON object as the client
    gave it; ``tool_call_id`` names the call that a tool's message answers. ``is_extracted``: facts were taken from it.

    ``role`` is one of Role, or whatever another program has stored."""

    id: MessageId
    session: SessionId
    role: str
    content: str
    created_at: datetime
    name: str = ""
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    tool_call_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    is_extracted: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation that has messages. ``last_active_at`` is the instant of its newest one."""

    id: SessionId
    kb: str
    created_at: datetime
    last_active_at: datetime
    message_count: int = 0
    title: str = ""
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
