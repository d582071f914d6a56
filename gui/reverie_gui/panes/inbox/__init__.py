"""The queue of files on their way to memories."""
