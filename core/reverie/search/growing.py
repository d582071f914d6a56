"""Arrays that rows are added to."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SPARE = 1.25  # room kept, so that one more row is no copy of all


class Growing:
    """Columns of one length, by name."""

    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        self._arrays: dict[str, NDArray[Any]] = {name: np.empty(0, dtype) for name, dtype in dtypes.items()}
        self.count = 0

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A view of the rows that there are; written to, it is the column that changes."""
        return self._arrays[name][: self.count]

    def add(self, columns: Mapping[str, Any], rows: int) -> slice:
        """Add rows; a column may be one value for all. Returns where they stand."""
        places = slice(self.count, self.count + rows)
        if places.stop > len(next(iter(self._arrays.values()))):
            room = int(places.stop * _SPARE) + 16
            for name, array in self._arrays.items():
                larger = np.empty((room, *array.shape[1:]), array.dtype)
                larger[: self.count] = array[: self.count]
                self._arrays[name] = larger
        self.count = places.stop
        for name, values in columns.items():
            self._arrays[name][places] = values
        return places
