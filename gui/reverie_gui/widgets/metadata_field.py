"""Free metadata: a line a key to read, JSON to edit."""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
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
        line = row(gap=12)
        line.addWidget(self._lines)
        line.addWidget(self._edit, 0, Qt.AlignmentFlag.AlignTop)
        line.addStretch(1)
        layout = column()
        layout.addLayout(line)
        layout.addWidget(self._editor)
        self.setLayout(layout)

    def set_metadata(self, metadata: Mapping[str, Any]) -> None:
        self._metadata = dict(metadata)
        lines = (f"{key}: {_word(value)}" for key, value in metadata.items())
        self._lines.setText("\n".join(lines))
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


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
