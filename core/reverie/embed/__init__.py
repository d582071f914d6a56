"""Texts to vectors, on this machine: the protocol and the way to load what implements it."""

from reverie.embed.base import Embedder, Vectors
from reverie.embed.factory import load_embedder

__all__ = ["Embedder", "Vectors", "load_embedder"]
