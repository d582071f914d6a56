from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
import numpy as np
from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory
@dataclass(frozen=True, slots=True)
class Finding:
    insight: str
    sources: tuple[MemoryId, ...]
class Reasoner(Protocol):
    @property
    def name(self) -> str: ...
    def consolidate(self, memories: Sequence[Memory], vectors: np.ndarray) -> list[Finding]: ...
