"""From files to memories: inbox, extractors (one module a kind of file), chunking, pipeline."""
