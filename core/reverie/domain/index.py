"""How far the vectors are behind the texts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """``pending`` rows wait for a vector; ``problem`` says in words why none are made, "" where all is well."""

    pending: int = 0
    model: str = ""
    problem: str = ""
