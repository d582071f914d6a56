"""Free metadata: a line a key to read, JSON to edit."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from reverie_gui.theme.fonts import font
from reverie_gui.widgets.body_editor import BodyEditor
from reverie_gui.widgets.looks import button, column, label, row


class MetadataField(QWidget):
    """Signals: ``chosen(dict)`` the person changed it; ``refused(str)`` why the text is no JSON object ("" once it is)."""

    chosen = Signal(dict)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._metadata: dict[str, Any] = {}
        self._lines = label(style="mono", select=True, wrap=True)
        self._edit = button(self.tr("Edit"), self._begin, "link", self.tr("Edit the metadata as JSON"))
        self._editor = BodyEditor()
        self._editor.setAccessibleName(self.tr("Metadata, JSON"))
        self._editor.setFont(font("mono"))
        self._editor.left.connect(self._end)
        self._editor.hide()
        self._lines.setContentsMargins(0, 4, 0, 0)  # in line with the label of the row
        self.setLayout(column(self._lines, row(self._edit, -1), self._editor))

    def set_metadata(self, metadata: Mapping[str, Any]) -> None:
        self._metadata = dict(metadata)
        self._lines.setText("\n".join(_lines(metadata)))
        self._lines.setVisible(bool(metadata))
        self._edit.setText(self.tr("Edit") if metadata else self.tr("Add…"))

    def finish(self) -> None:
        """Takes what is being written."""
        if not self._editor.isHidden():
            self._end()

    def _begin(self) -> None:
        self._lines.hide()
        self._edit.hide()
        self._editor.show()
        self._editor.begin(json.dumps(self._metadata, ensure_ascii=False, indent=2))
        self._editor.setFont(font("mono"))
        self._editor.setFocus()

    def _end(self) -> None:
        text = self._editor.toPlainText().strip() or "{}"
        try:
            found = json.loads(text)
        except ValueError as error:
            self.refused.emit(self.tr("This is no JSON: {why}").format(why=error))
            return
        if not isinstance(found, dict):
            self.refused.emit(self.tr("Metadata is an object: {}, with keys and values"))
            return
        self.refused.emit("")
        self._editor.hide()
        self._lines.setVisible(bool(self._metadata))
        self._edit.show()
        if found != self._metadata:
            self.chosen.emit(found)


def _lines(metadata: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """A line a value; those inside of others by their path: "file.title: Manual"."""
    for key, value in metadata.items():
        if isinstance(value, dict) and value:
            yield from _lines(value, f"{above}{key}.")
        else:
            yield f"{above}{key}: {_word(value)}"


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
