"""The settings of the vault, from their declarations."""
