"""Where the person was: Alt+Left and Alt+Right. No Qt."""

Place = tuple[str, str]
_LONGEST = 50


class Trail:
    """Places are a pane and its query; going somewhere new forgets what lay ahead."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._at = -1

    @property
    def has_back(self) -> bool:
        return self._at > 0

    @property
    def has_forward(self) -> bool:
        return self._at < len(self._places) - 1

    def visit(self, pane: str, query: str) -> None:
        place = (pane, query)
        if self._at >= 0 and self._places[self._at] == place:
            return
        self._places = [*self._places[: self._at + 1], place][-_LONGEST:]
        self._at = len(self._places) - 1

    def replace(self, pane: str, query: str) -> None:
        """The query of the place where the person is was changed."""
        if self._at >= 0 and self._places[self._at][0] == pane:
            self._places[self._at] = (pane, query)

    def back(self) -> Place | None:
        if not self.has_back:
            return None
        self._at -= 1
        return self._places[self._at]

    def forward(self) -> Place | None:
        if not self.has_forward:
            return None
        self._at += 1
        return self._places[self._at]
