"""What a search needs of the store: the rows of a kind behind what an index found."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

Wanted = TypeVar("Wanted", contravariant=True)


class Rows(Protocol[Wanted]):
    """``Wanted`` is what narrows a search of this kind."""

    def view(self) -> AbstractContextManager[object]:
        """One view of the store for all that is read inside."""
        ...

    def keep(self, seqs: Sequence[int], wanted: Wanted) -> set[int]:
        """Those that the filter leaves."""
        ...

    def allowed(self, wanted: Wanted) -> Sequence[int]:
        """Every seq that the filter leaves."""
        ...

    def seq(self, record_id: str) -> int:
        """Of the record with that id, -1 where there is none."""
        ...

    def load(self, seqs: Sequence[int]) -> Mapping[int, Any]:
        """Records by seq; those that are gone are left out."""
        ...

    def texts(self, seqs: Sequence[int]) -> Mapping[int, str]:
        """What each row says, by seq, without the cost of its record; those that are gone are left out."""
        ...

    def containing(self, text: str, wanted: Wanted, limit: int) -> Sequence[int]:
        """Rows that hold the text as it is, newest first."""
        ...
