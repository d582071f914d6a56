"""Taking memories away."""

from pathlib import Path

from reverie.i18n import _
from reverie_gui.context import Context
from reverie_gui.operations.files import open_folder


def export_json(*, context: Context, path: Path) -> None:
    """Writes the whole vault to a JSON file."""
    context.tasks.run(
        lambda task: context.vault.export(path, "json", progress=task.progress, cancelled=task.cancelled),
        on_done=lambda _report: context.notices.toast(
            _("Exported to {name}").format(name=path.name),
            action=_("Show in folder"),
            act=lambda: open_folder(context=context, path=path),
        ),
        label=_("Exporting"),
        long=True,
    )
