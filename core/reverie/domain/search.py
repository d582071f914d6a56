"""What a search answers."""

from dataclasses import dataclass, field

from reverie.domain.memory import Memory


@dataclass(frozen=True, slots=True)
class Hit:
    """One found memory.

    score ranks within this answer only. relevance is 0..1 and means the same for every query and store.
    keyword is the BM25 part, normalised to the best hit (0..1; None: no word matched). cosine is -1..1
    (None: no vector). why tells in words. passage is the sentence that matched best.
    """

    memory: Memory
    score: float
    relevance: float
    keyword: float | None = None
    cosine: float | None = None
    why: str = ""
    passage: str = ""
    words: tuple[str, ...] = field(default=())  # matched words as they stand in the text
