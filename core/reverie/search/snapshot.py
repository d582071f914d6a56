"""Arrays of an index on disk, mapped into memory: made from the store, and made anew where they disagree with it.

A snapshot is a folder of .npy files and of lists as JSON. It is written beside its place and renamed, so that it is
whole or not there. The store holds the token of the newest one: a vault that was restored from a backup has another
token, and the snapshot is of no use then.
"""

import json
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION = 1  # raised by a change of what is written, of how text is cut, or of what a field weighs

_ABOUT = "about.json"


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
        if about["version"] != VERSION:
            return None
        # Mapped, but seen as plain arrays: slices of a np.memmap are slow to make.
        arrays = {
            key: np.load(place / f"{key}.npy", mmap_mode="r").view(np.ndarray) for key in about["arrays"]
        }
        lists = {
            key: json.loads((place / f"{key}.json").read_text(encoding="utf-8")) for key in about["lists"]
        }
        return Snapshot(int(about["rev"]), arrays, lists)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def drop(folder: Path, name: str = "", *, but: str = "") -> None:
    """Remove the snapshots of that name; of all names where none is given."""
    for place in folder.glob(f"{name}-*" if name else "*-*"):
        if not but or place.name != f"{name}-{but}":
            shutil.rmtree(place, ignore_errors=True)
