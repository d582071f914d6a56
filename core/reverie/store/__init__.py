"""The only package that knows SQL. Nothing but domain values leaves it."""
