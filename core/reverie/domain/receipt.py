"""What was removed for good: by "Empty trash", and by the retention settings."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Receipt:
    """Counts of what went; ``left`` names, in words, what could not be removed and why."""

    memories: int = 0
    insights: int = 0
    images: int = 0  # rows of the change log that held their text
    proposals: int = 0
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetentionReport:
    """What the retention settings removed: old trash, and the images of that many old changesets."""

    trash: Receipt = field(default_factory=Receipt)
    changesets: int = 0
    images: int = 0
