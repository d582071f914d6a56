from pathlib import Path

from PySide6.QtGui import QImage

from reverie import Vault
from reverie_gui.panes import PANES
from reverie_gui.snapshot import render_panes
from reverie_gui.theme.theme import Theme


def test_every_pane_is_drawn_light_and_dark(theme: Theme, vault: Vault, tmp_path: Path) -> None:
    vault.memories.add("The Berlin office closes at eight", tags=["office"])
    made = render_panes(vault, tmp_path / "pictures", sizes=((1000, 640),))
    assert {file.name for file in made} == {
        f"{pane.id}-{look}.png" for pane in PANES for look in ("light", "dark")
    }
    light, dark = (QImage(str(tmp_path / "pictures" / f"memories-{look}.png")) for look in ("light", "dark"))
    assert (light.width(), light.height()) == (1000, 640)
    assert light.pixelColor(500, 600).lightness() > 200
    assert dark.pixelColor(500, 600).lightness() < 60
    assert vault.memories.list()[0].content  # the vault is still open
    theme.choose("light")
