"""Texts to vectors, on this machine: the protocol, the way to load what implements it, one file a backend."""
