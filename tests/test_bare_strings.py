"""No text that a person can see is out of a translator's reach; and the search for it finds what it should."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bare_strings", ROOT / "packaging" / "bare_strings.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bare_strings"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


bare_strings = _load()


@pytest.mark.parametrize("folder", ["core/reverie", "gui/reverie_gui"])
def test_every_visible_text_is_translated(folder: str) -> None:
    modules = sorted((ROOT / folder).rglob("*.py"))
    assert modules

    found = [each for path in modules for each in bare_strings.find(path.read_text(encoding="utf-8"), path)]

    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize(
    "source",
    [
        'raise UserError("The file is empty")',
        'raise UserError(_("Empty"), hint="Choose another file")',
        'raise UserError(title="The file is empty")',
        'raise OfMyOwn(_("Empty"), detail=f"in line {n}")',
        'raise errors.UserError("The file " + name)',
        'raise UserError(_(f"{name} is empty"))',
        'raise UserError("{name} is empty".format(name=name))',
        'typer.echo("Nothing found")',
        'typer.echo("Nothing found" if not hits else "")',
        'app.command(help="Finds memories")(search)',
        'limit: int = typer.Option(10, help="How many")',
        'x: int = setting(10, title="Largest", help=_("ok"))',
        'self.label.setText("Nothing here yet")',
        'self.setWindowTitle(f"{name} - Reverie window")',
        'QLabel("Nothing here yet", self)',
        'QtWidgets.QPushButton(icon, "Retry", self)',
        'menu.addAction("Empty trash …", self.empty)',
        'menu.addMenu(icon, "&Edit")',
        'QAction(text="Undo", parent=self)',
        'box.setToolTip("<b>Bold</b>")',
        'box.setSuffix(" days")',
        'QMessageBox.question(self, self.tr("Sure?"), "This can not be undone")',
        'QFileDialog.getSaveFileName(self, "Export", folder)',
        'view.setHorizontalHeaderLabels([self.tr("Name"), "Size"])',
        'form.addRow("Name", field)',
        'combo.addItem("Dark", "x1")',
        'form.addRow(QLabel("Name"), field)',
        'field.setPlaceholderText("检索")',
        'self.label.setText(_(f"{count} memories"))',
        'self.label.setText("none" or x)',
    ],
)
def test_bare_text_is_found(source: str) -> None:
    assert len(bare_strings.find(source)) == 1, source


@pytest.mark.parametrize(
    "source",
    [
        'raise UserError(_("The file is empty"), hint=_("Choose another").format(a="b c"))',
        'raise UserError(_("{n} is empty").format(n="the word"))',
        "raise UserError(title, detail=str(path))",
        'raise UserError(_("No"), detail=f"{path}: {error.strerror}")',
        'raise ValueError("a developer reads this")',
        'self.setObjectName("memory list")',
        'self.label.setText(self.tr("Nothing here yet"))',
        'self.label.setText(QCoreApplication.translate("Inbox", "Nothing here yet"))',
        'self.label.setText(ngettext("{n} memory", "{n} memories", n).format(n=n))',
        'self.label.setText("")',
        'self.label.setText("–")',
        'self.label.setText(f"{done}/{total}")',
        'self.label.setText(f"<b>{name}</b>")',
        'logger.warning("a developer reads this %s", "and this")',
        'self._log.info("x", "and this too")',
        'menu.addAction(self.tr("Undo")).setShortcut("Ctrl+Z")',
        'action = QAction(self.tr("Undo"), self, objectName="edit.undo")',
        'QAction("edit.undo", self)',
        'combo.addItem(self.tr("Dark"), "dark")',
        'self.settings.setValue("window/state", "anything at all")',
        'label.setText("Reverie")  # not translated: a name',
        'painter.drawText(rect, "x")',
    ],
)
def test_what_is_no_visible_text_is_let_through(source: str) -> None:
    assert bare_strings.find(source) == []


def test_place_of_a_text_in_several_lines_is_told() -> None:
    (found,) = bare_strings.find('\nraise UserError(\n    "The file is empty",\n)\n', Path("a.py"))

    assert str(found) == "a.py:3: 'The file is empty'"


def test_empty_search_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bare_strings.main([str(tmp_path)]) == 1
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert bare_strings.main([str(tmp_path)]) == 0
    (tmp_path / "b.py").write_text('echo("Some words")\n', encoding="utf-8")
    assert bare_strings.main([str(tmp_path)]) == 1
    assert "Some words" in capsys.readouterr().out
