"""What must be there before Qt is loaded: it ends the process with a message that helps nobody."""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Mapping

from reverie.errors import UserError
from reverie.i18n import _

# What a small system may lack: the file that is loaded, and Debian's package of it. For QtGui itself:
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
# And for its xcb plugin, which draws on an X server:
XCB_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def check_display(
    env: Mapping[str, str] | None = None,
    *,
    platform: str = sys.platform,
    loads: Callable[[str], bool] | None = None,
    answers: Callable[[], bool] | None = None,
) -> None:
    """Raises UserError where libraries are missing (with the command that installs them), or where Qt would draw
    on an X server that can't be reached. ``loads`` and ``answers`` stand in for the system."""
    if not platform.startswith("linux"):
        return
    env = os.environ if env is None else env
    xcb = env.get("QT_QPA_PLATFORM", "xcb").startswith("xcb") and not env.get("WAYLAND_DISPLAY")
    needed = {**QT_LIBRARIES, **(XCB_LIBRARIES if xcb else {})}
    missing = [name for name in needed if not (loads or _loads)(name)]
    if missing:
        packages = " ".join(sorted({needed[name] for name in missing}))
        hint = _("Install them with your system's package manager")
        if shutil.which("apt-get"):
            hint = _("Install them with: {command}").format(command=f"sudo apt-get install {packages}")
        raise UserError(
            _("The window needs system libraries that are missing"), detail=", ".join(missing), hint=hint
        )
    if xcb and not (answers or _answers)():
        raise UserError(
            _("The display {name} does not answer").format(name=env.get("DISPLAY") or "?"),
            hint=_("Run “reverie demo” to see it work without one"),
        )


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _answers() -> bool:
    library = ctypes.CDLL("libxcb.so.1")
    library.xcb_connect.restype = ctypes.c_void_p
    library.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    for name in ("xcb_connection_has_error", "xcb_disconnect"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    connection = library.xcb_connect(None, None)
    broken = bool(library.xcb_connection_has_error(connection))
    library.xcb_disconnect(connection)
    return not broken
