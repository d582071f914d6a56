"""Id types. Own ids are 12 lower-case hex characters; foreign ids are kept as they came."""

import secrets
from typing import NewType

MemoryId = NewType("MemoryId", str)
InsightId = NewType("InsightId", str)
ItemId = NewType("ItemId", str)
RunId = NewType("RunId", str)
ProposalId = NewType("ProposalId", str)
SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", str)
OperationId = NewType("OperationId", int)


def new_id() -> str:
    """A fresh id: 48 random bits as 12 lower-case hex characters."""
    return secrets.token_hex(6)
