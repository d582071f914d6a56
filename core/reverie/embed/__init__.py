"""Texts to vectors, on this machine: the protocol (base), the ways to load one (factory), the backends."""
