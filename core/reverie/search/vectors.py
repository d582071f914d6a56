"""The vectors of a vault in memory, searched exactly; what other processes store comes in by revision."""

import threading
from typing import TYPE_CHECKING

from reverie.store.embeddings import Embeddings

if TYPE_CHECKING:
    import numpy as np

_SPARE = 1.25  # room kept for rows to come, so that one more row is no copy of all


class VectorIndex:
    """Vectors of one model; rows of shape (dimensions,), unit length, float32."""

    def __init__(self, embeddings: Embeddings, model: str, dimensions: int) -> None:
        import numpy as np

        self._embeddings = embeddings
        self._model = model
        self._rev = 0
        self._count = 0
        self._rows = np.empty((0, dimensions), np.float32)
        self._seqs = np.empty(0, np.int64)
        self._place: dict[int, int] = {}
        self._lock = threading.Lock()

    def similarities(self, query: "np.ndarray") -> "tuple[np.ndarray, np.ndarray]":
        """(seqs (n,), cosines (n,)) of every stored row, deleted ones perhaps included: filter what you take."""
        with self._lock:
            self._catch_up()
            return self._seqs[: self._count].copy(), self._rows[: self._count] @ query

    def of(self, seqs: "list[int]") -> "np.ndarray":
        """Vectors by seq (n, dimensions); rows of zeros where there is none yet."""
        import numpy as np

        with self._lock:
            self._catch_up()
            found = np.zeros((len(seqs), self._rows.shape[1]), np.float32)
            for n, seq in enumerate(seqs):
                if (place := self._place.get(seq)) is not None:
                    found[n] = self._rows[place]
            return found

    def _catch_up(self) -> None:
        self._rev, seqs, vectors = self._embeddings.since(self._model, self._rev)
        if not len(seqs):
            return
        self._reserve(self._count + len(seqs))
        for seq, vector in zip(seqs.tolist(), vectors, strict=True):
            place = self._place.get(seq)
            if place is None:
                place = self._place[seq] = self._count
                self._count += 1
                self._seqs[place] = seq
            self._rows[place] = vector

    def _reserve(self, size: int) -> None:
        import numpy as np

        if size <= len(self._seqs):
            return
        room = int(size * _SPARE)
        rows = np.empty((room, self._rows.shape[1]), np.float32)
        rows[: self._count] = self._rows[: self._count]
        seqs = np.empty(room, np.int64)
        seqs[: self._count] = self._seqs[: self._count]
        self._rows, self._seqs = rows, seqs
