"""What was deleted, until the trash is emptied."""
