"""What must be there before Qt is started: it would end the process with a message that helps nobody."""

import ctypes
import os
import sys
from collections.abc import Callable, Mapping

from reverie.errors import UserError
from reverie.i18n import _

# What Qt's xcb plugin and QtGui link to and a bare system may lack, with the Debian package that has it.
_NEEDED = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_NEEDED_XCB = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


class NoDisplay(UserError):
    """There is no screen to open a window on."""


class MissingLibraries(UserError):
    """The system lacks libraries that Qt needs."""


def has_display(environment: Mapping[str, str] | None = None) -> bool:
    """Whether this process may open a window at all (on Linux: an X or Wayland display is named)."""
    if sys.platform != "linux":
        return True
    here = os.environ if environment is None else environment
    return bool(here.get("QT_QPA_PLATFORM") or here.get("DISPLAY") or here.get("WAYLAND_DISPLAY"))


def missing_libraries(xcb: bool, load: Callable[[str], object] = ctypes.CDLL) -> list[str]:
    """The Debian packages of the libraries that can't be loaded, each once, in order."""
    packages: dict[str, None] = {}
    for name, package in {**_NEEDED, **(_NEEDED_XCB if xcb else {})}.items():
        try:
            load(name)
        except OSError:
            packages[package] = None
    return list(packages)


def check() -> None:
    """Raises NoDisplay or MissingLibraries with the next step; call before any import of Qt's widgets."""
    if sys.platform != "linux":
        return
    if not has_display():
        raise NoDisplay(
            _("There is no display to open a window on"),
            hint=_("Run “reverie demo” to see it work without one, or set DISPLAY"),
        )
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    xcb = platform.startswith("xcb") or (not platform and not os.environ.get("WAYLAND_DISPLAY"))
    packages = missing_libraries(xcb)
    if packages:
        raise MissingLibraries(
            _("The window needs system libraries that are missing"),
            hint=_("Install them: sudo apt-get install {packages}").format(packages=" ".join(packages)),
        )
    if xcb and not _answers():
        raise NoDisplay(
            _("The display {name} does not answer").format(name=os.environ.get("DISPLAY", "")),
            hint=_("Run “reverie demo” to see it work without one"),
        )


def _answers() -> bool:
    """Whether the X server can be reached: Qt aborts the process if not."""
    library = ctypes.CDLL("libxcb.so.1")
    library.xcb_connect.restype = ctypes.c_void_p
    library.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    for name in ("xcb_connection_has_error", "xcb_disconnect"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    connection = library.xcb_connect(None, None)
    broken = bool(library.xcb_connection_has_error(connection))
    library.xcb_disconnect(connection)
    return not broken
