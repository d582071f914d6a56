"""Arrays of an index on disk, mapped into memory: made from the store, and made anew where they disagree with it.

A snapshot is a folder of .npy files and of lists as JSON. It is written beside its place and renamed, so that it is
whole or not there. The store holds the token of the newest one: a vault that was restored from a backup has another
token, and the snapshot is of no use then.
"""

import json
import os
import secrets
import shutil
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION = 2  # raised by a change of what is written, of how text is cut, or of what a field weighs

_ABOUT = "about.json"
_BLOCK = 1 << 20
_BLOCKS = 64  # of a file that are read to tell whether it is whole


@dataclass(frozen=True, slots=True)
class Snapshot:
    """rev: what of the store is in it."""

    rev: int
    arrays: Mapping[str, NDArray[Any]]
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)


def save(folder: Path, name: str, snapshot: Snapshot) -> str:
    """Write it and drop older ones of that name; returns its token. Raises OSError."""
    token = secrets.token_hex(8)
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f".{name}-{token}-{os.getpid()}"
    try:
        beside.mkdir()
        for key, array in snapshot.arrays.items():
            np.save(beside / f"{key}.npy", array, allow_pickle=False)
        for key, words in snapshot.lists.items():
            (beside / f"{key}.json").write_text(json.dumps(words), encoding="utf-8")
        about = {
            "version": VERSION,
            "rev": snapshot.rev,
            "arrays": list(snapshot.arrays),
            "lists": list(snapshot.lists),
            "sums": {path.name: _sum(path) for path in beside.iterdir()},
        }
        (beside / _ABOUT).write_text(json.dumps(about), encoding="utf-8")
        beside.rename(folder / f"{name}-{token}")
    except OSError:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    drop(folder, name, but=token)
    return token


def load(folder: Path, name: str, token: str) -> Snapshot | None:
    """The snapshot with that token; None where it is not there, damaged, or of another version."""
    place = folder / f"{name}-{token}"
    try:
        about = json.loads((place / _ABOUT).read_text(encoding="utf-8"))
        if about["version"] != VERSION or any(
            _sum(place / file) != known for file, known in about["sums"].items()
        ):
            return None
        # Mapped, but seen as plain arrays: slices of a np.memmap are slow to make.
        arrays = {
            key: np.load(place / f"{key}.npy", mmap_mode="r").view(np.ndarray) for key in about["arrays"]
        }
        lists = {
            key: json.loads((place / f"{key}.json").read_text(encoding="utf-8")) for key in about["lists"]
        }
        return Snapshot(int(about["rev"]), arrays, lists)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def sweep(folder: Path, token: str, name: str, age: timedelta) -> None:
    """Remove what is older than ``age`` and not the snapshot with that token: a process was killed before it could."""
    before = time.time() - age.total_seconds()
    for place in (*folder.glob(f"{name}-*"), *folder.glob(f".{name}-*")):
        with suppress(OSError):
            if place.name != f"{name}-{token}" and place.stat().st_mtime < before:
                shutil.rmtree(place, ignore_errors=True)


def _sum(path: Path) -> int:
    """Tells a file that was cut short, emptied or written over; of a large one only parts are read."""
    size = path.stat().st_size
    step = max(_BLOCK, size // _BLOCKS)
    found = zlib.crc32(str(size).encode())
    with path.open("rb") as stream:
        for start in (*range(0, size, step), max(0, size - _BLOCK)):
            stream.seek(start)
            found = zlib.crc32(stream.read(_BLOCK), found)
    return found


def drop(folder: Path, name: str, *, but: str = "") -> None:
    """Remove the snapshots of that name, ``but`` that with this token."""
    for place in folder.glob(f"{name}-*"):
        if place.name != f"{name}-{but}":
            shutil.rmtree(place, ignore_errors=True)
