"""The fonts of the window: Inter, bundled; the system's own where it can't be loaded."""

from PySide6.QtGui import QFont, QFontDatabase

from reverie.resources import resource
from reverie_gui.theme.tokens import STYLES, Style

_FAMILY = "Inter"
_scale = 1.0
_system: list[str] = []
_cache: dict[tuple[str, float], QFont] = {}


def load_fonts() -> bool:
    """Adds the bundled font to the application (once); False if none could be read."""
    if not _system:
        _system.extend(QFont().families())  # before the application's font is ours
    folder = resource("fonts")
    found = [QFontDatabase.addApplicationFont(str(file)) for file in sorted(folder.glob("*.otf"))]
    return bool(found) and min(found) >= 0


def set_scale(scale: float) -> None:
    """Sizes all text: 1.0 is 100 %, kept within 1..2."""
    global _scale
    _scale = min(2.0, max(1.0, scale))
    _cache.clear()


def scaled(pixels: float) -> int:
    """A height that holds text, at the present text size."""
    return round(pixels * _scale)


def font(name: str) -> QFont:
    """The font of a type style by its name in ``tokens.Type``, e.g. ``font("meta")``."""
    key = (name, _scale)
    if key not in _cache:
        _cache[key] = _make(STYLES[name])
    return _cache[key]


def _make(style: Style) -> QFont:
    if style.mono:
        made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    else:
        made = QFont()
        if QFontDatabase.hasFamily(_FAMILY):
            made.setFamilies([_FAMILY, *_system])
        made.setFeature(QFont.Tag("tnum"), 1)  # figures of one width: counts and times stand in columns
    made.setPixelSize(max(11, round(style.size * _scale)))
    made.setWeight(QFont.Weight(style.weight))
    if style.tracking != 100.0:
        made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, style.tracking)
    return made
