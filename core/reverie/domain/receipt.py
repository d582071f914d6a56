"""What "Empty trash" removed for good."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Receipt:
    """Counts of what went; ``left`` names, in words, what could not be removed and why."""

    memories: int = 0
    insights: int = 0
    images: int = 0  # rows of the change log that held their text
    proposals: int = 0
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
