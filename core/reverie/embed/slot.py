"""The vault's embedder: loaded when first needed, once; why there is none stays known in words."""

import threading
from collections.abc import Callable

from reverie.embed.base import Embedder
from reverie.errors import UserError


class EmbedderSlot:
    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._embedder: Embedder | None = None
        self._problem = ""
        self._lock = threading.Lock()

    def get(self) -> Embedder | None:
        """The embedder, or None where it can't be had: ``problem`` then says why. Loads for about 0.3 s."""
        with self._lock:
            if self._embedder is None and not self._problem:
                try:
                    self._embedder = self._load()
                except UserError as error:
                    self._problem = str(error)
            return self._embedder

    @property
    def problem(self) -> str:
        return self._problem
