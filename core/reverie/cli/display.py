"""Is there a screen to open a window on?"""

import os
import sys
from collections.abc import Mapping


def has_display(env: Mapping[str, str] | None = None, platform: str = sys.platform) -> bool:
    """Whether a window can be shown. Where a person named Qt's platform, that is their word."""
    env = os.environ if env is None else env
    if not platform.startswith("linux"):
        return True
    return any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
