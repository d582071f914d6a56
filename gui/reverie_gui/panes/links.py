"""From other panes to memories."""

from reverie_gui.panes.base import Pane


def show_memory(pane: Pane, memory: str) -> None:
    """Opens the pane of memories with one of them in its detail, also one that its list leaves out."""
    pane.pane_wanted.emit("memories", "")
    window = pane.window()
    find = getattr(window, "pane", None)
    memories = find("memories") if find is not None else None
    show = getattr(memories, "show_memory", None)
    if show is not None:
        show(memory)
