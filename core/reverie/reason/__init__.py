"""What reads and writes meaning: ``builtin`` needs no model of language and no network."""
