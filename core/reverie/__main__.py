"""``python -m reverie`` is ``reverie``."""

import sys

from reverie.cli import main

sys.exit(main())
