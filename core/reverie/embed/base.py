"""What an embedder promises, whatever runs underneath."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:  # the window names embedders long before it needs numbers
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine. Safe to call from several threads.

    name: the model and the first 8 hex digits of the SHA-256 of its file, ``all-MiniLM-L6-v2-int8@8199be6f``.
        It is stored with each vector: vectors of two names are never compared.
    dimensions: the length of a vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32 of shape (len(texts), dimensions), in the order of the texts.

        Any string is taken: an empty one has a vector too (that of the bare frame tokens), a long one
        counts up to the model's limit, a lone surrogate counts as U+FFFD.
        """
        ...
