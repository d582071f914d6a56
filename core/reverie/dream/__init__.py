"""Dreams: passes propose, checks veto, and the runner applies what is left as one changeset."""
