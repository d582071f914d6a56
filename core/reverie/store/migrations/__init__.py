"""Alembic migrations: linear, readable names, each in a transaction with a backup before."""
