"""Where the files that ship with Reverie lie: in a checkout, a wheel or a frozen build."""

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``resource("models", "minilm")``."""
    return _root().joinpath(*parts)


def _root() -> Path:
    here = Path(__file__).resolve().parent
    candidates = [
        Path(getattr(sys, "_MEIPASS", here)) / "reverie" / "_resources",  # frozen
        here / "_resources",  # wheel
        here.parent.parent / "resources",  # checkout
    ]
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"Reverie's resources are missing; looked in {', '.join(map(str, candidates))}")
