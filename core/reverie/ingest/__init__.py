"""From files and pasted texts to memories: inbox, extractors, chunking, pipeline."""
