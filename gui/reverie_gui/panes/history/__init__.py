"""Every change of the vault, by day; each can be looked at and taken back."""
