"""The window of Reverie (PySide6)."""
