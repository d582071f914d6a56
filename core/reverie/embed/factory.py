"""Chooses and loads the embedder."""

from functools import cache
from pathlib import Path

from reverie.embed.base import Embedder
from reverie.embed.onnx import OnnxEmbedder
from reverie.resources import resource

SHIPPED_MODEL = "all-MiniLM-L6-v2"
SHIPPED_PRECISION = "int8"


def load_embedder(folder: Path | None = None, threads: int = 2) -> Embedder:
    """The embedder of a model folder, ready for use (0.4 s of processor time, 80 MB).

    folder: holds ``model.onnx`` and ``tokenizer.json``, and may hold ``SHA256SUMS``, which is then checked;
        by default the model that ships with Reverie. Another folder's name becomes its model's name.
    threads: how many threads work on one batch, 1 or more.
    Raises UserError where a file is missing or damaged: there is no other model to fall back on,
    and the caller shows the reason while search goes on by keyword.
    """
    if folder is None:
        return OnnxEmbedder(
            resource("models", SHIPPED_MODEL), f"{SHIPPED_MODEL}-{SHIPPED_PRECISION}", threads
        )
    return OnnxEmbedder(folder, folder.name, threads)


@cache
def shipped_embedder() -> Embedder:
    """The model that ships with Reverie, loaded once a process: all of its vaults share it. Raises UserError."""
    return load_embedder()
