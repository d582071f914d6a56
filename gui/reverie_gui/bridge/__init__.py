"""The only code of the window that knows threads: tasks, the core's events, and notices to the person."""
