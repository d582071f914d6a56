"""The ways to search."""

from typing import Literal, get_args

Mode = Literal["hybrid", "keyword", "semantic"]
MODES: tuple[str, ...] = get_args(Mode)
