"""Memories: search and list at the left, one memory or what several have in common at the right."""
