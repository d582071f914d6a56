"""The passes of a dream, in the order in which they run. A new one is a module here and a line in PASSES."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reverie.dream.passes.base import Pass
from reverie.dream.passes.consolidate import Consolidate
from reverie.dream.passes.duplicates import Duplicates, KnownTexts
from reverie.reason.base import Reasoner


@dataclass(frozen=True, slots=True)
class Tools:
    """What passes are built with. cosine and overlap: when texts are near duplicates; batch: memories that are
    consolidated together; limit: of them in one dream; known: what earlier dreams of this process know of the texts."""

    reasoner: Reasoner
    cosine: float = 0.95
    overlap: float = 0.6
    batch: int = 20
    limit: int = 2000
    known: KnownTexts = field(default_factory=dict)


PASSES: Mapping[str, Callable[[Tools], Pass]] = {
    Duplicates.name: lambda tools: Duplicates(tools.cosine, tools.overlap, tools.known),
    Consolidate.name: lambda tools: Consolidate(tools.reasoner, tools.batch, tools.limit),
}
