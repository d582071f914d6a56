"""Where words of a query stand in a line."""

import re
from functools import lru_cache


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> "re.Pattern[str] | None":
    wanted = sorted({word for word in words if word.strip()}, key=len, reverse=True)
    if not wanted:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(re.escape(word) for word in wanted) + r")", re.IGNORECASE)


def spans(line: str, words: tuple[str, ...]) -> list[tuple[int, int]]:
    """Start and end of each place where a word begins with one of ``words``, not overlapping."""
    pattern = _pattern(words)
    return [] if pattern is None else [match.span() for match in pattern.finditer(line)]
