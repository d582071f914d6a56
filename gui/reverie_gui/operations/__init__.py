"""One function a user action: verb first, keyword only; menus, panes and the palette call the same ones.

Each starts a task and returns at once. What changed comes back as an event of the vault, so that no caller refreshes
anything by hand; failures are shown by the notices unless the caller takes them.
"""
