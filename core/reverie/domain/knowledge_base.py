"""A named part of a vault."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """``consolidate_interval_mins`` is the pause between dreams; ``inbox`` is empty for the vault's own folder."""

    name: str
    is_active: bool = True
    always_on: bool = False
    consolidate_interval_mins: int = 30
    inbox: str = ""
    reasoner: str = ""
    model: str = ""
