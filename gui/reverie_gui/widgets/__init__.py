"""Parts that know how things look and behave, and nothing of vaults: each takes values and emits signals."""
