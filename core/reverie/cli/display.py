"""Is there a screen to open a window on, and are the libraries there that Qt needs for it?"""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Mapping

from reverie.errors import UserError
from reverie.i18n import _

# What a small system may lack: the file that is loaded, and Debian's package of it.
# For QtGui itself, whatever it draws on:
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
# And for its xcb plugin, which draws on an X server:
XCB_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
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


def has_display(env: Mapping[str, str] | None = None, platform: str = sys.platform) -> bool:
    """Whether a window can be shown. Where a person named Qt's platform, that is their word."""
    env = os.environ if env is None else env
    if not platform.startswith("linux"):
        return True
    return any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def require_libraries(
    env: Mapping[str, str] | None = None,
    platform: str = sys.platform,
    loads: "Callable[[str], bool] | None" = None,
) -> None:
    """Raises UserError that names what is missing for Qt, and the command that installs it."""
    if not platform.startswith("linux"):
        return
    env = os.environ if env is None else env
    needed = dict(QT_LIBRARIES)
    if env.get("QT_QPA_PLATFORM", "xcb").startswith("xcb") and not env.get("WAYLAND_DISPLAY"):
        needed |= XCB_LIBRARIES
    missing = [name for name in needed if not (loads or _loads)(name)]
    if not missing:
        return
    hint = _("Install them with your system's package manager")
    if shutil.which("apt-get"):
        packages = " ".join(sorted(needed[name] for name in missing))
        hint = _("Install them with: {command}").format(command=f"sudo apt-get install {packages}")
    raise UserError(
        _("The window needs system libraries that are missing here"), detail=", ".join(missing), hint=hint
    )


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
